#include "cli/launch_report.hpp"

#include <fmt/format.h>

#include "model/statistics.hpp"
#include "spec/problem_text.hpp"

namespace gtune {

Document launch_report(const SingleRun& run, const std::vector<double>& times) {
  const std::string what =
      run.baseline == nullptr ? config_text(run.spec, run.config) : run.baseline->name;
  std::string said =
      fmt::format("{}  {}  {}:", run.spec.name, problem_text(run.spec, run.problem), what);
  for (const double ms : times) said += fmt::format(" {:.6g}", ms);
  return Document()
      .note(said + " ms")
      .data("kernel", run.spec.name)
      .data("problem", run.problem)
      .data("baseline", run.baseline == nullptr ? Cell() : Cell(run.baseline->name))
      .data("config", run.config)
      .data("device", run.device.name)
      .data("l2_flushed", run.flush_l2)
      .data("ms", std::vector<Cell>(times.begin(), times.end()))
      .data("median_ms", median(times));
}

}  // namespace gtune
