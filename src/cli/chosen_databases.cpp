#include "cli/chosen_databases.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli/common_options.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "store/default_path.hpp"
#include "system/shell_word.hpp"

namespace gtune {

namespace fs = std::filesystem;

namespace {

/// A file that is named twice counts once.
void add_new(std::vector<fs::path>& files, const fs::path& file) {
  const auto is_this = [&](const fs::path& each) { return is_same_file(each, file); };
  if (std::none_of(files.begin(), files.end(), is_this)) files.push_back(file);
}

std::vector<fs::path> files_of_environment() {
  const char* value = std::getenv("GTUNE_ALSO");
  std::istringstream list(value == nullptr ? "" : value);
  std::vector<fs::path> files;
  for (std::string file; std::getline(list, file, ':');) {
    if (!file.empty()) files.emplace_back(file);
  }
  return files;
}

}  // namespace

void DatabaseOptions::add_to(CLI::App& command) {
  add_database_option(command, own);
  command
      .add_option("--also", also,
                  "Also read this database, such as a team's, without writing to it (repeatable) "
                  "[$GTUNE_ALSO]")
      ->type_name(value_type::file)
      ->allow_extra_args(false);
}

fs::path DatabaseOptions::own_file() const {
  return own.empty() ? default_database_path() : fs::path(own);
}

std::vector<fs::path> DatabaseOptions::also_files() const {
  if (!reads_also) return {};
  const fs::path mine = own_file();
  std::vector<fs::path> files;
  for (const std::string& file : also) {
    if (is_same_file(file, mine)) {
      throw UserError(ExitCode::usage, "--also " + shell_word(file) +
                                           " is your own database (--db): give another file");
    }
    add_new(files, file);
  }
  if (!files.empty()) return files;
  for (const fs::path& file : files_of_environment()) {
    if (!is_same_file(file, mine)) add_new(files, file);
  }
  return files;
}

std::vector<NamedFile> DatabaseOptions::inputs() const {
  std::vector<NamedFile> files = {{"--db", own_file()}};
  for (const fs::path& file : also_files()) files.push_back({"--also", file});
  return files;
}

std::string DatabaseOptions::own_words() const {
  return own.empty() ? "" : " --db " + shell_word(own);
}

}  // namespace gtune
