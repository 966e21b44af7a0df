#include "spec/compiler_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "model/error.hpp"
#include "model/value_word.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using Kind = TomlValue::Kind;

enum class OptionForm {
  alone,       // takes no value
  word,        // one of `words`
  integer,     // `least` to `most`
  numbers,     // "177,550"
  seed,        // letters and digits
  definition,  // NAME or NAME=TEXT
  name,        // of a macro
  folder,      // a path, relative to the spec's folder
  file,        // such a path, in or below the folder of the spec or its source
  for_ptxas,   // an option of ptxas
};

/// Which compilers take an option.
enum class Takers { both, nvrtc, nvcc };

struct OptionRule {
  std::string_view long_name;
  std::string_view short_name;  // empty: none
  OptionForm form = OptionForm::alone;
  std::string_view words{};  // "true|false"
  std::int64_t least = 0;
  std::int64_t most = 0;
  Takers takers = Takers::both;
};

constexpr OptionRule only(Takers takers, OptionRule rule) {
  rule.takers = takers;
  return rule;
}

constexpr std::string_view on_off = "true|false";

/// The options of NVRTC and nvcc (CUDA 12 and 13) that a kernel's author may need. NVRTC accepts
/// only exact names.
constexpr std::array<OptionRule, 39> compiler_rules = {{
    {"--std", "-std", OptionForm::word, "c++03|c++11|c++14|c++17|c++20"},
    {"--define-macro", "-D", OptionForm::definition},
    {"--undefine-macro", "-U", OptionForm::name},
    {"--include-path", "-I", OptionForm::folder},
    {"--pre-include", "-include", OptionForm::file},
    only(Takers::nvrtc, {"--no-source-include", "-no-source-include"}),
    {"--use_fast_math", "-use_fast_math"},
    {"--ftz", "-ftz", OptionForm::word, on_off},
    {"--fmad", "-fmad", OptionForm::word, on_off},
    {"--prec-div", "-prec-div", OptionForm::word, on_off},
    {"--prec-sqrt", "-prec-sqrt", OptionForm::word, on_off},
    {"--maxrregcount", "-maxrregcount", OptionForm::integer, {}, 0, 65535},
    {"--extra-device-vectorization", "-extra-device-vectorization"},
    {"--restrict", "-restrict"},
    {"--dopt", "-dopt", OptionForm::word, "on"},
    {"--Ofast-compile", "-Ofc", OptionForm::word, "0|min|mid|max"},
    {"--jump-table-density", "-jtd", OptionForm::integer, {}, 0, 101},
    only(Takers::nvrtc, {"--modify-stack-limit", "-modify-stack-limit", OptionForm::word, on_off}),
    {"--device-stack-protector", "-device-stack-protector", OptionForm::word, on_off},
    only(Takers::nvrtc, {"--device-as-default-execution-space", "-default-device"}),
    only(Takers::nvrtc, {"--device-int128", "-device-int128"}),
    only(Takers::nvrtc, {"--device-float128", "-device-float128"}),
    only(Takers::nvrtc,
         {"--builtin-move-forward", "-builtin-move-forward", OptionForm::word, on_off}),
    only(Takers::nvrtc,
         {"--builtin-initializer-list", "-builtin-initializer-list", OptionForm::word, on_off}),
    only(Takers::nvrtc, {"--minimal", "-minimal"}),
    {"--frandom-seed", "-frandom-seed", OptionForm::seed},
    {"--generate-line-info", "-lineinfo"},
    {"--disable-warnings", "-w"},
    {"--display-error-number", "-err-no"},
    {"--no-display-error-number", "-no-err-no"},
    {"--diag-error", "-diag-error", OptionForm::numbers},
    {"--diag-suppress", "-diag-suppress", OptionForm::numbers},
    {"--diag-warn", "-diag-warn", OptionForm::numbers},
    {"--brief-diagnostics", "-brief-diag", OptionForm::word, on_off},
    {"--optimization-info", "-opt-info", OptionForm::word, "inline"},
    {"--ptxas-options", "-Xptxas", OptionForm::for_ptxas},
    only(Takers::nvcc, {"--extended-lambda", "-extended-lambda"}),
    only(Takers::nvcc, {"--expt-extended-lambda", "-expt-extended-lambda"}),
    only(Takers::nvcc, {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"}),
}};

constexpr std::array<OptionRule, 19> ptxas_rules = {{
    {"--opt-level", "", OptionForm::integer, {}, 0, 4},  // and -O0 to -O4
    {"--verbose", "-v"},
    {"--allow-expensive-optimizations", "-allow-expensive-optimizations", OptionForm::word, on_off},
    {"--def-load-cache", "-dlcm", OptionForm::word, "ca|cg|cs|lu|cv"},
    {"--def-store-cache", "-dscm", OptionForm::word, "wb|cg|cs|wt"},
    {"--register-usage-level", "-regUsageLevel", OptionForm::integer, {}, 0, 10},
    {"--maxrregcount", "-maxrregcount", OptionForm::integer, {}, 0, 65535},
    {"--minnctapersm", "-minnctapersm", OptionForm::integer, {}, 1, 65535},
    {"--override-directive-values", "-override-directive-values"},
    {"--fmad", "-fmad", OptionForm::word, on_off},
    {"--optimize-float-atomics", "-opt-fp-atomics"},
    {"--disable-optimizer-constants", "-disable-optimizer-consts"},
    {"--warn-on-spills", "-warn-spills"},
    {"--warn-on-local-memory-usage", "-warn-lmem-usage"},
    {"--warn-on-double-precision-use", "-warn-double-usage"},
    {"--warning-as-error", "-Werror"},
    {"--disable-warnings", "-w"},
    {"--suppress-stack-size-warning", "-suppress-stack-size-warning"},
    {"--suppress-async-bulk-multicast-advisory-warning",
     "-suppress-async-bulk-multicast-advisory-warning"},
}};

/// Options that an author may try, and why they are refused. All others are unknown_option.
struct Refusal {
  std::string_view names;  // between blanks
  std::string_view why;
};

constexpr std::array<Refusal, 6> refusals = {{
    {" --create-pch -create-pch --time -time --fdevice-time-trace -fdevice-time-trace --pch -pch "
     "--pch-dir -pch-dir --output-file -o ",
     "it writes a file"},
    {" --use-pch -use-pch --options-file -optf ", "it reads a file that gtune cannot check"},
    {" --split-compile -split-compile ", "it starts threads"},
    {" --gpu-architecture -arch --gpu-name ", "gtune chooses the architecture, by the device"},
    {" --device-debug -G -g ", "code without optimization is not worth tuning"},
    {" --dlink-time-opt -dlto --gen-opt-lto -gen-opt-lto --optix-ir -optix-ir --device-c -dc "
     "--relocatable-device-code -rdc --extensible-whole-program -ewp --compile-only -c "
     "--fdevice-syntax-only -fdevice-syntax-only ",
     "it produces no loadable kernel"},
}};

constexpr std::string_view unknown_option = "gtune does not know the option to be harmless";

/// "--NAME=VALUE", or "-DVALUE".
struct OptionWord {
  const OptionRule* rule = nullptr;  // null: a name without a rule
  std::string_view name;
  std::optional<std::string_view> value;
};

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

/// NVRTC treats -DNAME, -D NAME and -D=NAME alike.
std::optional<OptionWord> joined_word(std::string_view text) {
  for (const OptionRule& rule : compiler_rules) {
    if (rule.short_name.size() != 2 || rule.form == OptionForm::alone) continue;
    if (!text.starts_with(rule.short_name)) continue;
    std::string_view value = without_blanks(text.substr(2));
    if (value.starts_with('=')) value.remove_prefix(1);
    return OptionWord{&rule, rule.short_name,
                      value.empty() ? std::nullopt : std::optional<std::string_view>(value)};
  }
  return std::nullopt;
}

template <std::size_t count>
OptionWord split_word(std::string_view text, const std::array<OptionRule, count>& rules) {
  const std::size_t equals = text.find('=');
  OptionWord word{nullptr, text.substr(0, equals), std::nullopt};
  if (equals != text.npos) word.value = text.substr(equals + 1);
  for (const OptionRule& rule : rules) {
    if (word.name == rule.long_name || (!word.name.empty() && word.name == rule.short_name)) {
      word.rule = &rule;
    }
  }
  return word;
}

OptionWord compiler_word(std::string_view text) {
  const auto joined = joined_word(text);
  return joined ? *joined : split_word(text, compiler_rules);
}

bool is_one_of(std::string_view value, std::string_view words) {
  while (!words.empty()) {
    const std::size_t bar = std::min(words.find('|'), words.size());
    if (value == words.substr(0, bar)) return true;
    words.remove_prefix(std::min(bar + 1, words.size()));
  }
  return false;
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether the text begins with a macro's name, which parameters may follow.
bool begins_with_name(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter_or_digit);
  if (end == text.begin() || (text.front() >= '0' && text.front() <= '9')) return false;
  return end == text.end() || *end == '=' || *end == '(';
}

bool is_integer_within(std::string_view text, const OptionRule& rule) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && value >= rule.least && value <= rule.most;
}

bool is_numbers(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return (c >= '0' && c <= '9') || c == ','; });
}

