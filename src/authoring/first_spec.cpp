#include "authoring/first_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "authoring/argument_draft.hpp"
#include "authoring/argument_kind.hpp"
#include "authoring/cpp_types.hpp"
#include "authoring/declared_struct.hpp"
#include "authoring/default_sizes.hpp"
#include "authoring/draft_limits.hpp"
#include "authoring/enumerators.hpp"
#include "authoring/launch_draft.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/spec_draft.hpp"
#include "model/json.hpp"

namespace gtune {
namespace {

/// A basic string of TOML, which has the escapes of JSON.
std::string quoted(const std::string& text) { return json_text(text); }

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

/// A TOML list in which integers are bare and expressions are quoted.
std::string launch_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) {
    const bool is_integer = std::all_of(text.begin(), text.end(), [](char c) {
      return is_number({&c, 1});
    });
    list += (list.empty() ? "" : ", ") + (is_integer ? text : "\"" + text + "\"");
  }
  return "[" + list + "]";
}

/// `extern __shared__ float sums[];`
struct SharedArray {
  std::string name;
  ElementOf element;
};

std::optional<SharedArray> shared_array(const Tokens& body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (!stands_at(body, at, {"extern", "__shared__"})) continue;
    std::size_t end = at + 2;
    while (end < body.size() && body[end] != "[" && body[end] != ";") ++end;
    const ElementOf element = element_of(spelled_type(slice(body, at + 2, end - 1), {}).name);
    if (token_at(body, end) != "[" || !element.is_known) return std::nullopt;
    return SharedArray{body[end - 1], element};
  }
  return std::nullopt;
}

/// The kernel with the chosen types in place of its template's, and numbers for their sizes.
OutlinedKernel with_chosen_types(const KernelFacts& facts) {
  TemplateArguments types;
  const auto& parameters = facts.kernel.template_parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool is_type = parameters[i].is_type && !parameters[i].name.empty();
    if (is_type) types.emplace(parameters[i].name, source_tokens(facts.type_argument(i)));
  }
  OutlinedKernel kernel = facts.kernel;
  const Tokens typed = with_arguments(kernel.body, types);
  kernel.body.clear();
  for (std::size_t at = 0; at < typed.size(); ++at) {
    const bool is_size = stands_at(typed, at, {"sizeof", "("});
    const std::size_t end = is_size ? past_brackets(typed, at + 1) : at;
    const ElementOf element =
        element_of(is_size ? spelled_type(slice(typed, at + 2, end - 1), {}).name : "");
    if (!is_size || !element.is_known) {
      kernel.body.push_back(typed[at]);
      continue;
    }
    kernel.body.push_back(std::to_string(element.value_bytes()));
    at = end - 1;
  }
  return kernel;
}

std::vector<std::string> arrays_with_shared(const KernelFacts& facts, const Tokens& body) {
  std::vector<std::string> arrays = arrays_of(facts);
  if (const auto shared = shared_array(body)) arrays.push_back(shared->name);
  return arrays;
}

/// Of the elements of arguments and of shared memory; those of structs are left out.
ElementBytes element_bytes(const KernelFacts& facts, const Tokens& body) {
  ElementBytes bytes;
  if (const auto shared = shared_array(body)) {
    bytes.emplace(shared->name, shared->element.value_bytes());
  }
  for (std::size_t i = 0; i < facts.types.size(); ++i) {
    const ElementOf element = element_of(facts.types[i].name);
    if (facts.types[i].pointers == 0 || !element.is_known) continue;
    bytes.emplace(array_of_argument(facts, i), element.value_bytes());
  }
  return bytes;
}

/// Bytes of the source's structs and other names of types.
TypeBytes type_bytes(const KernelFacts& facts) {
  TypeBytes bytes;
  for (const auto& [name, unused] : facts.declared_types.structs) {
    const auto layout = lay_out_struct(name, facts.declared_types, facts.constants);
    if (layout) bytes.emplace(name, layout->bytes);
  }
  for (const auto& [name, meant] : facts.declared_types.aliases) {
    const SpelledType type = spelled_type(meant, facts.declared_types);
    const ElementOf element = element_of(type.name);
    if (type.pointers > 0 || !element.is_known) continue;
    bytes.emplace(name, element.value_bytes());
  }
  return bytes;
}

