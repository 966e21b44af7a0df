#include "jit/macro_overrides.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "jit/known_macros.hpp"
#include "jit/source_directives.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "spec/compiler_options.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

// Limits for untrusted sources.
constexpr int deepest_include = 64;
constexpr std::size_t most_files = 2000;

/// Macro -> all values that are passed for it; empty if they are unknown.
using PassedMacros = std::map<std::string, std::set<std::string>>;

PassedMacros passed_macros(const KernelSpec& spec, const KernelSource& source,
                           const std::vector<std::string>& options) {
  PassedMacros passed;
  for (const std::string& name : possible_macros(spec)) {
    if (!source.names(name, options)) continue;
    for (const std::int64_t value : spec.find_param(name)->values) {
      passed[name].insert(value_text(value));
    }
  }
  for (const NamedExpression& macro : spec.macros) passed[macro.name];
  for (const std::string& option : spec.options) {
    const auto name = defined_macro(option);
    if (name && option.find('{') != std::string::npos) passed[*name];
  }
  return passed;
}

/// The compiler's own macros.
KnownMacros compilers_macros(const KernelSpec& spec, const std::string& arch) {
  KnownMacros macros;
  macros.define("__CUDACC__", "1");
  const bool is_nvcc = spec.compiler == Compiler::nvcc;
  macros.define(is_nvcc ? "__NVCC__" : "__CUDACC_RTC__", "1");
  macros.undefine(is_nvcc ? "__CUDACC_RTC__" : "__NVCC__");
  std::string version = arch.substr(arch.find_first_of("0123456789"));  // of "sm_90a"
  version.erase(std::min(version.find_first_not_of("0123456789"), version.size()));
  macros.define("__CUDA_ARCH__", version + "0");
  macros.define_as_something("__cplusplus");
  return macros;
}

/// The branches of an `#if`.
struct Group {
  Truth around;    // whether the enclosing group is compiled
  Truth compiled;  // whether the current branch is compiled
  Truth taken;     // whether a branch so far was compiled
};

struct SourcePiece {
  std::set<std::string> words_before;  // of the code between the previous directive and this one
  Directive directive;
};

/// A source, split at its directives.
struct SplitSource {
  explicit SplitSource(std::string_view text) {
    std::size_t line = 1;
    const auto take_up_to = [&](std::size_t end_line) {
      std::size_t end = 0;
      for (; line < end_line && end < text.size(); ++line) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
      }
      const std::string_view taken = text.substr(0, end);
      text.remove_prefix(end);
      return taken;
    };
    for (Directive& directive : read_directives(text, {})) {
      const std::string_view code = take_up_to(directive.line);
      static_cast<void>(take_up_to(directive.line + 1));
      pieces.push_back({read_identifiers(code, {}), std::move(directive)});
    }
    last_words = read_identifiers(text, {});
  }

  std::vector<SourcePiece> pieces;
  std::set<std::string> last_words;
};

/// Reads a source like the preprocessor, as far as the text allows.
class Walk {
 public:
  Walk(const KernelSource& source, const std::vector<std::string>& options, PassedMacros passed,
       KnownMacros known)
      : m_search(source.search(options)), m_passed(std::move(passed)), m_known(std::move(known)) {
    for (const auto& [name, values] : m_passed) m_known.define_as_something(name);
  }

  void read_option(const std::string& option, const fs::path& source) {
    const auto line = source_line(option);
    if (!line) return;
    for (const Directive& directive : read_directives(*line, {})) {
      if (directive.name == "include") {
        include(directive, source, Truth::yes);
      } else if (!m_passed.contains(definition_in(directive).name)) {
        m_known.apply(directive, Truth::yes);
      }
    }
  }

  void read_file(const fs::path& file, Truth compiled) {
    if (m_once.contains(file)) return;
    // Compilers reject endless includes, so no further ones are followed.
    if (m_depth >= deepest_include) m_files = most_files;
    if (m_files >= most_files) return;
    ++m_depth;
    ++m_files;
    std::vector<Group> groups;
    const SplitSource& source = split_source(file);
    for (const SourcePiece& piece : source.pieces) {
      const Truth here = groups.empty() ? compiled : groups.back().compiled;
      if (here != Truth::no) note_uses(piece.words_before);
      if (!follow_condition(piece.directive, here, groups)) follow(piece.directive, file, here);
    }
    if (compiled != Truth::no) note_uses(source.last_words);
    --m_depth;
  }

