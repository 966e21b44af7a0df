// A foreign file of gtune baseline: read, written back, and reported for CI.

#include "exchange/reference_times.hpp"

#include <algorithm>

#include "../mutate.hpp"
#include "../target.hpp"
#include "gate/gate_report.hpp"
#include "gate/kernel_check.hpp"

namespace gtune::fuzz {
namespace {

class ReferenceTimesTarget : public Target {
 public:
  void run(const std::string& input) override {
    const ReferenceTimes times = parse_reference_times(input, "gate.json");
    const std::string text = reference_times_text(times);
    require(reference_times_text(parse_reference_times(text, "gate.json")) == text,
            "times that change when they are written again");
    report(times);
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    if (one_in(20, random)) return mutate_bytes(std::move(input), other, {}, random);
    return mutate_json(input, other, random);
  }

 private:
  static void report(const ReferenceTimes& times) {
    GateResult result;
    result.file = "gate.json";
    result.device = times.device.name;
    for (const ReferenceTime& entry : times.problems) {
      result.problems.push_back(failed_problem(nullptr, entry, entry.kernel));
    }
    (void)json_of(gate_report(result));
    (void)text_of(gate_report(result));
    for (const std::string& text : {gate_junit(result), gate_markdown(result)}) {
      const bool printable = std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) >= ' ' || c == '\n';
      });
      require(printable, "control characters in a report for CI");
    }
  }
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<ReferenceTimesTarget>(); }

}  // namespace gtune::fuzz
