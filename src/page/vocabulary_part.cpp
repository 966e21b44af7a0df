#include "page/vocabulary_part.hpp"

#include <fmt/format.h>

#include <set>

#include "explain/comparison.hpp"
#include "model/value_word.hpp"
#include "page/problem_parts.hpp"
#include "report/document_html.hpp"

namespace gtune {
namespace {

/// What needs no counters.
const std::vector<MetricMeaning>& facts() {
  static const std::vector<MetricMeaning> all = {
      {"share_of_roof",
       "the least time that the device's measured limits allow for the work, as a "
       "share of the kernel's time"},
      {"registers", "registers of each thread"},
      {"spilled", "bytes that each thread stores in memory and loads again for want of registers"},
      {"shared_memory", "shared memory of each block"},
      {"theoretical_occupancy",
       "warps that an SM can hold, given the kernel's registers, shared "
       "memory and block, of those that it has places for"},
      {"blocks", "blocks of the launch"},
      {"waves", "blocks of the launch over those that the device holds at a time"},
      {"idle_places", "places for blocks that stay empty in these waves"},
  };
  return all;
}

/// The names in the tables of these records.
std::set<std::string> shown_names(const std::vector<KernelRecord>& records) {
  std::set<std::string> names;
  for (const KernelRecord& record : records) {
    for (const ProblemRecord& problem : record.problems) {
      if (!has_metrics_beside(problem)) continue;
      for (const Subject& subject : problem.subjects) {
        for (const ComparedValue& each : compare(subject, nullptr)) names.insert(each.name);
      }
    }
  }
  return names;
}

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

std::string metrics_part(const std::vector<KernelRecord>& records,
                         const std::vector<MetricMeaning>& metrics) {
  const std::set<std::string> shown = shown_names(records);
  Table table({text_column("name"), text_column("meaning")});
  table.groups({"known from the launch", "counted by the hardware"});
  const auto add = [&](const std::vector<MetricMeaning>& meanings, std::size_t group) {
    for (const MetricMeaning& each : meanings) {
      if (shown.contains(each.name)) table.row({each.name, each.meaning}, group);
    }
  };
  add(facts(), 0);
  add(metrics, 1);
  return shown.empty() ? "" : html_of(table);
}

}  // namespace gtune
