#include "export/header.hpp"

#include <fmt/format.h>

#include "embedded/header_nearest.inc.hpp"
#include "embedded/header_support.inc.hpp"
#include "embedded/header_transfer.inc.hpp"
#include "embedded/octaves.inc.hpp"
#include "export/cpp_text.hpp"
#include "export/header_tables.hpp"
#include "spec/entry.hpp"

namespace gtune {
namespace {

/// Writes the header of one kernel.
class HeaderWriter {
 public:
  HeaderWriter(const KernelSpec& spec, const Portfolio& portfolio, const HeaderFacts& facts)
      : m_spec(spec), m_portfolio(portfolio), m_facts(facts), m_names(header_names(spec)) {
    for (const auto* names : {&m_names.sizes, &m_names.params}) {
      for (const std::string& name : *names) require_no_keyword(name);
    }
    for (const NamedExpression& let : spec.lets) require_no_keyword(let.name);
    for (const NamedExpression& macro : spec.macros) require_no_keyword(macro.name);
  }

  std::string write() {
    head();
    types();
    m_out += "\nnamespace detail {\n\n";
    m_out += embedded::k_header_support_inc;
    m_out += '\n';
    m_out += embedded::k_octaves_inc;
    m_out += "\n}  // namespace detail\n\n";
    tables();
    problem_function();
    m_out += "namespace detail {\n\n";
    lets();
    comparisons();
    m_out += embedded::k_header_nearest_inc;
    transfer_function();
    m_out += "}  // namespace detail\n\n";
    select_functions();
    launch_function();
    m_out +=
        "/// Template arguments of the kernel that follow from the others.\n"
        "namespace template_arguments {\n\n";
    for (const std::string& name : template_arguments(m_spec.entry)) {
      if (m_spec.find_let(name) != nullptr) let_function(name);
    }
    m_out += "}  // namespace template_arguments\n\n";
    macros();
    m_out += fmt::format("}}  // namespace {}\n\n", name_space());
    m_out +=
        "#if defined(__clang__)\n#pragma clang diagnostic pop\n#elif defined(__GNUC__)\n"
        "#pragma GCC diagnostic pop\n#endif\n#undef GTUNE_FN\n";
    return std::move(m_out);
  }

 private:
  [[nodiscard]] std::string name_space() const { return "gtune_" + m_spec.name; }

  void head() {
    m_out += cpp_comment("Configurations of the kernel " + m_spec.name +
                         " that gtune measured, and how to choose among them.");
    for (const std::string& line : m_facts.provenance) m_out += cpp_comment(line);
    m_out += "#pragma once\n\n";
    m_out += "#ifdef __CUDACC__\n#define GTUNE_FN __host__ __device__\n#else\n#define GTUNE_FN\n";
    m_out += "#endif\n\n";
    // A spec's expressions are written as they are.
    m_out +=
        "#if defined(__clang__)\n#pragma clang diagnostic push\n"
        "#pragma clang diagnostic ignored \"-Wlogical-op-parentheses\"\n"
        "#elif defined(__GNUC__)\n#pragma GCC diagnostic push\n"
        "#pragma GCC diagnostic ignored \"-Wparentheses\"\n#endif\n\n";
    m_out += fmt::format("namespace {} {{\n\n", name_space());
    m_out += "/// Of the kernel's source with its includes, and of its spec.\n";
    m_out += fmt::format("constexpr char source_hash[] = {};\n",
                         cpp_literal(m_facts.identity.source_hash));
    m_out +=
        fmt::format("constexpr char spec_hash[] = {};\n", cpp_literal(m_facts.identity.spec_hash));
    m_out += "/// Of the variants and what each is chosen for.\n";
    m_out += fmt::format("constexpr char export_hash[] = {};\n\n",
                         cpp_literal(portfolio_digest(m_portfolio)));
  }

