#include "authoring/first_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include "model/plan.hpp"
#include "spec/functions.hpp"
#include "spec/reserved_names.hpp"

namespace gtune {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool has_word(const std::string& name, std::initializer_list<std::string_view> words) {
  const std::string in = upper(name);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return in.find(word) != std::string::npos; });
}

bool looks_like_block(const std::string& name) {
  return has_word(name, {"BLOCK", "THREAD", "NTHR", "TPB", "WORK_GROUP"}) &&
         !has_word(name, {"PER_THREAD"});
}

/// Of a name such as block_size_y: 1. The plain name is of x.
std::size_t dimension_of(const std::string& name) {
  const std::string in = upper(name);
  if (in.ends_with("Y")) return 1;
  return in.ends_with("Z") ? 2 : 0;
}

bool looks_like_size(const std::string& name) {
  static const std::set<std::string> usual = {"M", "N", "K", "L", "NX", "NY", "NZ"};
  return usual.contains(upper(name)) ||
         has_word(name, {"ROWS", "COLS", "WIDTH", "HEIGHT", "LENGTH", "COUNT", "ELEMENTS"});
}

/// The types of a spec for those of C++, and how many of them one is.
struct ElementOf {
  std::string type;
  int count = 1;
  bool is_known = true;
};

ElementOf element_of(const std::string& cpp) {
  static const std::map<std::string, std::string> types = {
      {"float", "f32"},        {"double", "f64"},
      {"__half", "f16"},       {"__nv_bfloat16", "bf16"},
      {"int", "i32"},          {"unsigned int", "u32"},
      {"long", "i64"},         {"unsigned long", "u64"},
      {"long long", "i64"},    {"unsigned long long", "u64"},
      {"short", "i16"},        {"unsigned short", "u16"},
      {"char", "i8"},          {"signed char", "i8"},
      {"unsigned char", "u8"}, {"bool", "u8"},
      {"__half2", "f16"},      {"__nv_bfloat162", "bf16"}};
  if (const auto found = types.find(cpp); found != types.end()) {
    return {found->second, cpp == "__half2" || cpp == "__nv_bfloat162" ? 2 : 1};
  }
  static const std::map<std::string, std::string> vectors = {
      {"float", "f32"}, {"double", "f64"}, {"int", "i32"},      {"uint", "u32"},
      {"short", "i16"}, {"ushort", "u16"}, {"char", "i8"},      {"uchar", "u8"},
      {"long", "i64"},  {"ulong", "u64"},  {"longlong", "i64"}, {"ulonglong", "u64"}};
  const char last = cpp.empty() ? ' ' : cpp.back();
  if (last >= '1' && last <= '4') {
    const auto found = vectors.find(cpp.substr(0, cpp.size() - 1));
    if (found != vectors.end()) return {found->second, last - '0'};
  }
  return {"u8", 1, false};
}

bool is_integer(const std::string& type) { return type.front() == 'i' || type.front() == 'u'; }

/// Gives names that a spec can have: sizes and parameters differ in more than case.
class Names {
 public:
  std::string take(const std::string& wanted) {
    std::string name = wanted.empty() ? "size" : wanted;
    const bool is_taken_by_gtune = is_reserved_option(name) || name.starts_with("dev_") ||
                                   name == "shared_bytes" || name == "threads_per_block" ||
                                   find_function(name) != nullptr;
    if (is_taken_by_gtune) name += "_size";
    const std::string begin = name;
    for (int i = 2; !m_taken.insert(upper(name)).second; ++i)
      name = begin + "_" + std::to_string(i);
    return name;
  }

 private:
  std::set<std::string> m_taken;
};

