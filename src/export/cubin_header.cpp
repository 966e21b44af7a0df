#include "export/cubin_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "export/cpp_text.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// The numbers that identify a compiled kernel: architecture, instance, template arguments, macros.
std::vector<std::int64_t> key_of(const KernelSpec& spec, const Portfolio& portfolio,
                                 const std::vector<std::string>& names, const VariantUse& use) {
  std::vector<std::int64_t> key = {use.device.cc(),
                                   static_cast<std::int64_t>(portfolio.instances[use.variant])};
  const auto values = argument_values(spec, names, use.in(portfolio));
  key.insert(key.end(), values.begin(), values.end());
  const NamedValues macros = stated_macros(spec, use.in(portfolio));
  for (const auto& [name, value] : macros.entries()) key.push_back(value);
  return key;
}

std::string numbers_text(const std::vector<std::byte>& bytes) {
  constexpr std::size_t a_line = 32;
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % a_line == 0) out += '\n';
    fmt::format_to(std::back_inserter(out), "{},", static_cast<unsigned>(bytes[i]));
  }
  return out;
}

/// Arrays of the distinct cubins. Appends each cubin's array number to `places`.
std::string arrays_text(const std::vector<EmbeddedCubin>& cubins,
                        std::vector<std::size_t>& places) {
  std::map<std::string, std::size_t> known;
  std::string out;
  for (const EmbeddedCubin& cubin : cubins) {
    const auto [array, is_new] = known.emplace(numbers_text(cubin.bytes), known.size());
    places.push_back(array->second);
    if (!is_new) continue;
    out += fmt::format("alignas(64) inline constexpr unsigned char cubin_{}[] = {{{}}};\n\n",
                       array->second, array->first);
  }
  return out;
}

}  // namespace

std::vector<VariantUse> uses_to_compile(const KernelSpec& spec, const Portfolio& portfolio) {
  const std::vector<std::string> names = number_arguments(spec);
  std::set<std::vector<std::int64_t>> known;
  std::vector<VariantUse> uses = find_uses(spec, portfolio);
  std::erase_if(uses, [&](const VariantUse& use) {
    return !known.insert(key_of(spec, portfolio, names, use)).second;
  });
  return uses;
}

std::string cubin_header_text(const KernelSpec& spec, const Portfolio& portfolio,
                              const HeaderFacts& facts, const std::vector<EmbeddedCubin>& cubins) {
  const std::vector<std::string> names = number_arguments(spec);
  std::vector<std::string> wanted = {"device.dev_cc", "detail::instance_of(variant)"};
  for (const std::string& each : argument_expressions(spec, names)) wanted.push_back(each);
  for (const NamedExpression& macro : spec.macros) {
    wanted.push_back("macros::" + macro.name + "(problem, chosen, device)");
  }
  std::string out = cpp_comment("Compiled instances of the kernel " + spec.name +
                                " that its exported header chooses among. Include it after that.");
  for (const std::string& line : facts.provenance) out += cpp_comment(line);
  out += fmt::format(
      "#pragma once\n\nnamespace gtune_{0} {{\n\n"
      "{1}\n\n"
      "/// For cuModuleLoadData or cudaLibraryLoadData; `entry`: the kernel in it.\n"
      "struct Cubin {{\n  const unsigned char* data;\n  unsigned long long bytes;\n"
      "  const char* entry;\n}};\n\nnamespace detail {{\n\n",
      spec.name, same_export_check(facts.identity, portfolio));
  std::vector<std::size_t> places;
  out += arrays_text(cubins, places);
  out += fmt::format(
      "/// What is compiled for a variant: its launch-only parameters make no difference.\n"
      "constexpr int instance_of(int variant) {{\n  constexpr int all[] = {{{1}}};\n"
      "  return all[variant];\n}}\n\n"
      "struct KnownCubin {{\n  long long key[{0}];\n  Cubin cubin;\n}};\n\n"
      "inline constexpr KnownCubin known_cubins[] = {{\n",
      wanted.size(), fmt::join(portfolio.instances, ", "));
  for (std::size_t i = 0; i < cubins.size(); ++i) {
    out += fmt::format("    {{{{{0}}}, {{cubin_{1}, sizeof(cubin_{1}), {2}}}}},\n",
                       fmt::join(key_of(spec, portfolio, names, cubins[i].use), ", "), places[i],
                       cpp_literal(cubins[i].entry));
  }
  out += fmt::format(
      "}};\n\n}}  // namespace detail\n\n"
      "/// The instance of a variant for a problem; without data where it is not here: for "
      "another\n"
      "/// architecture, or a size whose instance none of the tuned problems has.\n"
      "constexpr Cubin cubin([[maybe_unused]] const Problem& problem, const Device& device,\n"
      "                      int variant) {{\n"
      "  if (variant < 0 || variant >= variants) return {{nullptr, 0, nullptr}};\n"
      "  [[maybe_unused]] const Config chosen = config(variant);\n"
      "  const long long wanted[] = {{{0}}};\n"
      "  for (const detail::KnownCubin& each : detail::known_cubins) {{\n"
      "    bool same = true;\n"
      "    for (int i = 0; i < {1}; ++i) same = same && each.key[i] == wanted[i];\n"
      "    if (same) return each.cubin;\n  }}\n  return {{nullptr, 0, nullptr}};\n}}\n\n"
      "}}  // namespace gtune_{2}\n",
      fmt::join(wanted, ", "), wanted.size(), spec.name);
  return out;
}

}  // namespace gtune
