#include "jit/include_scanner.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <unordered_map>

#include "jit/header_macros.hpp"
#include "jit/source_directives.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"
#include "system/file_descriptor.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// A larger file is not a source.
constexpr std::size_t most_source_bytes = std::size_t{64} << 20;

bool is_below(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Resolves links to folders but not to files, as the compiler does for files that include others.
class Places {
 public:
  /// The file in its resolved folder; absent if the folder does not exist.
  std::optional<fs::path> of(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    auto known = m_folders.find(folder.native());
    if (known == m_folders.end()) {
      std::error_code error;
      fs::path place = fs::canonical(folder, error);
      if (error) place.clear();
      known = m_folders.emplace(folder.native(), std::move(place)).first;
    }
    if (known->second.empty()) return std::nullopt;
    return known->second / path.filename();
  }

 private:
  std::unordered_map<std::string, fs::path> m_folders;  // empty: does not exist
};

class Scanner {
 public:
  explicit Scanner(const IncludeSearch& search) : m_search(search), m_macros(search.defined) {
    for (const fs::path& folder : search.toolkit) {
      std::error_code error;
      const fs::path place = fs::canonical(folder, error);
      if (!error) m_toolkit.push_back(place);
    }
  }

  IncludeScan scan(const fs::path& source) {
    // A file may use a macro before the scan finds that the macro tests for headers.
    constexpr int most_rounds = 8;
    for (int round = 0; round < most_rounds; ++round) {
      m_new_words = false;
      scan_all(source);
      if (!m_new_words) return result(why_unknown());
    }
    return result(source.filename().string() + ": __has_include by way of too many macros");
  }

 private:
  /// An include whose file is given by a macro.
  struct Computed {
    fs::path file;
    std::size_t line = 0;
    std::string shown;
    std::string text;
    bool everywhere = false;
  };

  [[nodiscard]] IncludeScan result(std::string unknown) const {
    IncludeScan scan{{m_seen.begin(), m_seen.end()}, {}, true, std::move(unknown)};
    const std::set<fs::path> own = own_files();
    for (const fs::path& file : own) {
      if (file != m_source) scan.own.push_back(file);
    }
    scan.own_complete =
        std::none_of(m_computed.begin(), m_computed.end(), [&](const Computed& computed) {
          return own.contains(computed.file) && !m_macros.headers_of(computed.text);
        });
    return scan;
  }

  /// The source, and the files reachable from it through own files only.
  [[nodiscard]] std::set<fs::path> own_files() const {
    std::set<fs::path> own = {m_source};
    std::vector<fs::path> waiting = {m_source};
    while (!waiting.empty()) {
      const fs::path file = std::move(waiting.back());
      waiting.pop_back();
      const auto included = m_beside.find(file);
      if (included == m_beside.end()) continue;
      for (const fs::path& each : included->second) {
        if (own.insert(each).second) waiting.push_back(each);
      }
    }
    return own;
  }

  void scan_all(const fs::path& source) {
    m_seen.clear();
    m_computed.clear();
    m_beside.clear();
    m_source = m_places.of(source).value_or(source);
    for (const fs::path& file : m_search.pre_included) {
      const auto found = look_for({file.string(), true}, ".", false);
      if (found) m_beside[m_source].insert(*found);
    }
    m_waiting.push_back(m_source);
    while (!m_waiting.empty()) {
      scan_waiting();
      // New definitions may belong to macros of earlier includes.
      for (const Computed& computed : m_computed) follow_macro(computed);
    }
  }

  void scan_waiting() {
    while (!m_waiting.empty()) {
      const fs::path file = std::move(m_waiting.back());
      m_waiting.pop_back();
      const std::string text = read_text(file);
      for (const Reading& reading : readings_of(text)) {
        for (const Directive& directive : read_directives(text, reading)) follow(file, directive);
      }
    }
  }

  void follow(const fs::path& file, const Directive& directive) {
    const std::string& name = directive.name;
    if (name == "include" || name == "import" || name == "embed") {
      follow_name(file, directive, directive.rest, false);
    } else if (name == "include_next") {
      follow_name(file, directive, directive.rest, true);
    } else {
      if (name == "define") m_macros.define(directive);
      for (const HeaderQuestion& question : questions_in(directive, m_question_words)) {
        follow_question(file, directive, question);
      }
    }
  }

  void follow_question(const fs::path& file, const Directive& directive,
                       const HeaderQuestion& question) {
    if (const auto macro = macro_that_passes_on(directive, question)) {
      m_new_words = m_question_words.insert(*macro).second || m_new_words;
    } else if (question_words().contains(question.word) && !question.text.empty()) {
      follow_name(file, directive, question.text, true);
    } else {  // a macro's argument is expanded first
      add_computed(file, directive, question.text, true);
    }
  }

  void follow_name(const fs::path& file, const Directive& directive, std::string_view text,
                   bool everywhere) {
    const ParsedHeaderName parsed = parse_header_name(text);
    if (parsed.kind == HeaderNameKind::literal) {
      include(file, parsed.header, everywhere);
    } else if (parsed.kind == HeaderNameKind::computed) {
      add_computed(file, directive, text, everywhere);
    }
  }

  void add_computed(const fs::path& file, const Directive& directive, std::string_view text,
                    bool everywhere) {
    m_computed.push_back({file, directive.line, "#" + directive.name + " " + directive.rest,
                          std::string(text), everywhere});
  }

  void follow_macro(const Computed& computed) {
    const auto headers = m_macros.headers_of(computed.text);
    if (!headers) return;
    for (const HeaderName& header : *headers) include(computed.file, header, computed.everywhere);
  }

  void include(const fs::path& file, const HeaderName& header, bool everywhere) {
    const auto found = look_for(header, file.parent_path(), everywhere);
    if (!found || !header.quoted) return;
    for (const fs::path& folder : {file.parent_path(), m_source.parent_path()}) {
      if (m_places.of(folder / header.name) == found) m_beside[file].insert(*found);
    }
  }

  /// Adds and returns the first file of this name. If `everywhere`, adds all and returns none.
  std::optional<fs::path> look_for(const HeaderName& header, const fs::path& beside,
                                   bool everywhere) {
    std::vector<fs::path> folders;
    if (header.quoted && m_search.beside) folders.push_back(beside);
    folders.insert(folders.end(), m_search.folders.begin(), m_search.folders.end());
    for (const fs::path& folder : folders) {
      auto file = m_places.of(folder / header.name);
      std::error_code error;
      if (!file || !fs::exists(*file, error) || fs::is_directory(*file, error)) continue;
      if (m_seen.insert(*file).second) m_waiting.push_back(*file);
      if (!everywhere) return file;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string why_unknown() const {
    constexpr std::size_t most_shown = 60;
    for (const Computed& computed : m_computed) {
      const auto is_around = [&](const fs::path& folder) {
        return is_below(computed.file, folder);
      };
      if (std::any_of(m_toolkit.begin(), m_toolkit.end(), is_around)) continue;
      if (m_macros.headers_of(computed.text)) continue;
      return one_line(computed.file.filename().string() + ":" + std::to_string(computed.line) +
                      ": " + computed.shown.substr(0, most_shown));
    }
    return "";
  }

  const IncludeSearch& m_search;
  HeaderMacros m_macros;
  Places m_places;
  QuestionWords m_question_words = question_words();
  bool m_new_words = false;
  std::vector<fs::path> m_toolkit;                  // resolved
  fs::path m_source;                                // resolved
  std::map<fs::path, std::set<fs::path>> m_beside;  // includer -> quoted includes found beside it
  std::set<fs::path> m_seen;  // sorted, so the order does not depend on which file includes first
  std::vector<fs::path> m_waiting;
  std::vector<Computed> m_computed;
};

/// The values of options written as NAMEVALUE, NAME=VALUE or "NAME VALUE", or as two options.
std::vector<fs::path> values_of(std::span<const std::string> options,
                                std::span<const std::string_view> names) {
  std::vector<fs::path> values;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string_view name : names) {
      if (!options[i].starts_with(name)) continue;
      std::string value = options[i].substr(name.size());
      value.erase(0, value.find_first_not_of("= "));
      if (value.empty() && i + 1 < options.size()) value = options[++i];
      values.emplace_back(value);
      break;
    }
  }
  return values;
}

std::vector<fs::path> pre_included_files(std::span<const std::string> options) {
  static constexpr std::array<std::string_view, 3> names = {"-include", "--pre-include",
                                                            "--preinclude"};
  return values_of(options, names);
}

std::vector<std::string> defined_macros(std::span<const std::string> options) {
  static constexpr std::array<std::string_view, 2> names = {"-D", "--define-macro"};
  std::set<std::string> defined;
  for (const fs::path& value : values_of(options, names)) {
    const std::string text = value.string();
    defined.insert(text.substr(0, text.find_first_of("=(")));
  }
  return {defined.begin(), defined.end()};
}

bool looks_beside(std::span<const std::string> options) {
  return std::none_of(options.begin(), options.end(), [](const std::string& option) {
    return option == "--no-source-include" || option == "-no-source-include";
  });
}

/// A text unique to this process.
std::string mark_of_process() {
  static const std::string random = [] {
    std::random_device device;
    std::string text;
    for (int i = 0; i < 4; ++i) text += std::to_string(device()) + ' ';
    return text;
  }();
  return random + std::to_string(getpid());
}

}  // namespace