class FirstSpec {
 public:
  explicit FirstSpec(const KernelFacts& facts) : m_facts(facts) {
    for (const TemplateParameter& each : facts.kernel.template_parameters) {
      m_template.push_back(each.is_type ? "float"
                                        : add_param(each.name, each.default_value, each.is_bool,
                                                    "template parameter"));
    }
    for (const SettableMacro& macro : facts.macros) {
      if (macro.values.empty() && looks_like_size(macro.name)) {
        add_macro_size(macro);
      } else {
        const std::string name = add_param(macro.name, macro.value, false, "macro of the source");
        if (!macro.values.empty()) m_params.back().values = macro.values;
        if (name != macro.name) add_macro(macro.name, name);
      }
    }
    for (std::size_t i = 0; i < facts.types.size(); ++i) read_argument(i);
    if (m_sizes.empty()) m_sizes.push_back({m_names.take("n"), "elements", std::nullopt});
    if (m_params.empty()) (void)add_param("BLOCK", 256, false, "threads of a block");
  }

  [[nodiscard]] std::string text() const {
    return head() + kernel() + problem() + params() + launch() + arguments() + rest();
  }

 private:
  struct Size {
    std::string name;
    std::string help;
    std::optional<std::int64_t> value;
  };
  struct Param {
    std::string name;
    std::vector<std::int64_t> values;
    std::string what;
  };

  std::string add_param(const std::string& wanted, std::optional<std::int64_t> usual, bool is_bool,
                        const std::string& what) {
    std::string name = m_names.take(wanted);
    m_params.push_back({name, guessed_values(wanted, usual, is_bool), what});
    std::string& block = m_block.at(dimension_of(wanted));
    if (block.empty() && looks_like_block(wanted)) block = name;
    return name;
  }

  void add_macro_size(const SettableMacro& macro) {
    const std::string name = m_names.take(macro.name);
    m_sizes.push_back({name, "macro of the source", macro.value});
    add_macro(macro.name, name);
  }

  void add_macro(const std::string& macro, const std::string& value) {
    m_macros += fmt::format("{}{} = \"{}\"", m_macros.empty() ? "" : ", ", macro, value);
  }

  [[nodiscard]] std::string argument_name(std::size_t index) const {
    const auto& names = m_facts.kernel.argument_names;
    const bool has_one = names.size() == m_facts.types.size() && !names[index].empty();
    return has_one ? names[index] : "argument" + std::to_string(index + 1);
  }

  void read_argument(std::size_t index) {
    const ParameterType& type = m_facts.types[index];
    const ElementOf element = element_of(type.name);
    const bool is_size = !type.is_pointer && element.is_known && element.count == 1 &&
                         is_integer(element.type) && type.name != "bool";
    if (!is_size) return;
    const std::string name = argument_name(index);
    m_size_of[index] = m_names.take(name);
    m_sizes.push_back({m_size_of[index], "argument " + name, std::nullopt});
  }

  /// Elements of every buffer: at least as many as any index over all sizes reaches.
  [[nodiscard]] std::string product() const {
    std::string text;
    for (const Size& size : m_sizes) text += (text.empty() ? "" : " * ") + size.name;
    return text;
  }

  [[nodiscard]] std::string head() const {
    std::string text;
    if (!m_facts.schema.empty()) text += "#:schema " + m_facts.schema + "\n";
    return text +
           fmt::format(
               "# Written by `gtune init` from {}. Types are the compiler's. Lines with TODO are "
               "guesses or\n# for you to say; docs/spec.md describes every key. `gtune check` says "
               "what is wrong.\n\n",
               m_facts.source);
  }

  [[nodiscard]] std::string kernel() const {
    std::string entry = m_facts.kernel.name;
    for (std::size_t i = 0; i < m_template.size(); ++i) {
      entry += (i == 0 ? "<" : ",") + m_template[i];
    }
    if (!m_template.empty()) entry += ">";
    std::string text = fmt::format(
        "[kernel]\nhelp = \"\"  # TODO: what it computes, in a line\nsource = \"{}\"\nentry = "
        "\"{}\"\n",
        m_facts.source, entry);
    if (m_facts.compiler == Compiler::nvcc)
      text += "compiler = \"nvcc\"  # NVRTC refuses the source\n";
    if (!m_facts.options.empty()) {
      text += fmt::format("options = [\"{}\"]\n", fmt::join(m_facts.options, "\", \""));
    }
    if (!m_macros.empty()) text += "macros = { " + m_macros + " }\n";
    return text;
  }

