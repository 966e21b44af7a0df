#include "jit/include_scanner.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "model/error.hpp"
#include "model/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;  // empty where it is a macro
  bool quoted = false;
};

std::string_view trimmed(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  return start == text.npos ? std::string_view() : text.substr(start);
}

/// `#include "name"` or `#include <name>`, with any blanks between.
std::optional<Include> parse_include(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() != '#') return std::nullopt;
  line = trimmed(line.substr(1));
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return std::nullopt;
  line = trimmed(line.substr(word.size()));
  if (line.empty()) return std::nullopt;
  if (line.front() != '"' && line.front() != '<') return Include{};
  const char closing = line.front() == '"' ? '"' : '>';
  const auto end = line.find(closing, 1);
  if (end == line.npos) return std::nullopt;
  return Include{std::string(line.substr(1, end - 1)), closing == '"'};
}

class Scanner {
 public:
  explicit Scanner(std::span<const fs::path> folders) : m_folders(folders) {}

  void scan(const fs::path& file) {
    std::istringstream text(read_text(file));
    std::string line;
    while (std::getline(text, line)) {
      const auto include = parse_include(line);
      if (!include) continue;
      if (include->name.empty()) {
        m_complete = false;
        continue;
      }
      const auto found = resolve(*include, file.parent_path());
      if (found && m_seen.insert(*found).second) scan(*found);
    }
  }

  [[nodiscard]] IncludeScan result() const { return {{m_seen.begin(), m_seen.end()}, m_complete}; }

 private:
  [[nodiscard]] std::optional<fs::path> resolve(const Include& include,
                                                const fs::path& beside) const {
    std::vector<fs::path> folders;
    if (include.quoted) folders.push_back(beside);
    folders.insert(folders.end(), m_folders.begin(), m_folders.end());
    for (const fs::path& folder : folders) {
      std::error_code error;
      const fs::path file = fs::weakly_canonical(folder / include.name, error);
      if (!error && fs::is_regular_file(file, error)) return file;
    }
    return std::nullopt;
  }

  std::span<const fs::path> m_folders;
  bool m_complete = true;
  std::set<fs::path> m_seen;  // sorted: the order must not depend on who includes first
};

}  // namespace

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw UserError(ExitCode::failed, file.string() + ": cannot be read");
  return text.str();
}

IncludeScan scan_includes(const fs::path& source, std::span<const fs::path> folders) {
  Scanner scanner(folders);
  scanner.scan(source);
  return scanner.result();
}

std::vector<fs::path> include_folders(std::span<const std::string> options) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view prefix : {"-I", "--include-path"}) {
      if (!options[i].starts_with(prefix)) continue;
      std::string folder = options[i].substr(prefix.size());
      folder.erase(0, folder.find_first_not_of("= "));
      if (folder.empty() && i + 1 < options.size()) folder = options[++i];
      folders.emplace_back(folder);
      break;
    }
  }
  return folders;
}

std::string source_hash(const fs::path& source, std::span<const fs::path> folders) {
  std::string all = read_text(source);
  for (const fs::path& file : scan_includes(source, folders).files) {
    // Names without folders: the same files elsewhere are the same source.
    all += '\0' + file.filename().string() + '\0' + read_text(file);
  }
  return hex_digest(all);
}

std::vector<SourceFile> source_files(const fs::path& source, std::span<const fs::path> folders) {
  const fs::path folder = fs::weakly_canonical(source).parent_path();
  std::vector<SourceFile> files = {{source.filename().string(), hex_digest(read_text(source))}};
  for (const fs::path& file : scan_includes(source, folders).files) {
    const std::string below = file.lexically_relative(folder).string();
    const bool is_below = !below.empty() && !below.starts_with("..");
    files.push_back({is_below ? below : file.filename().string(), hex_digest(read_text(file))});
  }
  return files;
}

}  // namespace gtune