/// The launch chooses the block of a kernel whose functions ask for blockDim.
const IndexOutline& with_block_sizes(IndexOutline& indices, const Tokens& called) {
  for (std::size_t at = 0; at < called.size(); ++at) {
    if (!stands_at(called, at, {"blockDim", "."})) continue;
    const std::size_t axis = std::string_view("xyz").find(token_at(called, at + 2));
    if (axis < indices.axes.size()) indices.axes.at(axis).has_block_size = true;
  }
  return indices;
}

class FirstSpec {
 public:
  explicit FirstSpec(const KernelFacts& facts)
      : m_facts(facts),
        m_kernel(with_chosen_types(facts)),
        m_indices(outline_indices(m_kernel, arrays_with_shared(facts, m_kernel.body),
                                  element_bytes(facts, m_kernel.body), facts.called,
                                  type_bytes(facts))),
        m_draft(facts, with_block_sizes(m_indices, facts.called)),
        m_launch(draft_launch(facts, m_indices, m_draft)),
        m_arguments(facts, m_indices, m_draft) {
    m_draft.order_pitches();
    if (!m_draft.params().empty()) return;
    (void)m_draft.add_param("VARIANT", {0},
                            "TODO: the source has nothing to tune yet: add a macro (#ifndef) or a "
                            "template parameter");
  }

  [[nodiscard]] std::string text() const {
    return head() + kernel() + problem() + params() + launch() +
           "\n# In the order of the kernel's parameters.\n" + m_arguments.text() + work() + check();
  }

 private:
  [[nodiscard]] std::string head() const {
    std::string text;
    if (!m_facts.schema.empty()) text += "#:schema " + m_facts.schema + "\n";
    return text +
           fmt::format(
               "# Written by `gtune init` from {}. Types are the compiler's. Lines with TODO are "
               "guesses,\n# or values that you must supply. docs/spec.md describes every key; "
               "`gtune check` finds mistakes.\n\n",
               as_comment(m_facts.source));
  }

  [[nodiscard]] std::string kernel() const {
    std::string text = "[kernel]\n";
    if (!m_facts.kernel_name.empty()) {
      text += fmt::format("name = \"{}\"  # the file's name is not a valid kernel name\n",
                          m_facts.kernel_name);
    }
    text += fmt::format(
        "help = \"\"  # TODO: what it computes, in one line\nsource = {}\nentry = {}{}\n",
        quoted(m_facts.source), quoted(m_draft.entry()), remark_on_types());
    text += assumptions();
    if (m_facts.compiler == Compiler::nvcc) {
      text += fmt::format("compiler = \"nvcc\"  # NVRTC refuses the source: {}\n",
                          as_comment(m_facts.refusal));
    }
    std::vector<std::string> options = m_facts.options;
    options.insert(options.end(), m_draft.options().begin(), m_draft.options().end());
    if (!options.empty()) {
      text += "options = " + quoted_list(options);
      text += m_draft.options().empty() ? "\n" : "  # TODO: values of constants\n";
    }
    if (!m_draft.macros().empty()) {
      text += fmt::format("macros = {{ {} }}\n", fmt::join(m_draft.macros(), ", "));
    }
    return text;
  }

  /// Conditions of the preprocessor in the kernel's text that another build may decide otherwise.
  [[nodiscard]] std::string assumptions() const {
    if (m_facts.kernel.assumed.empty()) return "";
    std::string text = "# TODO: this draft assumes, of the conditions in the kernel's text:\n";
    for (const SourceCondition& each : m_facts.kernel.assumed) {
      text += fmt::format("#   line {}: {}: {}\n", each.line, as_comment(each.text),
                          each.verdict.holds ? "true" : "false");
    }
    return text;
  }

