#include "spec/spec_text.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "model/error.hpp"

namespace gtune {

std::string read_spec_text(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!std::filesystem::is_directory(file, ignored) && in) {
    try {
      std::string text{std::istreambuf_iterator<char>(in), {}};
      if (!in.bad()) return text;
    } catch (const std::ios_base::failure&) {  // a stream's buffer throws, whatever the stream does
    }
  }
  throw UserError(ExitCode::usage, file.string() + ": cannot be read; expected a spec in TOML");
}

}  // namespace gtune
