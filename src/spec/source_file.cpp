#include "spec/source_file.hpp"

#include <cstdint>
#include <system_error>

namespace gtune {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_source_bytes = std::uintmax_t{16} << 20;

void check_source_size(const SpecContext& context, const fs::path& source, const Place& place) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(source, error);
  if (error || bytes <= most_source_bytes) return;
  context.fail(place, "the source " + source.string() + " has " + std::to_string(bytes) +
                          " bytes; expected at most " + std::to_string(most_source_bytes));
}

}  // namespace

fs::path find_source(const SpecContext& context, const TomlValue& name, const std::string& what,
                     std::span<const fs::path> folders) {
  context.expect(name, TomlValue::Kind::string, what);
  if (name.text.empty()) context.fail(name.place, what + " is empty; expected a file name");
  std::string looked_in;
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    fs::path candidate = folder / name.text;
    if (fs::is_regular_file(candidate, ignored)) {
      check_source_size(context, candidate, name.place);
      return candidate;
    }
    looked_in += (looked_in.empty() ? "" : ", ") + (folder.empty() ? "." : folder.string());
  }
  context.fail(name.place, "there is no source '" + name.text + "'; expected it in " + looked_in);
}

}  // namespace gtune