  void structure(const char* what, const char* name, const std::vector<std::string>& fields,
                 const char* first = "") {
    m_out += fmt::format("/// {}\nstruct {} {{\n{}", what, name, first);
    for (const std::string& field : fields) m_out += fmt::format("  long long {} = 0;\n", field);
    m_out += "};\n\n";
  }

  void types() {
    structure("Sizes of a problem; problem() fills in those that follow from others.", "Problem",
              m_names.sizes);
    structure("Values of the kernel's parameters.", "Config", m_names.params);
    structure(
        "What is to be known of a device, as cudaGetDeviceProperties tells it; `dev_cc` is "
        "90 for 9.0.",
        "Device", m_names.device_facts, "  const char* name = \"\";\n");
    m_out +=
        "struct Launch {\n  unsigned grid[3];\n  unsigned block[3];\n  unsigned "
        "shared_bytes;\n};\n\n";
    m_out +=
        "/// A place in `config()`; -1 where nothing is known that may be used.\n"
        "struct Selection {\n  int variant;\n  bool exact;  // tuned for this very problem "
        "and device\n};\n";
  }

  /// `declaration`: of a function with one parameter, `index`, that gives an element of a table.
  /// The table is inside, for device code cannot index one at namespace scope.
  void table(const std::string& declaration, const char* type,
             const std::vector<std::string>& rows) {
    m_out +=
        fmt::format("GTUNE_FN constexpr {} {{\n  constexpr {} all[] = {{\n", declaration, type);
    for (const std::string& row : rows) m_out += fmt::format("      {{{}}},\n", row);
    m_out += "  };\n  return all[index];\n}\n\n";
  }

  void tables() {
    const HeaderTables all = header_tables(m_names, m_portfolio);
    m_out += fmt::format("constexpr int variants = {};\n\n", all.variants.size());
    table("Config config(int index)", "Config", all.variants);
    m_out += "namespace detail {\n\n";
    table("Device tuned_device(int index)", "Device", all.devices);
    m_out +=
        "struct Tuned {\n  int device;\n  int variant;\n  int replayed;\n  double "
        "milliseconds;\n  Problem problem;\n};\n\n";
    m_out += fmt::format(
        "constexpr int tuned_count = {};\n"
        "constexpr int with_fallbacks = {};  // what no tuned problem's variant is valid for\n\n",
        all.tuned_count, all.tuned.size());
    table("Tuned tuned(int index)", "Tuned", all.tuned);
    if (!all.times.empty()) {
      m_out += fmt::format(
          "/// Of a tuned problem, milliseconds of each variant; 0: not known.\n"
          "constexpr int timed_variants = {0};\nstruct Times {{\n  double ms[{0}];\n}};\n\n",
          all.timed_variants);
      table("Times times(int index)", "Times", all.times);
    }
    m_out += "}  // namespace detail\n\n";
  }

  /// Sizes that are not given are -1 and take their defaults.
  void problem_function() {
    std::string parameters;
    for (const std::string& size : m_names.sizes) {
      parameters +=
          parameters.empty() ? "long long " + size + "_" : ", long long " + size + "_ = -1";
    }
    m_out +=
        "/// A problem from its sizes; those that are left out, or -1, follow from the others.\n";
    m_out += fmt::format("GTUNE_FN constexpr Problem problem({}) {{\n  using namespace detail;\n",
                         parameters);
    for (const ProblemSize& size : m_spec.sizes) {
      m_out += fmt::format("  const Value {0} = {0}_ == -1 ? Value({1}) : Value({0}_);\n",
                           size.name, size.default_value.text());
    }
    m_out += "  return {";
    for (std::size_t i = 0; i < m_names.sizes.size(); ++i) {
      m_out += fmt::format("{}{}.number", i == 0 ? "" : ", ", m_names.sizes[i]);
    }
    m_out += "};\n}\n\n";
  }

