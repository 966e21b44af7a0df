#include "export/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "answer/launch_work.hpp"
#include "embedded/expected_time.inc.hpp"
#include "embedded/header_choice.inc.hpp"
#include "embedded/header_functions.inc.hpp"
#include "embedded/header_support.inc.hpp"
#include "export/cpp_text.hpp"
#include "export/exported_launch.hpp"
#include "export/expression_steps.hpp"
#include "export/header_tables.hpp"
#include "spec/entry.hpp"

namespace gtune {
namespace {

/// The name of an integer type in C and C++.
const char* cpp_type(ElementType type) {
  switch (type) {
    case ElementType::i8:
      return "signed char";
    case ElementType::u8:
      return "unsigned char";
    case ElementType::i16:
      return "short";
    case ElementType::u16:
      return "unsigned short";
    case ElementType::i32:
      return "int";
    case ElementType::u32:
      return "unsigned";
    case ElementType::i64:
      return "long long";
    case ElementType::u64:
      return "unsigned long long";
    default:
      throw std::logic_error("not an integer");
  }
}

/// Writes the header of one kernel. The code that computes is one text for C and C++, in their
/// common subset and a few macros; C++ has it in a namespace `detail` and wraps what users call.
class HeaderWriter {
 public:
  HeaderWriter(const KernelSpec& spec, const Portfolio& portfolio, const HeaderFacts& facts,
               HeaderLanguage language)
      : m_spec(spec),
        m_portfolio(portfolio),
        m_facts(facts),
        m_cpp(language == HeaderLanguage::cpp),
        m_names(header_names(spec)) {
    for (const auto* names : {&m_names.sizes, &m_names.params}) {
      for (const std::string& name : *names) require_no_keyword(name);
    }
    for (const auto* names : {&m_spec.lets, &m_spec.macros}) {
      for (const NamedExpression& each : *names) require_no_keyword(each.name);
    }
  }

  std::string write() {
    head();
    types();
    count("variants", m_tables.variants.size());
    word_function();
    in_cpp("namespace detail {\n\n");
    support();
    table("configs", "Config", m_tables.variants);
    tuned_tables();
    problem_function();
    comparisons();
    size_function();
    valid_function();
    work_function();
    m_out += embedded::k_header_choice_inc;
    m_out += '\n';
    launch_function();
    number_functions();
    struct_functions();
    in_cpp("}  // namespace detail\n");
    if (m_cpp) {
      cpp_functions();
    } else {
      functions_of_c();
    }
    foot();
    return std::move(m_out);
  }

 private:
  using Lines = std::vector<std::string>;

  /// A kernel's name as users see it.
  [[nodiscard]] std::string named(const std::string& name) const {
    return m_cpp ? name : m_prefix + '_' + name;
  }

  void in_cpp(const std::string& text) {
    if (m_cpp) m_out += text;
  }

  template <typename... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    m_out += fmt::format(format, std::forward<Values>(values)...);
  }

  void head() {
    m_out += cpp_comment("Configurations of the kernel " + m_spec.name +
                         " that gtune measured, and how to choose among them.");
    for (const std::string& line : m_facts.provenance) m_out += cpp_comment(line);
    put("#ifndef {0}\n#define {0}\n\n", guard());
    if (m_cpp) {
      put("#ifdef __CUDACC__\n#define GTUNE_FN __host__ __device__ constexpr\n#else\n"
          "#define GTUNE_FN constexpr\n#endif\n#define GTUNE_CONST constexpr\n"
          "// Device code cannot read an array of the host's, nor share one between files.\n"
          "#if defined(__CUDA_ARCH__)\n#define GTUNE_TABLE [[maybe_unused]] static __device__ "
          "constexpr\n#elif defined(__CUDACC__)\n#define GTUNE_TABLE [[maybe_unused]] static "
          "constexpr\n#else\n#define GTUNE_TABLE inline constexpr\n#endif\n"
          "#define GTUNE_NAME(name) name\n"
          "#define GTUNE_CAST(type, value) static_cast<type>(value)\n\nnamespace {} {{\n\n",
          m_prefix);
    } else {
      put("// GTUNE_NAME(select) is {0}_select, and so on.\n#define GTUNE_FN static "
          "inline\n#define GTUNE_CONST static const\n#define GTUNE_TABLE static const\n"
          "#define GTUNE_NAME(name) {0}_##name\n"
          "#define GTUNE_CAST(type, value) ((type)(value))\n\n",
          m_prefix);
    }
    m_out +=
        "// A step of an expression, of which there are thousands: a call of each takes longer.\n"
        "#if defined(__GNUC__) && !defined(__CUDACC__)\n"
        "#define GTUNE_INLINE __attribute__((always_inline)) GTUNE_FN\n#else\n"
        "#define GTUNE_INLINE GTUNE_FN\n#endif\n\n";
    const auto digest = [&](const char* name, const std::string& value) {
      put("GTUNE_CONST char {}[] = {};\n", named(name), cpp_literal(value));
    };
    m_out += "/// Of the kernel's source with its includes, and of its spec.\n";
    digest("source_hash", m_facts.identity.source_hash);
    digest("spec_hash", m_facts.identity.spec_hash);
    m_out += "/// Of the variants and what each is chosen for.\n";
    digest("export_hash", portfolio_digest(m_portfolio));
    m_out += '\n';
  }

