#include "report/interrupted_report.hpp"

#include <fmt/format.h>

#include "report/checked_text.hpp"
#include "report/timing_text.hpp"
#include "spec/kernel_spec.hpp"
#include "spec/problem_text.hpp"

namespace gtune {

Document interrupted_report(const KernelSpec& spec, const InterruptedRun& run) {
  Document out;
  out.note(fmt::format("{}  {}, interrupted", kernel_title(spec), problem_text(spec, run.problem)));
  out.data("kernel", spec.name).data("problem", run.problem).data("interrupted", true);
  if (run.best_ms) {
    const bool by_time = run.objective == Objective::time;
    out.line("best so far", config_text(spec, run.best));
    out.line("time",
             fmt::format("{} in the search; neither compared in a final nor checked on "
                         "awkward sizes{}",
                         time_text(*run.best_ms), by_time ? "" : ", and its energy is not known"));
    out.part(Document().data("config", run.best).data("median_ms", *run.best_ms), "best_so_far");
  } else {
    out.line("best so far", "none");
    out.data("best_so_far", Cell());
  }
  out.fact("tried", "tried",
           Cell(run.tried).said(fmt::format("{} of {} configurations", run.tried, run.space_size)));
  out.data("configurations", run.space_size);
  return out;
}

}  // namespace gtune