  [[nodiscard]] std::vector<MacroOverride> take() { return std::move(m_found); }

 private:
  /// False if the directive does not belong to a condition.
  bool follow_condition(const Directive& directive, Truth here, std::vector<Group>& groups) {
    const std::string& name = directive.name;
    if (name.starts_with("if")) {
      const Truth holds = here == Truth::no ? Truth::no : condition(directive);
      groups.push_back({here, std::min(here, holds), holds});
    } else if (name.starts_with("el") && !groups.empty()) {
      Group& group = groups.back();
      const Truth open = std::min(group.around, opposite(group.taken));
      const Truth holds = open == Truth::no ? Truth::no : condition(directive);
      group.compiled = std::min(open, holds);
      group.taken = std::max(group.taken, holds);
    } else if (name == "endif" && !groups.empty()) {
      groups.pop_back();
    } else {
      return false;
    }
    return true;
  }

  [[nodiscard]] Truth condition(const Directive& directive) {
    const std::string& name = directive.name;
    if (name == "else") return Truth::yes;
    const std::string word = definition_in(directive).name;
    if (name == "ifdef" || name == "elifdef") return m_known.is_defined(word);
    if (name == "ifndef" || name == "elifndef") return opposite(m_known.is_defined(word));
    note_uses(directive.rest);
    return m_known.holds(directive.rest);
  }

  void follow(const Directive& directive, const fs::path& file, Truth compiled) {
    if (compiled == Truth::no) return;
    if (directive.name == "include") {
      include(directive, file, compiled);
    } else if (directive.name == "define" || directive.name == "undef") {
      if (compiled == Truth::yes) note_override(directive, file);
      m_known.apply(directive, compiled);
    } else if (directive.name == "pragma") {
      follow_pragma(directive, file);
    }
  }

  void note_override(const Directive& directive, const fs::path& file) {
    const MacroDefinition definition = definition_in(directive);
    const auto passed = m_passed.find(definition.name);
    if (passed == m_passed.end() || m_used.contains(definition.name)) return;
    m_pending.erase(definition.name);
    const bool same = directive.name == "define" && !definition.with_parameters &&
                      passed->second == std::set<std::string>{definition.text};
    if (same) return;
    std::string shown = "#" + directive.name + " " + directive.rest;
    while (is_blank(shown.back())) shown.pop_back();
    m_pending[definition.name] = {file, directive.line, shown, definition.name};
  }

  /// Reads each file once, however often it is included.
  const SplitSource& split_source(const fs::path& file) {
    const auto known = m_sources.find(file);
    if (known != m_sources.end()) return known->second;
    return m_sources.emplace(file, SplitSource(read_text(file))).first->second;
  }

  void note_uses(std::string_view text) { note_uses(read_identifiers(text, {})); }

  /// An override counts if code uses the macro after it, and no code used the passed value before.
  void note_uses(const std::set<std::string>& words) {
    if (words.empty()) return;
    for (const auto& [name, values] : m_passed) {
      if (m_used.contains(name) || !m_known.leads_to(words, name)) continue;
      m_used.insert(name);
      const auto pending = m_pending.find(name);
      if (pending != m_pending.end()) m_found.push_back(pending->second);
    }
  }

  void follow_pragma(const Directive& directive, const fs::path& file) {
    std::string_view rest = directive.rest;
    const std::string word = definition_in(directive).name;
    if (word == "once") m_once.insert(file);
    if (word != "push_macro" && word != "pop_macro") return note_uses(rest);
    const std::size_t begin = std::min(rest.find('"'), rest.size() - 1) + 1;
    const std::string name(rest.substr(begin, rest.find('"', begin) - begin));
    std::vector<Saved>& saved = m_saved[name];
    const auto pending = m_pending.find(name);
    if (word == "push_macro") {
      Saved& now = saved.emplace_back();
      now.state = m_known.state_of(name);
      if (pending != m_pending.end()) now.pending = pending->second;
    } else if (!saved.empty()) {
      m_known.set_state(name, saved.back().state);
      m_pending.erase(name);
      if (saved.back().pending) m_pending[name] = *saved.back().pending;
      saved.pop_back();
    }
  }

