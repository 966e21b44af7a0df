#include "report/energy_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/quantity.hpp"
#include "report/spec_columns.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

/// The objectives by which a point is the best of all, such as "time, edp".
std::vector<Cell> least_of(const EnergyPoint& point, const std::vector<EnergyPoint>& points) {
  std::vector<Cell> least;
  for (const Objective objective : {Objective::time, Objective::energy, Objective::edp}) {
    if (best_point(points, objective)->id == point.id) least.emplace_back(to_string(objective));
  }
  return least;
}

std::string joined_text(const std::vector<Cell>& words) {
  std::string text;
  for (const Cell& word : words) text += (text.empty() ? "" : ", ") + word.text();
  return text;
}

}  // namespace

const EnergyPoint* best_point(const std::vector<EnergyPoint>& points, Objective objective) {
  const auto best = std::min_element(points.begin(), points.end(),
                                     [&](const EnergyPoint& a, const EnergyPoint& b) {
                                       return std::pair(a.cost(objective), a.ms) <
                                              std::pair(b.cost(objective), b.ms);
                                     });
  return best == points.end() ? nullptr : &*best;
}

std::vector<EnergyPoint> pareto_front(std::vector<EnergyPoint> points) {
  std::stable_sort(points.begin(), points.end(), [](const EnergyPoint& a, const EnergyPoint& b) {
    return std::pair(a.ms, a.use.energy_mj) < std::pair(b.ms, b.use.energy_mj);
  });
  std::vector<EnergyPoint> front;
  for (EnergyPoint& point : points) {
    if (front.empty() || point.use.energy_mj < front.back().use.energy_mj) {
      front.push_back(std::move(point));
    }
  }
  return front;
}

std::string energy_text(const EnergyUse& use) {
  return fmt::format("{} a launch, {}", quantity_text(use.energy_mj, "mJ"),
                     quantity_text(use.power_w, "W", 3));
}

Table pareto_table(const KernelSpec& spec, const std::vector<EnergyPoint>& points) {
  Table table({column("time", "median_ms"), column("energy", "energy_mj"),
               column("power", "power_w"), column("time x energy", "edp_mj_ms"),
               column("least", "least"), column("configuration", "config"),
               csv_column("median_ms"), csv_column("energy_mj"), csv_column("power_w"),
               csv_column("edp_mj_ms"), csv_column("least"), parameter_columns(spec)});
  table.title("time and energy: no other beats these in both").key("pareto");
  for (const EnergyPoint& point : pareto_front(points)) {
    const double edp = point.cost(Objective::edp);
    const std::vector<Cell> least = least_of(point, points);
    const std::string words = joined_text(least);
    table.row({Cell(point.ms).said(quantity_text(point.ms, "ms")),
               Cell(point.use.energy_mj).said(quantity_text(point.use.energy_mj, "mJ")),
               Cell(point.use.power_w).said(quantity_text(point.use.power_w, "W")),
               Cell(edp).said(fmt::format("{:.4g} mJ ms", edp)), Cell(least).said(words),
               Cell(point.config).said(config_text(spec, point.config)), point.ms,
               point.use.energy_mj, point.use.power_w, edp, words, point.config});
  }
  return table;
}

}  // namespace gtune
