#include "export/c_header.hpp"

#include <fmt/format.h>

#include <string_view>

#include "embedded/c_nearest.inc.hpp"
#include "embedded/c_select.inc.hpp"
#include "embedded/c_support.inc.hpp"
#include "embedded/c_transfer.inc.hpp"
#include "embedded/octaves.inc.hpp"
#include "export/c_steps.hpp"
#include "export/cpp_text.hpp"
#include "export/header_tables.hpp"
#include "spec/entry.hpp"

namespace gtune {
namespace {

std::string with_replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), by);
    at += by.size();
  }
  return text;
}

/// What all kernels share. Distances come from the same text as those of the program.
std::string c_support() {
  std::string octaves(embedded::k_octaves_inc);
  octaves = with_replaced(octaves, "GTUNE_FN constexpr", "static inline");
  octaves = with_replaced(octaves, "static_cast<unsigned long long>", "(unsigned long long)");
  octaves = with_replaced(octaves, " octaves(", " gtune_octaves(");
  octaves = with_replaced(octaves, " squared_octaves(", " gtune_squared_octaves(");
  return with_replaced(std::string(embedded::k_c_support_inc), "GTUNE_OCTAVES\n", octaves);
}

/// Writes the header of one kernel. In its own texts KERNEL_ stands for the prefix of the names.
class CHeaderWriter {
 public:
  CHeaderWriter(const KernelSpec& spec, const Portfolio& portfolio, const HeaderFacts& facts)
      : m_spec(spec), m_portfolio(portfolio), m_facts(facts), m_names(header_names(spec)) {
    for (const auto* names : {&m_names.sizes, &m_names.params}) {
      for (const std::string& name : *names) require_no_c_keyword(name);
    }
  }

  std::string write() {
    head();
    types();
    tables();
    problem_function();
    comparisons();
    valid_function();
    m_out += named(embedded::k_c_nearest_inc);
    transfer_function();
    m_out += named(embedded::k_c_select_inc);
    launch_function();
    for (const std::string& name : template_arguments(m_spec.entry)) {
      const NamedExpression* let = m_spec.find_let(name);
      if (let != nullptr) let_function(*let);
    }
    put("#endif  // KERNEL_h\n");
    return std::move(m_out);
  }

 private:
  [[nodiscard]] std::string named(std::string_view text) const {
    return with_replaced(std::string(text), "KERNEL_", "gtune_" + m_spec.name + "_");
  }

  template <typename... Values>
  void put(std::string_view format, const Values&... values) {
    m_out += fmt::vformat(named(format), fmt::make_format_args(values...));
  }

  void head() {
    m_out += cpp_comment("Configurations of the kernel " + m_spec.name +
                         " that gtune measured, and how to choose among them.");
    for (const std::string& line : m_facts.provenance) m_out += cpp_comment(line);
    put("#ifndef KERNEL_h\n#define KERNEL_h\n\n");
    m_out += c_support();
    put("\n/// Of the kernel's source with its includes, and of its spec.\n"
        "static const char KERNEL_source_hash[] = {};\n"
        "static const char KERNEL_spec_hash[] = {};\n"
        "/// Of the variants and what each is chosen for.\n"
        "static const char KERNEL_export_hash[] = {};\n\n",
        cpp_literal(m_facts.identity.source_hash), cpp_literal(m_facts.identity.spec_hash),
        cpp_literal(portfolio_digest(m_portfolio)));
  }

  void structure(const char* what, const char* name, const std::string& fields) {
    put(what);
    put("typedef struct KERNEL_{0} {{\n{1}}} KERNEL_{0};\n\n", name, fields);
  }

  [[nodiscard]] static std::string numbers(const std::vector<std::string>& names) {
    std::string fields;
    for (const std::string& name : names) fields += fmt::format("  long long {};\n", name);
    return fields;
  }

