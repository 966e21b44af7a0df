#include "page/vocabulary_part.hpp"

#include <fmt/format.h>

#include "model/value_word.hpp"
#include "report/document_html.hpp"

namespace gtune {
namespace {

std::string values_of(const std::vector<std::int64_t>& values) {
  std::string out;
  for (const std::int64_t value : values) out += (out.empty() ? "" : ", ") + value_text(value);
  return out;
}

}  // namespace

std::string vocabulary_part(const KernelSpec& spec) {
  Table table({text_column("name"), text_column("values"), text_column("meaning")});
  table.groups({"sizes of a problem", "parameters", "baselines"});
  bool has_help = false;
  const auto add = [&](const std::string& name, const std::string& values, const std::string& help,
                       std::size_t group) {
    has_help = has_help || !help.empty();
    table.row({name, values, help}, group);
  };
  for (const ProblemSize& size : spec.sizes) {
    add(size.name, size.choices.empty() ? "any" : values_of(size.choices), size.help, 0);
  }
  for (const Parameter& parameter : spec.params) {
    add(parameter.name, values_of(parameter.values), parameter.help, 1);
  }
  for (const Baseline& baseline : spec.baselines) add(baseline.name, "", baseline.help, 2);
  if (!has_help) return "";
  return "<details><summary>What the names mean</summary>\n" + html_of(table) + "</details>\n";
}

}  // namespace gtune