  /// Names of sizes, parameters and device facts, and the lets that depend on them.
  void lets() {
    m_out += "/// Every name that the spec's expressions use.\nstruct Names {\n";
    for (const auto* names : {&m_names.sizes, &m_names.params, &m_names.device_facts}) {
      for (const std::string& name : *names) m_out += fmt::format("  Value {};\n", name);
    }
    for (const NamedExpression& let : m_spec.lets) m_out += fmt::format("  Value {};\n", let.name);
    m_out += "  Value shared_bytes;\n  Value threads_per_block;\n\n";
    m_out +=
        "  GTUNE_FN constexpr Names(const Problem& problem_, const Config& config_, const Device& "
        "device_)\n";
    std::string initial;
    const auto take = [&](const std::vector<std::string>& names, const char* from) {
      for (const std::string& name : names) {
        initial += fmt::format("{}{}({}.{})", initial.empty() ? "      : " : ",\n        ", name,
                               from, name);
      }
    };
    take(m_names.sizes, "problem_");
    take(m_names.params, "config_");
    take(m_names.device_facts, "device_");
    for (const NamedExpression& let : m_spec.lets) {
      initial += fmt::format(",\n        {}({})", let.name, let.expression.text());
    }
    initial += fmt::format(",\n        shared_bytes({})", m_spec.launch.shared_bytes.text());
    std::string threads;
    for (const Expression& dimension : m_spec.launch.block) {
      threads += fmt::format("{}Value({})", threads.empty() ? "" : " * ", dimension.text());
    }
    initial += fmt::format(",\n        threads_per_block({}) {{}}\n", threads);
    m_out += initial;
    m_out += "\n  GTUNE_FN constexpr bool valid_() const {\n";
    for (const NamedExpression& constraint : m_spec.constraints) {
      m_out +=
          fmt::format("    if (!bool(Value({}))) return false;\n", constraint.expression.text());
    }
    for (const Expression& condition : m_spec.launch_conditions) {
      m_out += fmt::format("    if (!bool(Value({}))) return false;\n", condition.text());
    }
    m_out += "    return true;\n  }\n\n";
    if (m_spec.work.padded) {
      m_out += fmt::format("  GTUNE_FN constexpr Value padded_() const {{ return {}; }}\n\n",
                           m_spec.work.padded->text());
    }
    for (const NamedExpression& macro : m_spec.macros) {
      m_out += fmt::format("  GTUNE_FN constexpr Value macro_{}_() const {{ return {}; }}\n\n",
                           macro.name, macro.expression.text());
    }
    m_out += "  GTUNE_FN constexpr Launch launch_() const {\n    return {{";
    dimensions(m_spec.launch.grid);
    m_out += "},\n            {";
    dimensions(m_spec.launch.block);
    m_out += "},\n            static_cast<unsigned>(shared_bytes.number)};\n  }\n};\n\n";
  }

  void dimensions(const std::vector<Expression>& expressions) {
    for (std::size_t i = 0; i < 3; ++i) {
      m_out += i == 0 ? "" : ", ";
      m_out += i < expressions.size()
                   ? fmt::format("static_cast<unsigned>(Value({}).number)", expressions[i].text())
                   : "1u";
    }
  }

  void comparisons() {
    m_out +=
        "GTUNE_FN constexpr bool same_kind([[maybe_unused]] const Problem& a,\n"
        "                                 [[maybe_unused]] const Problem& b) {\n  return true";
    for (const ProblemSize& size : m_spec.sizes) {
      if (!size.choices.empty()) m_out += fmt::format(" && a.{0} == b.{0}", size.name);
    }
    m_out +=
        ";\n}\n\nGTUNE_FN constexpr bool same_problem(const Problem& a, const Problem& b) {\n"
        "  return true";
    for (const std::string& size : m_names.sizes) m_out += fmt::format(" && a.{0} == b.{0}", size);
    m_out +=
        ";\n}\n\nGTUNE_FN constexpr long long distance(const Problem& a, const Problem& b) {\n"
        "  return 0";
    for (const std::string& size : m_names.sizes) {
      m_out += fmt::format(" + squared_octaves(a.{0}, b.{0})", size);
    }
    m_out += ";\n}\n\n";
  }