  void types() {
    structure("/// Sizes of a problem; KERNEL_problem fills in those that follow from others.\n",
              "Problem", numbers(m_names.sizes));
    structure("/// Values of the kernel's parameters.\n", "Config", numbers(m_names.params));
    structure(
        "/// What is to be known of a device, as cuDeviceGetAttribute tells it; `dev_cc` is 90 for "
        "9.0.\n",
        "Device", "  const char* name;\n" + numbers(m_names.device_facts));
    structure("/// For cuLaunchKernel.\n", "Launch",
              "  unsigned grid[3];\n  unsigned block[3];\n  unsigned shared_bytes;\n");
    structure("/// A place for KERNEL_config; -1 where nothing is known that may be used.\n",
              "Selection",
              "  int variant;\n  int exact;  // tuned for this very problem and device\n");
    structure("/// A problem that was tuned, or a fallback.\n", "Tuned",
              "  int device;\n  int variant;\n  int replayed;\n  double milliseconds;\n" +
                  named("  KERNEL_Problem problem;\n"));
  }

  void table(const char* function, const char* type, const std::vector<std::string>& rows) {
    put("static inline const KERNEL_{1}* KERNEL_{0}(int index) {{\n"
        "  static const KERNEL_{1} all[] = {{\n",
        function, type);
    for (const std::string& row : rows) m_out += fmt::format("      {{{}}},\n", row);
    m_out += "  };\n  return &all[index];\n}\n\n";
  }

  void tables() {
    const HeaderTables all = header_tables(m_names, m_portfolio);
    put("enum {{\n  KERNEL_variants = {},\n  KERNEL_tuned_count = {},\n"
        "  KERNEL_with_fallbacks = {}  // what no tuned problem's variant is valid for\n}};\n\n",
        all.variants.size(), all.tuned_count, all.tuned.size());
    table("config", "Config", all.variants);
    table("tuned_device", "Device", all.devices);
    table("tuned", "Tuned", all.tuned);
    if (all.times.empty()) return;
    put("enum {{ KERNEL_timed_variants = {} }};\n\n", all.timed_variants);
    structure("/// Of a tuned problem, milliseconds of each variant; 0: not known.\n", "Times",
              fmt::format("  double ms[{}];\n", all.timed_variants));
    table("times", "Times", all.times);
  }

  /// The prefixes keep its variables apart, whatever the sizes are called.
  void problem_function() {
    std::string parameters;
    for (const std::string& size : m_names.sizes) {
      parameters += fmt::format("{}long long given_{}", parameters.empty() ? "" : ", ", size);
    }
    put("/// A problem from its sizes; those that are -1 follow from the others.\n"
        "static inline KERNEL_Problem KERNEL_problem({}) {{\n  KERNEL_Problem problem;\n",
        parameters);
    CSteps steps(m_out, [&](std::size_t slot) { return "size_" + m_names.sizes[slot]; });
    for (const ProblemSize& size : m_spec.sizes) {
      const std::string value = steps.write(size.default_value);
      m_out += fmt::format(
          "  const gtune_value size_{0} = given_{0} == -1 ? {1} : gtune_of(given_{0});\n",
          size.name, value);
    }
    for (const std::string& size : m_names.sizes) {
      m_out += fmt::format("  problem.{0} = size_{0}.number;\n", size);
    }
    m_out += "  return problem;\n}\n\n";
  }

  /// The beginning of a function over problem, configuration and device.
  void begin(const char* comment, const char* type, const std::string& function) {
    put("/// {}\nstatic inline {} KERNEL_{}(const KERNEL_Problem* problem,\n"
        "    const KERNEL_Config* config, const KERNEL_Device* device) {{\n",
        comment, named(type), function);
  }

  void end(const std::string& result) {
    // Not every spec's expressions depend on all of them.
    m_out += "  (void)problem;\n  (void)config;\n  (void)device;\n  return " + result + ";\n}\n\n";
  }

  [[nodiscard]] std::string slot_text(std::size_t slot) const {
    if (slot < m_names.sizes.size()) return "gtune_of(problem->" + m_names.sizes[slot] + ')';
    slot -= m_names.sizes.size();
    if (slot < m_names.params.size()) return "gtune_of(config->" + m_names.params[slot] + ')';
    return "gtune_of(device->" + m_names.device_facts[slot - m_names.params.size()] + ')';
  }

  [[nodiscard]] CSteps steps_over_slots() {
    return {m_out, [this](std::size_t slot) { return slot_text(slot); }};
  }

