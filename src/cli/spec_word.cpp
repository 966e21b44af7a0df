#include "cli/spec_word.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "model/error.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

bool is_source(const std::string& extension) {
  constexpr auto sources = std::to_array<std::string_view>(
      {".cu", ".cuh", ".h", ".hpp", ".hh", ".c", ".cc", ".cpp", ".cxx", ".inl"});
  return std::find(sources.begin(), sources.end(), extension) != sources.end();
}

}  // namespace

void refuse_other_files(const std::string& word) {
  const std::filesystem::path file = word;
  const std::string extension = file.extension().string();
  if (extension == ".toml") return;
  if (is_source(extension)) {
    throw UserError(ExitCode::usage, word +
                                         " is a source; expected its spec, FILE.toml: gtune init " +
                                         file_word(word) + " writes one");
  }
  std::error_code ignored;
  const bool is_file = !extension.empty() || std::filesystem::is_regular_file(file, ignored);
  if (!is_file) return;
  throw UserError(ExitCode::usage, word + " is not named like a spec; expected FILE.toml");
}

}  // namespace gtune