  /// Names the template's types that the source's launch does not show.
  [[nodiscard]] std::string remark_on_types() const {
    std::vector<std::string> guesses;
    const auto& parameters = m_facts.kernel.template_parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const bool is_guess = parameters[i].is_type && m_facts.launch.template_argument(i).empty();
      if (is_guess) guesses.push_back(parameters[i].name + " = " + m_facts.type_argument(i));
    }
    if (guesses.empty()) return "";
    return as_comment(fmt::format("  # TODO: guessed: {}", fmt::join(guesses, ", ")));
  }

  [[nodiscard]] std::string problem() const {
    const auto is_stride = [this](const DraftSize& size) {
      return looks_like_stride(size.name) && m_arguments.counts_by(size.name);
    };
    const std::vector<std::int64_t> defaults = default_sizes(
        m_draft, {m_launch.grid, shared_bytes(), m_arguments.dimensions(), is_stride});
    std::string text = fmt::format(
        "\n[problem]  # TODO: the sizes to tune for; each becomes an option, such as --{}\n",
        m_draft.sizes().front().name);
    for (std::size_t i = 0; i < defaults.size(); ++i) {
      const DraftSize& size = m_draft.sizes()[i];
      const std::vector<std::int64_t> only =
          size.is_fixed ? std::vector{defaults[i]} : size.choices;
      const std::string choices =
          only.empty() ? "" : fmt::format(", choices = [{}]", fmt::join(only, ", "));
      const auto of_pitch = m_draft.default_of_pitch(size);
      const std::string usual = of_pitch ? quoted(*of_pitch) : std::to_string(defaults[i]);
      text += fmt::format("{} = {{ default = {}{}, help = \"{}\" }}\n", size.name, usual, choices,
                          size.help);
    }
    return text;
  }

  [[nodiscard]] std::string params() const {
    std::string text = "\n[params]  # TODO: values to try; every combination is a configuration\n";
    for (const DraftParameter& param : m_draft.params()) {
      const std::string values = param.words.empty()
                                     ? fmt::format("[{}]", fmt::join(param.values, ", "))
                                     : quoted_list(param.words);
      text += fmt::format("{} = {}  # {}\n", param.name, values, param.what);
    }
    for (const auto& [name, value] : m_facts.fixed) {
      const bool is_of_device = name.find("WARP_SIZE") != std::string::npos;
      const bool is_tuned = meaning_of(name, value) == NameMeaning::tuned;
      if (!is_tuned || is_of_device || is_parameter(name)) continue;
      text += fmt::format(
          "# {0} is {1} in the source: to tune it, make it a macro there between "
          "#ifndef {0} and #endif\n",
          name, value);
    }
    return text + "\n[constraints]  # TODO: conditions that every configuration must meet\n" +
           constraint_example();
  }

  /// A size that must be a multiple of a parameter; empty if each parameter may be 0 or a word.
  [[nodiscard]] std::string constraint_example() const {
    for (const DraftParameter& param : m_draft.params()) {
      if (param.values.empty() || param.values.front() <= 0) continue;
      return fmt::format("# divides = \"{} % {} == 0\"\n", m_draft.extent(0), param.name);
    }
    return "";
  }

  [[nodiscard]] bool is_parameter(const std::string& name) const {
    return std::any_of(m_draft.params().begin(), m_draft.params().end(),
                       [&](const DraftParameter& one) { return one.name == name; });
  }

  [[nodiscard]] std::string launch() const {
    const char* comment = m_launch.is_from_source
                              ? "  # from the source's own launch"
                              : "  # TODO: the grid and the block that your program uses";
    // A cooperative grid has to be resident at once.
    const bool fills_device = is_cooperative() && m_launch.grid.size() == 1;
    const std::string grid =
        fills_device ? "[\"dev_sm_count * resident_blocks\"]  # TODO" : launch_list(m_launch.grid);
    std::string text = fmt::format("\n[launch]{}\ngrid = {}\nblock = {}\n", comment, grid,
                                   launch_list(m_launch.block));
    if (is_cooperative()) text += "cooperative = true  # blocks wait for each other\n";
    if (!m_facts.takes_shared_memory) return text;
    const std::string bytes = shared_bytes();
    std::string todo = m_launch.shared.empty() ? "  # TODO: bytes of dynamic shared memory" : "";
    if (bytes == "0" && !todo.empty()) todo += "; the kernel's indices do not show how many";
    return text + fmt::format("shared = \"{}\"{}\n", bytes, todo);
  }

  /// Whether the kernel synchronises its grid.
  [[nodiscard]] bool is_cooperative() const {
    const Tokens& body = m_facts.kernel.body;
    return m_facts.launch.is_cooperative ||
           std::any_of(body.begin(), body.end(), [](const std::string& token) {
             return token == "this_grid" || token == "grid_group";
           });
  }

  /// Those of the source's launch, or for as many elements as the kernel's indices reach, of which
  /// those that are understood have to do; "0" if none is.
  [[nodiscard]] std::string shared_bytes() const {
    if (!m_launch.shared.empty()) return m_launch.shared;
    const auto shared = shared_array(m_kernel.body);
    if (!shared) return "0";
    auto found = m_indices.elements.find(shared->name);
    if (found == m_indices.elements.end()) {
      found = m_indices.least_elements.find(shared->name);
      if (found == m_indices.least_elements.end()) return "0";
    }
    const auto elements = m_draft.translate(found->second);
    if (!elements) return "0";
    return times(shared->element.value_bytes(), *elements);
  }

  [[nodiscard]] std::string work() const {
    const std::string bytes = m_arguments.moved_bytes();
    std::string text = "\n[work]  # TODO: of one launch; gives TFLOP/s and GB/s\n# flops = \"2 * " +
                       m_draft.product() + "\"\n";
    if (!bytes.empty()) {
      text += "# bytes = \"" + bytes + "\"  # each buffer is read or written once\n";
    }
    return text + "\n[check]\n";
  }

  [[nodiscard]] std::string check() const {
    std::string text;
    if (m_facts.reference.name.empty()) {
      text +=
          "# TODO: name a simple kernel with the same parameters, in this source or another file, "
          "to check\n# results: { entry = \"reference\", grid = [...], block = [256] }\n"
          "reference = \"none\"\n";
    } else {
      const LaunchDraft launch = draft_reference_launch(m_facts, m_draft);
      text +=
          fmt::format("reference = {{ entry = \"{}\", grid = {}, block = {} }}{}\n",
                      m_facts.reference.name, launch_list(launch.grid), launch_list(launch.block),
                      launch.is_from_source ? "" : "  # TODO: its launch");
    }
    return text + "rtol = 1e-5  # TODO: the tolerance of your results; integers must be equal\n";
  }

  const KernelFacts& m_facts;
  OutlinedKernel m_kernel;  // see with_chosen_types()
  IndexOutline m_indices;
  SpecDraft m_draft;
  LaunchDraft m_launch;
  ArgumentDraft m_arguments;
};

}  // namespace