  /// Which of the variants, where sizes were not tuned.
  void transfer_function() {
    if (m_portfolio.times.empty()) {
      m_out +=
          "GTUNE_FN constexpr int transferred(int found, const Problem&, const Device*) {\n"
          "  return tuned(found).variant;\n}\n\n";
      return;
    }
    m_out += "GTUNE_FN constexpr bool smaller(const Config& a, const Config& b) {\n";
    for (const std::string& name : m_names.params) {
      m_out += fmt::format("  if (a.{0} != b.{0}) return a.{0} < b.{0};\n", name);
    }
    m_out += "  return false;\n}\n\n";
    m_out += embedded::k_header_transfer_inc;
  }

  void select_functions() {
    m_out += R"(/// The device of that name that was tuned; one without a name where there is none.
GTUNE_FN constexpr Device known_device(const char* name) {
  for (int i = 0; i < detail::tuned_count; ++i) {
    const Device device = detail::tuned_device(detail::tuned(i).device);
    if (detail::same_name(device.name, name)) return device;
  }
  return {};
}

/// As gtune query chooses: of the device of this name the nearest size whose variant may be used;
/// else a fallback that was measured on it; else the same of the nearest compute capability. Of
/// another size the variant whose time there, times the growth of its padded work, is the least.
/// -1 where all have a constraint that excludes the problem. Distances are Euclidean over the
/// sizes' logarithms.
GTUNE_FN constexpr Selection select(const Device& device, const Problem& wanted) {
  int found = detail::nearest(wanted, device.name, 0, 0, nullptr);
  const bool same = found >= 0;
  const Device* on = nullptr;
  for (long long step = 0; found < 0 && step < 256; ++step) {
    // A device of the same compute capability: where the tuned one can, this one can.
    on = step == 0 ? nullptr : &device;
    found = detail::nearest(wanted, nullptr, device.dev_cc, step, on);
  }
  if (found < 0) return {-1, false};
  return {detail::transferred(found, wanted, on),
          same && found < detail::tuned_count &&
              detail::same_problem(detail::tuned(found).problem, wanted)};
}

)";
  }

  void launch_function() {
    m_out += R"(/// Grid, block and dynamic shared memory (bytes) of a launch.
GTUNE_FN constexpr Launch launch(const Problem& problem, const Config& config, const Device& device) {
  return detail::Names(problem, config, device).launch_();
}

)";
  }

  /// A let that the kernel's template takes.
  void let_function(const std::string& name) { number_function(name, name); }

  void macros() {
    if (m_spec.macros.empty()) return;
    m_out +=
        "/// Macros that the kernel is to be compiled with, beside those of its parameters.\n"
        "namespace macros {\n\n";
    for (const NamedExpression& macro : m_spec.macros) {
      number_function(macro.name, "macro_" + macro.name + "_()");
    }
    m_out += "}  // namespace macros\n\n";
  }

  /// `member`: of Names.
  void number_function(const std::string& name, const std::string& member) {
    m_out += fmt::format(
        "GTUNE_FN constexpr long long {}(const Problem& problem, const Config& config,\n"
        "                                 const Device& device) {{\n"
        "  return detail::Names(problem, config, device).{}.number;\n}}\n\n",
        name, member);
  }

  const KernelSpec& m_spec;
  const Portfolio& m_portfolio;
  const HeaderFacts& m_facts;
  HeaderNames m_names;
  std::string m_out;
};

}  // namespace

std::string header_text(const KernelSpec& spec, const Portfolio& portfolio,
                        const HeaderFacts& facts) {
  return HeaderWriter(spec, portfolio, facts).write();
}

}  // namespace gtune