std::string expected_value(const OptionRule& rule) {
  switch (rule.form) {
    case OptionForm::word: {
      std::string words(rule.words);
      std::replace(words.begin(), words.end(), '|', ' ');
      return words;
    }
    case OptionForm::integer:
      return "a number from " + std::to_string(rule.least) + " to " + std::to_string(rule.most);
    case OptionForm::numbers:
      return "numbers separated by commas";
    case OptionForm::seed:
      return "letters and digits";
    case OptionForm::definition:
      return "NAME or NAME=VALUE";
    case OptionForm::name:
      return "a macro's name";
    case OptionForm::for_ptxas:
      return "an option of ptxas";
    default:
      return "a path";
  }
}

bool fits(const OptionRule& rule, std::string_view value) {
  switch (rule.form) {
    case OptionForm::word:
      return is_one_of(value, rule.words);
    case OptionForm::integer:
      return is_integer_within(value, rule);
    case OptionForm::numbers:
      return is_numbers(value);
    case OptionForm::definition:
      return begins_with_name(value);
    case OptionForm::seed:
    case OptionForm::name:
      return !value.empty() && std::all_of(value.begin(), value.end(), is_letter_or_digit);
    default:
      return !value.empty();
  }
}

std::string why_no_rule(std::string_view name) {
  const std::string word = " " + std::string(name) + " ";
  for (const Refusal& refusal : refusals) {
    if (refusal.names.find(word) != refusal.names.npos) return std::string(refusal.why);
  }
  return std::string(unknown_option);
}