  void valid_function() {
    begin("Whether a configuration may be used.", "int", "valid");
    CSteps steps = steps_over_slots();
    const auto require = [&](const Expression& condition) {
      m_out += "  " + cpp_comment(condition.text());
      const std::string value = steps.write(condition);
      m_out += fmt::format("  if (!gtune_holds({})) return 0;\n", value);
    };
    for (const NamedExpression& constraint : m_spec.constraints) require(constraint.expression);
    for (const Expression& condition : m_spec.launch_conditions) require(condition);
    end("1");
  }

  /// Which of the variants, where sizes were not tuned.
  void transfer_function() {
    if (m_portfolio.times.empty()) {
      put("static inline int KERNEL_transferred(int found, const KERNEL_Problem* wanted,\n"
          "                                     const KERNEL_Device* on) {{\n"
          "  (void)wanted;\n  (void)on;\n  return KERNEL_tuned(found)->variant;\n}}\n\n");
      return;
    }
    begin("Padded work of a launch.", "gtune_value", "padded");
    const std::string work = steps_over_slots().write(*m_spec.work.padded);
    end(work);
    put("static inline int KERNEL_smaller(const KERNEL_Config* a, const KERNEL_Config* b) {{\n");
    for (const std::string& name : m_names.params) {
      m_out += fmt::format("  if (a->{0} != b->{0}) return a->{0} < b->{0};\n", name);
    }
    m_out += "  return 0;\n}\n\n";
    m_out += named(embedded::k_c_transfer_inc);
  }

  void launch_function() {
    begin("Grid, block and dynamic shared memory (bytes) of a launch.", "KERNEL_Launch", "launch");
    put("  KERNEL_Launch launch;\n");
    CSteps steps = steps_over_slots();
    const auto set = [&](const std::string& field, const Expression& expression) {
      const std::string value = steps.write(expression);
      m_out += fmt::format("  launch.{} = (unsigned){}.number;\n", field, value);
    };
    const auto set_dimensions = [&](const char* field, const std::vector<Expression>& dimensions) {
      for (std::size_t i = 0; i < 3; ++i) {
        set(fmt::format("{}[{}]", field, i),
            i < dimensions.size() ? dimensions[i] : Expression(std::int64_t{1}));
      }
    };
    set_dimensions("grid", m_spec.launch.grid);
    set_dimensions("block", m_spec.launch.block);
    set("shared_bytes", m_spec.launch.shared_bytes);
    end("launch");
  }

  /// A let that the kernel's template takes.
  void let_function(const NamedExpression& let) {
    begin("An argument of the kernel's template that follows from the others.", "long long",
          "argument_" + let.name);
    const std::string value = steps_over_slots().write(let.expression);
    end(value + ".number");
  }

  /// A function of two problems, a and b.
  void comparison(const char* type, const char* function, const std::string& result) {
    put("static inline {} KERNEL_{}(const KERNEL_Problem* a, const KERNEL_Problem* b) {{\n"
        "  (void)a;\n  (void)b;\n  return {};\n}}\n\n",
        type, function, result);
  }

  void comparisons() {
    std::string same_kind = "1";
    std::string same_problem = "1";
    std::string distance = "0";
    for (const ProblemSize& size : m_spec.sizes) {
      const std::string same = fmt::format(" && a->{0} == b->{0}", size.name);
      if (!size.choices.empty()) same_kind += same;
      same_problem += same;
      distance += fmt::format(" + gtune_squared_octaves(a->{0}, b->{0})", size.name);
    }
    comparison("int", "same_kind", same_kind);
    comparison("int", "same_problem", same_problem);
    comparison("long long", "distance", distance);
  }

  const KernelSpec& m_spec;
  const Portfolio& m_portfolio;
  const HeaderFacts& m_facts;
  HeaderNames m_names;
  std::string m_out;
};

}  // namespace

std::string c_header_text(const KernelSpec& spec, const Portfolio& portfolio,
                          const HeaderFacts& facts) {
  return CHeaderWriter(spec, portfolio, facts).write();
}

}  // namespace gtune