  void foot() {
    in_cpp("}  // namespace " + m_prefix + "\n\n");
    for (const char* macro : {"FN", "INLINE", "CONST", "TABLE", "NAME", "CAST"}) {
      put("#undef GTUNE_{}\n", macro);
    }
    put("#endif  // {}\n", guard());
  }

  [[nodiscard]] std::string guard() const { return m_prefix + (m_cpp ? "_hpp" : "_h"); }

  void structure(const char* what, const char* name, const std::string& fields) {
    put("/// {0}\ntypedef struct {1} {{\n{2}}} {1};\n\n", what, named(name), fields);
  }

  [[nodiscard]] std::string numbers(const Lines& names) const {
    std::string fields;
    for (const std::string& name : names) {
      fields += fmt::format("  long long {}{};\n", name, m_cpp ? " = 0" : "");
    }
    return fields;
  }

  void types() {
    structure("Sizes of a problem; problem() fills in those that follow from others.", "Problem",
              numbers(m_names.sizes));
    structure("Values of the kernel's parameters.", "Config", numbers(m_names.params));
    structure(
        "What is to be known of a device, as cudaGetDeviceProperties and cuDeviceGetAttribute\n"
        "/// tell it; `dev_cc` is 90 for 9.0.",
        "Device",
        fmt::format("  const char* name{};\n", m_cpp ? " = \"\"" : "") +
            numbers(m_names.device_facts));
    structure("Of a launch.", "Launch",
              "  unsigned grid[3];\n  unsigned block[3];\n  unsigned shared_bytes;\n");
    structure(
        "A place for config(); -1 where nothing is known that may be used.", "Selection",
        fmt::format("  int variant;\n  {} exact;  // tuned for this very problem and device\n",
                    m_cpp ? "bool" : "int"));
    for (const StructSpec* each : structs()) {
      std::string fields;
      for (std::size_t i = 0; i < each->members.size(); ++i) {
        fields += fmt::format("  {} value{};\n", cpp_type(each->members[i].type), i);
      }
      const std::string name = "Struct_" + each->name;
      structure(struct_comment, name.c_str(), fields);
    }
  }

  /// Code that all kernels share. Expected times come from the same text as in the program.
  void support() {
    if (!m_cpp) m_out += "#ifndef GTUNE_SUPPORT\n#define GTUNE_SUPPORT 4\n";
    m_out += embedded::k_header_support_inc;
    m_out += '\n';
    m_out += embedded::k_expected_time_inc;
    if (!m_cpp) {
      m_out +=
          "#elif GTUNE_SUPPORT + 0 != 4\n"
          "#error \"Headers of different versions of gtune: export them again with one version.\"\n"
          "#endif  // GTUNE_SUPPORT\n";
    }
    m_out += '\n';
  }

  void count(const char* name, std::size_t number) {
    put(fmt::runtime(m_cpp ? "constexpr int {} = {};\n\n" : "enum {{ {} = {} }};\n\n"), named(name),
        number);
  }

