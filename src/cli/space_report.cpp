#include "cli/space_report.hpp"

#include <fmt/format.h>

#include "spec/problem_text.hpp"

namespace gtune {

Document space_report(const KernelSpec& spec, const Problem& problem, const std::string& arch,
                      const Enumeration& space, double seconds, bool list) {
  const std::uint64_t valid = space.space.size();
  Table said({text_column(), text_column()});
  Document excluded;
  for (const Exclusion& each : space.excluded) {
    said.row({each.combinations, "excluded by " + each.constraint});
    excluded.data(each.constraint, each.combinations);
  }
  Document out;
  out.note(fmt::format("{}  {}  {}", spec.name, problem_text(spec, problem), arch))
      .data("kernel", spec.name)
      .data("problem", problem)
      .data("arch", arch)
      .data("combinations", space.combinations)
      .data("valid", valid)
      .data("seconds", seconds)
      .part(Document(fmt::format("{} of {} combinations are valid (enumerated in {:.3f} s)", valid,
                                 space.combinations, seconds))
                .table(std::move(said)))
      .part(std::move(excluded), "excluded");
  if (!list) return out;
  std::vector<Cell> configurations;
  for (std::size_t i = 0; i < space.space.size(); ++i) {
    const std::string text = config_text(spec, space.space.config(i));
    configurations.emplace_back(text);
    out.note(text);
  }
  if (!configurations.empty()) out.data("configurations", std::move(configurations));
  return out;
}

}  // namespace gtune
