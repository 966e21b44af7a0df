#include "authoring/source_advice.hpp"

#include <fmt/format.h>

#include <system_error>

#include "jit/include_scanner.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// A CUDA source in the same folder that includes this one; empty if there is none.
fs::path including_source(const fs::path& source) {
  const std::string include = "#include \"" + source.filename().string() + "\"";
  const fs::path folder = source.has_parent_path() ? source.parent_path() : fs::path(".");
  fs::path first;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".cu" || !entry.is_regular_file(ignored)) continue;
    const bool includes = read_text(file).find(include) != std::string::npos;
    if (includes && (first.empty() || file < first)) first = file;
  }
  return first;
}

}  // namespace

std::string source_advice(const fs::path& source, const std::string& kernel,
                          const std::string& reason) {
  const fs::path whole = including_source(source);
  if (!whole.empty()) {
    return fmt::format("; {} includes this file: try gtune init {} --entry {}",
                       whole.filename().string(), file_word(whole.string()), kernel);
  }
  const bool lacks_header = reason.find("No such file or directory") != std::string::npos ||
                            reason.find("cannot open source file") != std::string::npos;
  return lacks_header ? "; -I FOLDER says where headers are" : "";
}

}  // namespace gtune