  void table(const char* name, const char* type, const Lines& rows) {
    put("GTUNE_TABLE {} {}[] = {{\n", named(type), named(name));
    for (const std::string& row : rows) put("    {{{}}},\n", row);
    if (rows.empty()) put("    {{{}}},  // never read\n", m_cpp ? "" : "0");
    m_out += "};\n\n";
  }

  /// Values that a spec spells as words are integers in all tables and functions.
  void word_function() {
    if (m_tables.words.empty()) return;
    put("/// The word that a parameter's value stands for; empty for the numbers.\n"
        "GTUNE_FN const char* {}(long long value) {{\n",
        named("word"));
    for (const auto& [value, word] : m_tables.words) {
      put("  if (value == {}) return {};\n", value, cpp_literal(word));
    }
    m_out += "  return \"\";\n}\n\n";
  }

  void tuned_tables() {
    count("device_count", m_tables.devices.size());
    table("devices", "Device", m_tables.devices);
    structure("A problem that was tuned.", "Tuned",
              "  int device;\n  int variant;\n  int replayed;\n  double milliseconds;\n  " +
                  named("Problem") + " problem;\n");
    count("tuned_count", m_tables.tuned.size());
    table("tuned", "Tuned", m_tables.tuned);
    m_out += "// Those after them are fallbacks.\n";
    count("tuned_variants", m_portfolio.tuned_variants);
    structure("What all measurements on a device, of one kind of problem, say.", "Model",
              "  int device;\n  " + named("Problem") + " kind;\n  struct gtune_axis axis[3];\n");
    count("model_count", m_tables.models.size());
    table("models", "Model", m_tables.models);
    structure(
        "Of a variant by a model: milliseconds that each part of its work takes, and blocks that\n"
        "/// an SM holds; 0 where nothing is known.",
        "Time", "  double ms[8];\n  long long resident;\n");
    table("times", "Time", m_tables.times);
    count("nodes", SizeGrid::most_nodes);
    structure("Of a variant by a model, by node of the grid over sizes: see gtune_factor.",
              "Factors", fmt::format("  short thousandths[{}];\n", SizeGrid::most_nodes));
    table("factors", "Factors", m_tables.factors);
    structure("A place among the variants.", "Contender", "  int variant;\n");
    m_out +=
        "// All variants; then those that come near the fastest somewhere in a cell of a grid.\n";
    table("contenders", "Contender", m_tables.contenders);
    structure("From where up to where the contenders of a cell are.", "Cell",
              "  int first;\n  int end;\n");
    m_out += "// By model, then by the node at which a cell begins.\n";
    table("cells", "Cell", m_tables.cells);
  }

  /// Prefixes keep the function's variables distinct, whatever the sizes are called.
  void problem_function() {
    std::string parameters;
    std::string values;
    for (const std::string& size : m_names.sizes) {
      parameters += fmt::format("{}long long given_{}", parameters.empty() ? "" : ", ", size);
      values += fmt::format("{}gtune_number(size_{})", values.empty() ? "" : ", ", size);
    }
    put("/// A problem from its sizes; those that are -1 follow from the others.\n"
        "GTUNE_FN {0} {1}({2}) {{\n",
        named("Problem"), named("problem"), parameters);
    ExpressionSteps steps(m_out, [&](std::size_t slot) { return "size_" + m_names.sizes[slot]; });
    for (const ProblemSize& size : m_spec.sizes) {
      const std::string value = steps.write(size.default_value);
      put("  const gtune_value size_{0} = given_{0} == -1 ? {1} : gtune_of(given_{0});\n",
          size.name, value);
    }
    put("  const {} all = {{{}}};\n  return all;\n}}\n\n", named("Problem"), values);
  }

  /// The beginning of a function over problem, configuration and device.
  void begin(const char* comment, const std::string& type, const std::string& function) {
    put("/// {}\nGTUNE_FN {} {}(const {}* problem, const {}* config,\n    const {}* device) {{\n",
        comment, type, named(function), named("Problem"), named("Config"), named("Device"));
  }

