#include "export/contenders.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "model/error.hpp"
#include "spec/open_sizes.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/size_constraints.hpp"
#include "system/side_by_side.hpp"

namespace gtune {
namespace {

constexpr std::size_t problems_of_a_cell = 64;
/// A configuration takes part if it needs at most this many times what the fastest is expected to.
constexpr double near = 1.1;
constexpr double never = std::numeric_limits<double>::infinity();

/// Digits of a number after the point, from the last to the first: the points of consecutive
/// numbers are spread evenly (Halton 1960).
double spread(std::size_t number, std::size_t base) {
  double point = 0;
  double scale = 1;
  for (; number > 0; number /= base) {
    scale /= static_cast<double>(base);
    point += scale * static_cast<double>(number % base);
  }
  return point;
}

/// The inverse of gtune_octave.
std::int64_t size_at(double octave) {
  const double whole = std::floor(octave);
  return std::llround(std::exp2(whole) * (1 + octave - whole));
}

/// Sizes that are no axes of the grid follow from the others.
std::vector<Problem> problems_in(const KernelSpec& spec, const TimeModel& model,
                                 const std::array<int, 3>& cell) {
  constexpr std::array<std::size_t, 3> bases = {2, 3, 5};
  std::vector<Problem> problems;
  for (std::size_t i = 1; i <= problems_of_a_cell; ++i) {
    std::map<std::string, std::vector<std::int64_t>> given;
    for (const ProblemSize& size : spec.sizes) {
      if (size.choices.empty()) continue;
      given[size.name] = {model.kind.find(size.name).value_or(size.choices.front())};
    }
    for (std::size_t k = 0; k < bases.size(); ++k) {
      const gtune_axis& axis = model.grid.axes()[k];
      if (axis.nodes_per_octave <= 0) continue;
      const double along = (cell[k] + spread(i, bases[k])) / axis.nodes_per_octave;
      given[spec.sizes[static_cast<std::size_t>(axis.size)].name] = {size_at(axis.first + along)};
    }
    try {
      problems.push_back(expand_problems(spec, given).front());
    } catch (const UserError&) {
      continue;  // a derived size is not allowed
    }
  }
  return problems;
}

/// A configuration that the model knows, on the model's device.
struct Contender {
  std::size_t place = 0;
  SizeConstraints constraints;
  WorkTerms work_terms;
};

std::vector<Contender> known_contenders(const SizeRules& rules, const TimeModel& model,
                                        const std::vector<Config>& configs) {
  std::vector<Contender> known;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (!model.configs[i]) continue;
    const OpenSizes open(rules.spec(), configs[i], model.device);
    known.push_back({i, SizeConstraints(rules.spec(), open), rules.work_terms().reduced(open)});
  }
  return known;
}

/// Marks in `is_near` those of `all` that come near the fastest on a problem.
void mark_near(const SizeRules& rules, const TimeModel& model, const std::vector<Contender>& all,
               const Problem& problem, std::vector<bool>& is_near) {
  const std::vector<std::int64_t> sizes = size_slots(rules.spec(), problem);
  const gtune_spot spot = model.grid.spot(problem);
  std::vector<double> ms;
  for (const Contender& each : all) {
    const auto work = each.work_terms.work(sizes);
    const auto& config = model.configs[each.place];
    ms.push_back(work ? model_time(*config, *work, spot, model.device).compared_ms : never);
  }
  double limit = never;
  for (;;) {
    const auto next = std::min_element(ms.begin(), ms.end());
    if (next == ms.end() || *next == never || *next > limit) return;
    const auto i = static_cast<std::size_t>(next - ms.begin());
    // Takes longest, so it comes last.
    if (all[i].constraints.hold(sizes)) {
      is_near[i] = true;
      if (limit == never) limit = near * *next;
    }
    *next = never;
  }
}

/// Cells have the numbers of their nodes with the smallest sizes, five along an axis
/// (gtune_spot_of); no cell begins at the last.
std::optional<std::array<int, 3>> cell_at(const SizeGrid& grid, std::size_t node) {
  std::array<int, 3> cell{};
  for (std::size_t i = cell.size(); i-- > 0;) {
    if (grid.axes()[i].nodes_per_octave <= 0) continue;
    cell[i] = static_cast<int>(node % 5);
    node /= 5;
    if (cell[i] == 4) return std::nullopt;
  }
  return cell;
}

}  // namespace

Contenders find_contenders(const SizeRules& rules, const TimeModel& model,
                           const std::vector<Config>& configs) {
  const std::vector<Contender> all = known_contenders(rules, model, configs);
  Contenders contenders(model.grid.nodes());
  work_side_by_side(contenders.size(), [&](std::size_t node) {
    const auto cell = cell_at(model.grid, node);
    if (!cell) return;
    std::vector<bool> is_near(all.size());
    for (const Problem& problem : problems_in(rules.spec(), model, *cell)) {
      mark_near(rules, model, all, problem, is_near);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (is_near[i]) contenders[node].push_back(all[i].place);
    }
  });
  return contenders;
}

}  // namespace gtune