std::optional<std::string> why_value_refused(const OptionWord& word) {
  if (word.rule == nullptr) return why_no_rule(word.name);
  if (word.rule->form == OptionForm::alone) {
    return word.value ? std::optional<std::string>("it takes no value") : std::nullopt;
  }
  if (word.value && fits(*word.rule, *word.value)) return std::nullopt;
  return "expected " + expected_value(*word.rule) + " after it";
}

std::optional<std::string> why_ptxas_refused(std::string_view text) {
  if (text.size() == 3 && text.starts_with("-O") && text[2] >= '0' && text[2] <= '4') {
    return std::nullopt;
  }
  const auto why = why_value_refused(split_word(text, ptxas_rules));
  if (!why) return std::nullopt;
  return "ptxas: " + *why;
}

bool is_path(const OptionWord& word) {
  return word.rule != nullptr &&
         (word.rule->form == OptionForm::folder || word.rule->form == OptionForm::file);
}

/// An option for a message: cut to a reasonable length, without control characters.
std::string shown(std::string_view option) {
  constexpr std::size_t most = 60;
  std::string out(option.substr(0, most));
  std::replace_if(
      out.begin(), out.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 127; }, '?');
  return "option '" + out + (option.size() > most ? "...'" : "'");
}

std::string refusal_line(std::string_view option, const std::string& why) {
  return shown(option) + ": not allowed in a spec: " + why + "; see docs/spec.md";
}