  void end(const std::string& result) {
    // Not every spec's expressions use all three.
    put("  (void)problem;\n  (void)config;\n  (void)device;\n  return {};\n}}\n\n", result);
  }

  [[nodiscard]] std::string slot_text(std::size_t slot) const {
    if (slot < m_names.sizes.size()) return "gtune_of(problem->" + m_names.sizes[slot] + ')';
    slot -= m_names.sizes.size();
    if (slot < m_names.params.size()) return "gtune_of(config->" + m_names.params[slot] + ')';
    return "gtune_of(device->" + m_names.device_facts[slot - m_names.params.size()] + ')';
  }

  [[nodiscard]] ExpressionSteps steps_over_slots() {
    return {m_out, [this](std::size_t slot) { return slot_text(slot); }};
  }

  void valid_function() {
    begin("Whether a configuration may be used.", "int", "valid");
    ExpressionSteps steps = steps_over_slots();
    const auto require = [&](const Expression& condition) {
      m_out += "  " + cpp_comment(condition.text());
      const std::string value = steps.write(condition);
      put("  if (!gtune_holds({})) return 0;\n", value);
    };
    for (const NamedExpression& constraint : m_spec.constraints) require(constraint.expression);
    for (const Expression& condition : m_spec.launch_conditions) require(condition);
    end("1");
  }

  /// The work from which the expected time of a launch follows; answer/launch_work.cpp computes the
  /// same.
  void work_function() {
    begin("What a launch has to do.", "struct gtune_work", "work");
    ExpressionSteps steps = steps_over_slots();
    m_out += "  gtune_value bytes = gtune_of(0);\n  gtune_value blocks = gtune_of(1);\n";
    for (const BufferSpec* buffer : moved_buffers(m_spec)) {
      const std::string count = steps.write(buffer->count);
      put("  bytes = gtune_add(bytes, gtune_multiply(gtune_of({}), {}));\n", size_of(buffer->type),
          count);
    }
    for (const Expression& dimension : *known_grid(m_spec)) {
      const std::string value = steps.write(dimension);
      put("  blocks = gtune_multiply(blocks, {});\n", value);
    }
    const std::string padded = m_spec.work.padded ? steps.write(*m_spec.work.padded) : "bytes";
    put("  const gtune_value padded = {};\n", padded);
    const std::string traffic =
        m_spec.work.traffic ? steps.write(*m_spec.work.traffic) : "gtune_of(0)";
    put("  const gtune_value traffic = {};\n", traffic);
    m_out +=
        "  const int ok = padded.ok && traffic.ok && blocks.ok && bytes.ok && padded.number > 0 "
        "&&\n"
        "                 traffic.number >= 0 && blocks.number > 0 && bytes.number >= 0;\n"
        "  const struct gtune_work work = {padded.number, traffic.number, blocks.number,\n"
        "                                  bytes.number, ok};\n";
    end("work");
  }

  /// A function of two structures, a and b.
  void comparison(const char* type, const char* function, const char* of, const std::string& body) {
    put("GTUNE_FN {0} {1}(const {2}* a, const {2}* b) {{\n  (void)a;\n  (void)b;\n{3}}}\n\n", type,
        named(function), named(of), body);
  }

  static std::string by_values(const Lines& names) {
    std::string body;
    for (const std::string& name : names) {
      body += fmt::format("  if (a->{0} != b->{0}) return a->{0} < b->{0};\n", name);
    }
    return body + "  return 0;\n";
  }

  void comparisons() {
    std::string same_kind = "  return 1";
    std::string same_problem = same_kind;
    for (const ProblemSize& size : m_spec.sizes) {
      const std::string same = fmt::format(" && a->{0} == b->{0}", size.name);
      if (!size.choices.empty()) same_kind += same;
      same_problem += same;
    }
    comparison("int", "same_kind", "Problem", same_kind + ";\n");
    comparison("int", "same_problem", "Problem", same_problem + ";\n");
    comparison("int", "comes_before", "Problem", by_values(m_names.sizes));
    comparison("int", "smaller", "Config", by_values(m_names.params));
  }