std::string KernelFacts::type_argument(std::size_t index) const {
  std::string of_host = launch.template_argument(index);
  if (!of_host.empty()) return of_host;
  return looks_like_integers(kernel.template_parameters[index].name) ? "int" : "float";
}

std::string first_spec(const KernelFacts& facts) { return FirstSpec(facts).text(); }

std::string example_entry(const KernelFacts& facts) {
  const OutlinedKernel& kernel = facts.kernel;
  std::string arguments;
  for (std::size_t i = 0; i < kernel.template_parameters.size(); ++i) {
    const TemplateParameter& each = kernel.template_parameters[i];
    const auto enumerators = enumerators_of(each, kernel, facts.declared_types);
    std::string argument =
        each.is_type ? facts.type_argument(i) : facts.launch.template_argument(i);
    if (argument.empty() && !enumerators.empty()) {
      argument = enumerators.front();
    } else if (argument.empty()) {
      argument = cast_to_type_of(each, kernel, facts.declared_types) +
                 std::to_string(first_value(each.name, each.default_value, each.is_bool));
    }
    arguments += (arguments.empty() ? "" : ",") + argument;
  }
  for (const std::string& argument : facts.pack_arguments) {
    arguments += (arguments.empty() ? "" : ",") + argument;
  }
  return kernel.name + (arguments.empty() ? "" : "<" + arguments + ">");
}

}  // namespace gtune