  void include(const Directive& directive, const fs::path& from, Truth compiled) {
    const ParsedHeaderName parsed = parse_header_name(directive.rest);
    if (parsed.kind != HeaderNameKind::literal) return;
    std::vector<fs::path> folders;
    if (parsed.header.quoted && m_search.beside) folders.push_back(from.parent_path());
    folders.insert(folders.end(), m_search.folders.begin(), m_search.folders.end());
    for (const fs::path& folder : folders) {
      const fs::path file = (folder / parsed.header.name).lexically_normal();
      std::error_code error;
      if (!fs::is_regular_file(file, error)) continue;
      if (!is_of_toolkit(file)) read_file(file, compiled);
      return;
    }
  }

  [[nodiscard]] bool is_of_toolkit(const fs::path& file) const {
    return std::any_of(m_search.toolkit.begin(), m_search.toolkit.end(), [&](const auto& folder) {
      const fs::path below = file.lexically_relative(folder.lexically_normal());
      return !below.empty() && *below.begin() != "..";
    });
  }

  /// A state saved by `#pragma push_macro`.
  struct Saved {
    KnownMacros::State state;
    std::optional<MacroOverride> pending;
  };

  IncludeSearch m_search;
  PassedMacros m_passed;
  KnownMacros m_known;
  std::map<std::string, MacroOverride> m_pending;  // macro -> its override, if not used so far
  std::set<std::string> m_used;
  std::map<std::string, std::vector<Saved>> m_saved;
  std::set<fs::path> m_once;
  std::map<fs::path, SplitSource> m_sources;
  std::vector<MacroOverride> m_found;
  int m_depth = 0;
  std::size_t m_files = 0;
};

/// A file's path in the style of the source's path, if it is in or below the source's folder.
fs::path as_shown(const fs::path& file, const fs::path& source) {
  const fs::path below = file.lexically_relative(fs::absolute(source).parent_path());
  const bool is_below = !below.empty() && *below.begin() != "..";
  return is_below ? source.parent_path() / below : file;
}

}  // namespace

std::string MacroOverride::place() const { return file.string() + ":" + std::to_string(line); }

std::string MacroOverride::complaint() const {
  const std::string passed = "the value that gtune passes (-D" + macro + "=...)";
  if (directive.starts_with("#undef")) {
    return directive + " discards " + passed +
           ", so all values compile to the same code; remove "
           "it, or move it after the kernel";
  }
  return directive + " overrides " + passed +
         ", so all values compile to the same code; write "
         "#ifndef " +
         macro + " before it and #endif after it";
}

std::vector<MacroOverride> macro_overrides(const KernelSpec& spec, const KernelSource& source,
                                           const std::string& arch) {
  Config first;
  for (const Parameter& param : spec.params) first.set(param.name, param.values.front());
  const std::vector<std::string> options = compile_options(spec, first);
  Walk walk(source, options, passed_macros(spec, source, options), compilers_macros(spec, arch));
  const fs::path file = fs::absolute(spec.source).lexically_normal();
  for (const std::string& option : options) walk.read_option(option, file);
  walk.read_file(file, Truth::yes);
  std::vector<MacroOverride> found = walk.take();
  for (MacroOverride& each : found) each.file = as_shown(each.file, spec.source);
  return found;
}

void require_no_override(const KernelSpec& spec, const KernelSource& source,
                         const std::string& arch) {
  const std::vector<MacroOverride> found = macro_overrides(spec, source, arch);
  if (found.empty()) return;
  const std::string more = found.size() == 1 ? ""
                                             : " (and " + std::to_string(found.size() - 1) +
                                                   " more, which gtune check lists)";
  throw UserError(ExitCode::failed,
                  found.front().place() + ": " + found.front().complaint() + more);
}

}  // namespace gtune