/// Configurations with every value of each parameter in the option and the first value of others.
std::vector<Config> values_to_check(const KernelSpec& spec, const std::string& option) {
  std::vector<const Parameter*> named;
  Config first;
  for (const Parameter& param : spec.params) {
    if (option.find("{" + param.name + "}") == option.npos) continue;
    named.push_back(&param);
    first.set(param.name, param.values.front());
  }
  std::vector<Config> out = {first};
  for (const Parameter* param : named) {
    for (const std::int64_t value : param->values) {
      out.push_back(first);
      out.back().set(param->name, value);
    }
  }
  return out;
}

std::string replaced(std::string option, const Config& config) {
  for (const auto& [name, value] : config.entries()) {
    const std::string place = "{" + name + "}";
    for (std::size_t at = option.find(place); at != std::string::npos; at = option.find(place)) {
      option.replace(at, place.size(), value_text(value));
    }
  }
  return option;
}

class OptionReader {
 public:
  OptionReader(const SpecContext& context, const KernelSpec& spec)
      : m_context(context), m_spec(spec), m_folder(spec.file.parent_path()) {}

  std::vector<std::string> read(const TomlValue& list) {
    std::vector<std::string> options;
    for (std::size_t i = 0; i < list.items.size();) {
      m_context.attempt([&] { options.push_back(read_at(list, i)); });
    }
    return options;
  }

 private:
  /// Reads the option at `i`, which may have its value in the next item, and moves `i` behind it.
  std::string read_at(const TomlValue& list, std::size_t& i) const {
    const TomlValue& item = m_context.expect(list.items[i++], Kind::string, "an option");
    const OptionWord word = compiler_word(item.text);
    const bool lacks_value =
        word.rule != nullptr && word.rule->form != OptionForm::alone && !word.value;
    const TomlValue* value = nullptr;
    if (lacks_value && i < list.items.size()) {
      value = &m_context.expect(list.items[i++], Kind::string, "an option");
    }
    if (!is_path(word)) {
      check_names(item);
      if (value != nullptr) check_names(*value);
    }
    return read_one(item, value == nullptr ? item.text : joined(word, value->text));
  }

  [[noreturn]] void refuse(const TomlValue& item, std::string_view option,
                           const std::string& why) const {
    m_context.fail(item.place, refusal_line(option, why));
  }

  static std::string joined(const OptionWord& word, const std::string& value) {
    return std::string(word.name) + (word.name.size() == 2 ? "" : "=") + value;
  }

  [[nodiscard]] std::string read_one(const TomlValue& item, const std::string& text) const {
    const OptionWord word = compiler_word(text);
    if (is_path(word) && word.value) return joined(word, resolve(item, text, word));
    for (const Config& config : values_to_check(m_spec, text)) {
      const std::string expanded = replaced(text, config);
      if (const auto why = why_refused(expanded, m_spec.compiler)) refuse(item, expanded, *why);
    }
    check_macro(item, text);
    return text;
  }

  /// A parameter's macro has the parameter's value: another would be measured in its place.
  void check_macro(const TomlValue& item, const std::string& text) const {
    const OptionWord word = compiler_word(text);
    const bool undefines =
        word.rule != nullptr && word.rule->form == OptionForm::name && word.value;
    const auto name = undefines ? std::optional(std::string(*word.value)) : defined_macro(text);
    if (!name || m_spec.find_param(*name) == nullptr) return;
    if (!undefines && text.find('{' + *name + '}') != std::string::npos) return;
    m_context.fail(item.place, shown(text) + " takes the place of the parameter '" + *name +
                                   "'; expected the option without it, or -D" + *name + "={" +
                                   *name + "}");
  }