std::string read_text(const fs::path& file) {
  const auto fail = [&](const std::string& why) {
    throw UserError(ExitCode::failed, file.string() + ": " + why);
  };
  // Does not wait if the path is a pipe.
  const FileDescriptor in(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (in.get() < 0 || fstat(in.get(), &facts) != 0) fail("cannot be read");
  if (!S_ISREG(facts.st_mode)) fail("cannot be read: it is not a regular file");
  std::string text;
  std::array<char, std::size_t{1} << 16> part{};
  for (;;) {
    const ssize_t count = read(in.get(), part.data(), part.size());
    if (count == 0) break;
    if (count < 0 && errno != EINTR) fail("cannot be read");
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    if (text.size() > most_source_bytes) fail("is too large for a source file");
  }
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // of UTF-8; NVRTC takes it for code
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

void refuse_encoding(const fs::path& file, std::string_view text) {
  const auto fail = [&](const std::string& why) {
    throw UserError(ExitCode::failed, file.string() + ": " + why);
  };
  const bool is_wide = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (is_wide) fail("is in UTF-16; expected UTF-8, as iconv -f UTF-16 -t UTF-8 writes it");
  // To compilers such a text is one line, which a directive or a comment spoils.
  const bool is_one_line = text.find('\n') == text.npos;
  const std::size_t begin = std::min(text.find('#'), text.find("//"));
  const std::size_t end = text.find('\r', std::min(begin, text.size()));
  if (is_one_line && text.find_first_not_of(" \t\r", end) != text.npos) {
    fail("ends its lines with CR alone; expected LF or CRLF, as tr '\\r' '\\n' writes them");
  }
}

IncludeScan scan_includes(const fs::path& source, const IncludeSearch& search) {
  return Scanner(search).scan(source);
}

std::vector<fs::path> include_folders(std::span<const std::string> options) {
  static constexpr std::array<std::string_view, 2> names = {"-I", "--include-path"};
  return values_of(options, names);
}

IncludeSearch include_search(const fs::path& source, std::span<const std::string> options) {
  IncludeSearch search{include_folders(options),
                       pre_included_files(options),
                       defined_macros(options),
                       looks_beside(options),
                       {}};
  search.folders.insert(search.folders.begin(), fs::absolute(source).parent_path());
  return search;
}

std::string source_hash(const fs::path& source, std::span<const std::string> options) {
  std::string all = read_text(source);
  const IncludeScan scan = scan_includes(source, include_search(source, options));
  for (const fs::path& file : scan.files) {
    // Only file names, without folders: moved files are the same source.
    all += '\0' + file.filename().string() + '\0' + read_text(file);
  }
  if (!scan.complete()) all += '\0' + mark_of_process();
  return hex_digest(all);
}

std::vector<SourceFile> source_files(const fs::path& source, std::span<const std::string> options) {
  const fs::path folder = fs::weakly_canonical(source).parent_path();
  std::vector<SourceFile> files = {{source.filename().string(), hex_digest(read_text(source))}};
  for (const fs::path& file : scan_includes(source, include_search(source, options)).files) {
    const std::string below = file.lexically_relative(folder).string();
    const bool is_below = !below.empty() && !below.starts_with("..");
    files.push_back({is_below ? below : file.filename().string(), hex_digest(read_text(file))});
  }
  return files;
}

std::string unknown_include_note(const fs::path& source, std::span<const std::string> options) {
  const IncludeScan scan = scan_includes(source, include_search(source, options));
  if (scan.complete()) return "";
  return scan.unknown +
         ": gtune cannot determine which file this names, so nothing is cached, and measurements "
         "count only in their own run; name the file in quotes";
}

}  // namespace gtune