  void size_function() {
    put("/// A size by its position.\nGTUNE_FN long long {}(const {}* problem, int position) {{\n",
        named("size_at"), named("Problem"));
    for (std::size_t i = 0; i < m_names.sizes.size(); ++i) {
      put("  if (position == {}) return problem->{};\n", i, m_names.sizes[i]);
    }
    m_out += "  return 1;\n}\n\n";
  }

  void launch_function() {
    begin("Grid, block and dynamic shared memory (bytes) of a launch.", named("Launch"), "launch");
    ExpressionSteps steps = steps_over_slots();
    const auto number = [&](const Expression& expression) {
      return fmt::format("GTUNE_CAST(unsigned, gtune_number({}))", steps.write(expression));
    };
    const auto dimensions = [&](const std::vector<Expression>& all) {
      const auto each = [&](std::size_t i) { return i < all.size() ? number(all[i]) : "1"; };
      const std::string x = each(0), y = each(1), z = each(2);
      return fmt::format("{{{}, {}, {}}}", x, y, z);
    };
    const std::string grid = dimensions(m_launch.launch.grid);
    const std::string block = dimensions(m_launch.launch.block);
    const std::string shared_bytes = number(m_launch.launch.shared_bytes);
    put("  const {} launch = {{\n      {},\n      {},\n      {}}};\n", named("Launch"), grid, block,
        shared_bytes);
    end("launch");
  }

  /// The lets among the arguments of the kernel's template.
  [[nodiscard]] std::vector<const NamedExpression*> arguments() const {
    std::vector<const NamedExpression*> all;
    for (const std::string& name : template_arguments(m_launch.entry)) {
      if (const NamedExpression* let = m_spec.find_let(name)) all.push_back(let);
    }
    return all;
  }

  /// The buffers that a caller must provide beyond the kernel's inputs and outputs.
  [[nodiscard]] std::vector<NamedExpression> workspaces() const {
    std::vector<NamedExpression> all;
    for (const ArgumentSpec& argument : m_spec.args) {
      const auto* buffer = std::get_if<BufferSpec>(&argument);
      if (buffer == nullptr || buffer->direction != Direction::workspace) continue;
      all.push_back({buffer->name, buffer->count});
    }
    return all;
  }

  /// Arguments that are structs of integers, and so may follow from a configuration.
  [[nodiscard]] std::vector<const StructSpec*> structs() const {
    std::vector<const StructSpec*> all;
    for (const ArgumentSpec& argument : m_spec.args) {
      const auto* each = std::get_if<StructSpec>(&argument);
      const auto is_integer = [](const StructMemberSpec& member) {
        return !is_floating(member.type) && member.of.empty() && member.alignment == 0;
      };
      if (each != nullptr && std::ranges::all_of(each->members, is_integer)) all.push_back(each);
    }
    return all;
  }

  void struct_functions() {
    for (const StructSpec* each : structs()) {
      const std::string type = named("Struct_" + each->name);
      begin(struct_comment, type, "struct_" + each->name);
      ExpressionSteps steps = steps_over_slots();
      std::string values;
      for (const StructMemberSpec& member : each->members) {
        const std::string value = steps.write(member.value);
        values += fmt::format("{}\n      GTUNE_CAST({}, gtune_number({}))",
                              values.empty() ? "" : ",", cpp_type(member.type), value);
      }
      put("  const {} members = {{{}}};\n", type, values);
      end("members");
    }
  }

  void number_functions() {
    const auto number = [&](const char* comment, const char* prefix, const NamedExpression& each,
                            const char* no_value = "0") {
      begin(comment, "long long", prefix + each.name);
      const std::string value = steps_over_slots().write(each.expression);
      end(value + ".ok ? " + value + ".number : " + no_value);
    };
    for (const NamedExpression* let : arguments()) {
      number("An argument of the kernel's template that follows from the others.", "argument_",
             *let);
    }
    for (const NamedExpression& macro : m_spec.macros) {
      number("A macro that the kernel is to be compiled with.", "macro_", macro);
    }
    for (const NamedExpression& workspace : workspaces()) {
      number(workspace_comment, "workspace_", workspace, "-1");
    }
  }