  [[nodiscard]] std::string problem() const {
    constexpr std::array<std::int64_t, 4> defaults = {1048576, 1024, 256, 64};
    const std::int64_t usual = defaults[std::min(m_sizes.size(), defaults.size()) - 1];
    std::string text = "\n[problem]  # TODO: sizes that you tune for; each is an option, --";
    text += m_sizes.front().name + "\n";
    for (const Size& size : m_sizes) {
      text += fmt::format("{} = {{ default = {}, help = \"{}\" }}\n", size.name,
                          size.value.value_or(usual), size.help);
    }
    return text;
  }

  [[nodiscard]] std::string params() const {
    std::string text = "\n[params]  # TODO: values to try; every combination is a configuration\n";
    for (const Param& param : m_params) {
      text +=
          fmt::format("{} = [{}]  # {}\n", param.name, fmt::join(param.values, ", "), param.what);
    }
    return text +
           "\n[constraints]  # TODO: what must hold for a configuration to be tried\n"
           "# divides = \"" +
           m_sizes.front().name + " % " + m_params.front().name + " == 0\"\n";
  }

  [[nodiscard]] std::string launch() const {
    const std::string width = m_block[0].empty() ? "256" : m_block[0];
    std::string block = "\"" + width + "\"";
    if (!m_block[1].empty() || !m_block[2].empty()) {
      block += ", \"" + (m_block[1].empty() ? "1" : m_block[1]) + "\"";
    }
    if (!m_block[2].empty()) block += ", \"" + m_block[2] + "\"";
    std::string text = fmt::format(
        "\n[launch]  # TODO: the grid and the block that your program launches\ngrid = "
        "[\"ceil_div({}, {})\"]\nblock = [{}]\n",
        product(), width, block);
    if (m_facts.takes_shared_memory) {
      text += "shared = \"0\"  # TODO: bytes of dynamic shared memory, which the kernel has\n";
    }
    return text;
  }

  [[nodiscard]] std::string arguments() const {
    std::string text = "\n# In the order of the kernel's parameters.\n";
    for (std::size_t i = 0; i < m_facts.types.size(); ++i) text += argument(i);
    return text;
  }

  [[nodiscard]] std::string argument(std::size_t index) const {
    const ParameterType& type = m_facts.types[index];
    const ElementOf element = element_of(type.name);
    std::string text = fmt::format("[[args]]\nname = \"{}\"\n", argument_name(index));
    if (type.is_pointer) return text + buffer(type, element, argument_use_of(index));
    if (type.name == "CUtensorMap_st" || type.name == "CUtensorMap") {
      return text +
             "type = \"tensor_map\"\nof = \"\"      # TODO: a buffer among the arguments\n"
             "sizes = []  # TODO: elements, innermost first\nbox = []    # TODO: of one copy\n";
    }
    if (!element.is_known) {
      return text + fmt::format("type = \"struct\"\nmembers = []  # TODO: those of {}, in order\n",
                                type.name);
    }
    if (element.count > 1) return text + vector(element);
    text += fmt::format("type = \"{}\"\n", element.type);
    if (const auto size = m_size_of.find(index); size != m_size_of.end()) {
      return text + fmt::format("value = \"{}\"\n", size->second);
    }
    return text + (is_integer(element.type) ? "value = 0  # TODO\n" : "value = 1.0  # TODO\n");
  }

  /// Passed by value; one of two or four elements is aligned as a whole.
  [[nodiscard]] static std::string vector(const ElementOf& element) {
    const bool is_wide = element.count != 3;
    const std::size_t align =
        std::min<std::size_t>(size_of(element_type_from_string(element.type)) *
                                  static_cast<std::size_t>(is_wide ? element.count : 1),
                              16);
    std::string text = "type = \"struct\"\nmembers = [  # TODO: values\n";
    for (int i = 0; i < element.count; ++i) {
      text += fmt::format("  {{ type = \"{}\", value = 1{} }},\n", element.type,
                          i == 0 ? fmt::format(", align = {}", align) : "");
    }
    return text + "]\n";
  }

