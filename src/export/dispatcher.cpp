#include "export/dispatcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "export/cpp_text.hpp"
#include "export/exported_launch.hpp"
#include "export/instances.hpp"
#include "model/error.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Instances of the template, such as "sgemm<128,64>", with the numbers in them.
using Instances = std::map<std::string, std::vector<std::int64_t>>;

class DispatcherWriter {
 public:
  DispatcherWriter(const KernelSpec& spec, const Portfolio& portfolio, const HeaderFacts& facts,
                   const std::vector<SourceFile>& sources)
      : m_spec(spec),
        m_portfolio(portfolio),
        m_facts(facts),
        m_sources(sources),
        m_launch(exported_launch(spec)),
        m_names(number_arguments(spec)) {
    if (!spec.macros.empty()) {
      throw UserError(ExitCode::usage, "kernel '" + spec.name + "' is compiled with the macro '" +
                                           spec.macros.front().name +
                                           "', which one build cannot vary: there is no "
                                           "dispatcher; export cubins (--format cubin)");
    }
    if (!m_launch.launch.is_plain()) {
      throw UserError(ExitCode::usage, "kernel '" + spec.name +
                                           "' is launched with more than a grid and blocks: there "
                                           "is no dispatcher; export cubins (--format cubin)");
    }
    if (m_names.empty()) {
      throw UserError(ExitCode::usage, "kernel '" + spec.name + "' has the entry '" +
                                           m_launch.entry +
                                           "', which is no template of its parameters: there is "
                                           "nothing to dispatch");
    }
  }

  std::string write() {
    const Instances instances = find_instances();
    std::string out =
        cpp_comment("Instances of the kernel " + m_spec.name +
                    " that its exported header chooses among. Include it after both.");
    for (const std::string& line : m_facts.provenance) out += cpp_comment(line);
    out += source_checks();
    out += fmt::format(
        "{0}\n\n"
        "/// Calls `call` with the kernel of a variant for a problem; false, and no call, where\n"
        "/// that instance is not among those that are compiled.\n"
        "template <class Call>\n"
        "bool dispatch([[maybe_unused]] const Problem& problem, [[maybe_unused]] const Device& "
        "device,\n"
        "              int variant, Call call) {{\n"
        "  const Config chosen = config(variant);\n"
        "  const long long wanted[] = {{{1}}};\n"
        "  constexpr int count = {2};\n"
        "  constexpr long long known[][count] = {{\n",
        same_export_check(m_facts.identity, m_portfolio),
        fmt::join(argument_expressions(m_spec, m_names), ", "), m_names.size());
    for (const auto& [entry, values] : instances) {
      out += fmt::format("      {{{}}},\n", fmt::join(values, ", "));
    }
    out +=
        "  };\n  int found = -1;\n"
        "  for (int i = 0; i < static_cast<int>(sizeof(known) / sizeof(known[0])); ++i) {\n"
        "    bool same = true;\n"
        "    for (int j = 0; j < count; ++j) same = same && known[i][j] == wanted[j];\n"
        "    if (same) found = i;\n  }\n  switch (found) {\n";
    int number = 0;
    for (const auto& [entry, values] : instances) {
      out += fmt::format("    case {}: call(::{}); return true;\n", number++, entry);
    }
    out += "    default: return false;\n  }\n}\n\n";
    return out + fmt::format("}}  // namespace gtune_{}\n", m_spec.name);
  }

 private:
  /// Says which digests of the source the build must give, and checks that they are those of the
  /// measured source.
  [[nodiscard]] std::string source_checks() const {
    const std::string macro = macro_name();
    std::string all = fmt::format(
        "//\n// The build gives {} as a string: of each of these files, in this order, the first "
        "32\n"
        "// hexadecimal digits of its SHA-256, without anything between them.\n",
        macro);
    for (const SourceFile& source : m_sources) {
      all += cpp_comment("source: " + source.digest + " " + source.name);
    }
    all += fmt::format(
        "#pragma once\n\n#ifndef {0}\n"
        "#error \"{0} is not defined: the head of this file says what it is to be\"\n"
        "#define {0} \"\"\n#endif\n\nnamespace gtune_{1} {{\n\nnamespace detail {{\n\n"
        "/// Whether this digest is at this place among those of the source.\n"
        "constexpr bool is_source(int place, const char* digest) {{\n"
        "  constexpr char all[] = {0};\n"
        "  for (int i = 0; i < 32; ++i) {{\n"
        "    const int at = 32 * place + i;\n"
        "    if (at >= static_cast<int>(sizeof(all)) || all[at] != digest[i]) return false;\n"
        "  }}\n  return true;\n}}\n\n}}  // namespace detail\n\n",
        macro, m_spec.name);
    for (std::size_t i = 0; i < m_sources.size(); ++i) {
      const std::string advice =
          m_sources[i].name +
          " differs from the measured source: tune and export again, or revert the change";
      all += fmt::format("static_assert(detail::is_source({}, {}),\n              {});\n", i,
                         cpp_literal(m_sources[i].digest), cpp_literal(advice));
    }
    return all;
  }

  /// Such as GTUNE_SGEMM_SOURCE.
  [[nodiscard]] std::string macro_name() const {
    std::string name = "GTUNE_" + m_spec.name + "_SOURCE";
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
  }

  [[nodiscard]] Instances find_instances() const {
    Instances instances;
    for (const VariantUse& use : find_uses(m_spec, m_portfolio)) {
      const Case there = use.in(m_portfolio);
      instances.emplace(entry_for(m_spec, m_launch.entry, there),
                        argument_values(m_spec, m_names, there));
    }
    return instances;
  }

  const KernelSpec& m_spec;
  const Portfolio& m_portfolio;
  const HeaderFacts& m_facts;
  const std::vector<SourceFile>& m_sources;
  const KernelLaunchSpec& m_launch;
  std::vector<std::string> m_names;  // template arguments that are numbers
};

}  // namespace

std::string dispatcher_text(const KernelSpec& spec, const Portfolio& portfolio,
                            const HeaderFacts& facts, const std::vector<SourceFile>& sources) {
  return DispatcherWriter(spec, portfolio, facts, sources).write();
}

}  // namespace gtune