  /// {NAME} must be a parameter.
  void check_names(const TomlValue& item) const {
    const std::string& text = item.text;
    for (std::size_t open = text.find('{'); open != std::string::npos;
         open = text.find('{', open + 1)) {
      const std::size_t close = text.find('}', open);
      const std::string name = text.substr(open + 1, close - open - 1);
      if (close != std::string::npos && m_spec.find_param(name) != nullptr) continue;
      m_context.fail(item.place_in_text(open),
                     "'{" + name + "}' names no parameter; expected a parameter in braces");
    }
  }

  /// The path that the compiler gets: absolute, as the spec's folder is not the working directory.
  std::string resolve(const TomlValue& item, const std::string& text,
                      const OptionWord& word) const {
    if (const auto why = why_refused(text, m_spec.compiler)) refuse(item, text, *why);
    std::error_code error;
    const fs::path path = fs::absolute(m_folder / *word.value, error).lexically_normal();
    const bool folder = word.rule->form == OptionForm::folder;
    const bool found = folder ? fs::is_directory(path, error) : fs::is_regular_file(path, error);
    if (!found) {
      m_context.fail(item.place, shown(text) + ": there is no " + (folder ? "folder " : "file ") +
                                     path.string() +
                                     "; expected a path relative to the spec's folder");
    }
    if (!folder && !is_below(path, m_folder) && !is_below(path, m_spec.source.parent_path())) {
      refuse(item, text, "the file lies neither below the spec's folder nor below the source's");
    }
    return path.string();
  }

  /// Follows symbolic links.
  static bool is_below(const fs::path& file, const fs::path& folder) {
    std::error_code error;
    const fs::path real = fs::canonical(file, error);
    if (error) return false;
    const fs::path root = fs::canonical(folder.empty() ? "." : folder, error);
    if (error) return false;
    const auto [end, ignored] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    return end == root.end();
  }

  const SpecContext& m_context;
  const KernelSpec& m_spec;
  fs::path m_folder;
};

}  // namespace

std::optional<std::string> why_refused(std::string_view option, Compiler compiler) {
  const bool control = std::any_of(option.begin(), option.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 127;
  });
  if (control) return "it contains a control character";
  const OptionWord word = compiler_word(option);
  if (auto why = why_value_refused(word)) return why;
  const Takers other = compiler == Compiler::nvcc ? Takers::nvrtc : Takers::nvcc;
  if (word.rule->takers == other) {
    return compiler == Compiler::nvcc ? "nvcc has no such option"
                                      : "NVRTC has no such option (compiler = \"nvcc\" has)";
  }
  return word.rule->form == OptionForm::for_ptxas ? why_ptxas_refused(*word.value) : std::nullopt;
}

std::optional<std::string> defined_macro(std::string_view option) {
  const OptionWord word = compiler_word(option);
  if (word.rule == nullptr || word.rule->form != OptionForm::definition || !word.value) {
    return std::nullopt;
  }
  return std::string(word.value->substr(0, word.value->find_first_of("=(")));
}

std::optional<std::string> source_line(std::string_view option) {
  const OptionWord word = compiler_word(option);
  if (word.rule == nullptr || !word.value) return std::nullopt;
  const std::string value(*word.value);
  if (word.rule->form == OptionForm::name) return "#undef " + value;
  if (word.rule->form == OptionForm::file) return "#include \"" + value + '"';
  if (word.rule->form != OptionForm::definition) return std::nullopt;
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos) return "#define " + value + " 1";
  return "#define " + value.substr(0, equals) + ' ' + value.substr(equals + 1);
}

std::vector<std::string> read_compiler_options(const SpecContext& context, const TomlValue& list,
                                               const KernelSpec& spec) {
  return OptionReader(context, spec).read(list);
}

std::string expand_compiler_option(const KernelSpec& spec, const std::string& option,
                                   const Config& config) {
  if (is_path(compiler_word(option))) return option;
  std::string expanded = replaced(option, config);
  if (const auto why = why_refused(expanded, spec.compiler)) {
    throw UserError(ExitCode::usage, spec.file.string() + ": " + refusal_line(expanded, *why));
  }
  return expanded;
}

}  // namespace gtune