  /// Of a pointer; unknown where the text has other arguments than the compiler.
  [[nodiscard]] ArgumentUse argument_use_of(std::size_t index) const {
    const auto& uses = m_facts.kernel.argument_uses;
    return uses.size() == m_facts.types.size() ? uses[index] : ArgumentUse::unknown;
  }

  [[nodiscard]] std::string buffer(const ParameterType& type, const ElementOf& element,
                                   ArgumentUse use) const {
    const std::string times = element.count > 1 ? std::to_string(element.count) + " * " : "";
    std::string text = fmt::format("type = \"{}\"", element.type);
    if (!element.is_known) text += fmt::format("  # TODO: bytes of {}", type.name);
    text += fmt::format("\ncount = \"{}{}\"  # TODO: elements\n", times, product());
    if (type.points_to_const) {
      return text + "direction = \"in\"\n# fill = { uniform = [-1.0, 1.0] }\n";
    }
    if (use == ArgumentUse::only_read) return text + "direction = \"in\"  # TODO: not const\n";
    if (use == ArgumentUse::only_written) {
      return text + "direction = \"out\"  # TODO: \"inout\" if the kernel leaves elements out\n";
    }
    return text +
           "direction = \"inout\"  # TODO: \"out\" if the kernel writes all of it and reads "
           "nothing\n";
  }

  [[nodiscard]] std::string rest() const {
    std::string text = "\n[work]  # TODO: of one launch, for TFLOP/s and GB/s\n# flops = \"2 * " +
                       product() + "\"\n# bytes = \"8 * " + product() + "\"\n\n[check]\n";
    if (m_facts.reference.empty()) {
      text +=
          "# TODO: a simple kernel with the same parameters, in the source or a file of its own, "
          "so "
          "that\n# results are checked: { entry = \"reference\", grid = [...], block = [256] }\n"
          "reference = \"none\"\n";
    } else {
      text += fmt::format(
          "reference = {{ entry = \"{}\", grid = [\"ceil_div({}, 256)\"], block = [256] }}  # "
          "TODO: its launch\n",
          m_facts.reference, product());
    }
    return text + "rtol = 1e-5  # TODO: what your results need; integers are compared exactly\n";
  }

  const KernelFacts& m_facts;
  Names m_names;
  std::vector<Size> m_sizes;
  std::vector<Param> m_params;
  std::vector<std::string> m_template;           // arguments of the entry
  std::map<std::size_t, std::string> m_size_of;  // by argument
  std::string m_macros;
  std::array<std::string, 3> m_block;  // the parameters that seem to be the block's x, y and z
};

}  // namespace

std::string first_spec(const KernelFacts& facts) { return FirstSpec(facts).text(); }

std::string example_entry(const OutlinedKernel& kernel) {
  std::string arguments;
  for (const TemplateParameter& each : kernel.template_parameters) {
    const auto values = guessed_values(each.name, each.default_value, each.is_bool);
    arguments += arguments.empty() ? "" : ",";
    arguments += each.is_type ? "float" : std::to_string(values.front());
  }
  return kernel.name + (arguments.empty() ? "" : "<" + arguments + ">");
}

std::vector<std::int64_t> guessed_values(const std::string& name, std::optional<std::int64_t> usual,
                                         bool is_bool) {
  if (is_bool) return {0, 1};
  if (usual && *usual > 1 && *usual <= 1024 && (*usual & (*usual - 1)) == 0) {
    std::vector<std::int64_t> values = {*usual / 2, *usual};
    if (*usual < 1024) values.push_back(*usual * 2);
    return values;
  }
  if (usual) return {*usual};
  if (looks_like_block(name)) {
    const std::string in = upper(name);
    if (in.ends_with("X")) return {16, 32, 64};
    if (in.ends_with("Y")) return {4, 8, 16};
    if (in.ends_with("Z")) return {1, 2};
    return {64, 128, 256};
  }
  return {1, 2, 4};
}

}  // namespace gtune