  void functions_of_c() {
    put("/// A variant's values, by its place among them.\n"
        "static inline const {0}_Config* {0}_config(int variant) {{\n"
        "  return &{0}_configs[variant];\n}}\n\n"
        "/// The device of that name that was tuned; null where there is none.\n"
        "static inline const {0}_Device* {0}_known_device(const char* name) {{\n"
        "  const int found = {0}_find_device(name);\n"
        "  return found < 0 ? 0 : &{0}_devices[found];\n}}\n\n",
        m_prefix);
  }

  void cpp_functions() {
    std::string parameters;
    for (const std::string& size : m_names.sizes) {
      parameters += fmt::format("{1}long long {0}_{2}", size, parameters.empty() ? "" : ", ",
                                parameters.empty() ? "" : " = -1");
    }
    put("\n/// A problem from its sizes; those that are left out, or -1, follow from the others.\n"
        "GTUNE_FN Problem problem({}) {{\n  return detail::problem({}_);\n}}\n",
        parameters, fmt::join(m_names.sizes, "_, "));
    m_out += embedded::k_header_functions_inc;
    cpp_numbers("Template arguments of the kernel that follow from the others.",
                "template_arguments", "argument_", arguments());
    cpp_numbers("Macros that the kernel is to be compiled with, beside those of its parameters.",
                "macros", "macro_", pointers_to(m_spec.macros));
    for (const NamedExpression& workspace : workspaces()) {
      put("/// {0}\n", workspace_comment);
      cpp_function("long long", "workspace_" + workspace.name, "workspace_" + workspace.name);
    }
    for (const StructSpec* each : structs()) {
      put("/// {}\n", struct_comment);
      cpp_function("Struct_" + each->name, "struct_" + each->name, "struct_" + each->name);
    }
  }

  [[nodiscard]] static std::vector<const NamedExpression*> pointers_to(
      const std::vector<NamedExpression>& all) {
    std::vector<const NamedExpression*> pointers;
    for (const NamedExpression& each : all) pointers.push_back(&each);
    return pointers;
  }

  void cpp_numbers(const char* comment, const char* scope, const char* prefix,
                   const std::vector<const NamedExpression*>& all) {
    if (all.empty()) return;
    put("/// {}\nnamespace {} {{\n\n", comment, scope);
    for (const NamedExpression* each : all) {
      cpp_function("long long", each->name, prefix + each->name);
    }
    put("}}  // namespace {}\n\n", scope);
  }

  void cpp_function(const std::string& type, const std::string& name, const std::string& function) {
    put("GTUNE_FN {} {}(const Problem& problem, const Config& config,\n"
        "    const Device& device) {{\n"
        "  return detail::{}(&problem, &config, &device);\n}}\n\n",
        type, name, function);
  }

  static constexpr const char* workspace_comment =
      "Elements of a workspace, which must be zero before the first launch; -1 if the count has "
      "no\n"
      "/// value.";
  static constexpr const char* struct_comment =
      "An argument of the kernel, byte for byte as in its own type; a member without a value is 0.";

  const KernelSpec& m_spec;
  const Portfolio& m_portfolio;
  const HeaderFacts& m_facts;
  const KernelLaunchSpec& m_launch = exported_launch(m_spec);
  bool m_cpp;
  HeaderNames m_names;
  HeaderTables m_tables = header_tables(m_spec, m_names, m_portfolio);
  std::string m_prefix = "gtune_" + m_spec.name;
  std::string m_out;
};

}  // namespace

std::string header_text(const KernelSpec& spec, const Portfolio& portfolio,
                        const HeaderFacts& facts, HeaderLanguage language) {
  return HeaderWriter(spec, portfolio, facts, language).write();
}

std::string same_export_check(const KernelIdentity& identity, const Portfolio& portfolio) {
  return fmt::format(
      "static_assert(detail::gtune_same_name(source_hash, {}) != 0 &&\n"
      "                  detail::gtune_same_name(spec_hash, {}) != 0 &&\n"
      "                  detail::gtune_same_name(export_hash, {}) != 0,\n"
      "              \"the header and this file are of different exports\");",
      cpp_literal(identity.source_hash), cpp_literal(identity.spec_hash),
      cpp_literal(portfolio_digest(portfolio)));
}

}  // namespace gtune
