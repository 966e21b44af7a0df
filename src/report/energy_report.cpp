#include "report/energy_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/quantity.hpp"
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

std::string difference_text(double value, double from) {
  const std::string text = fmt::format("{:+.1f} %", 100 * (value / from - 1));
  return text == "+0.0 %" || text == "-0.0 %" ? "the same" : text;
}

}  // namespace

const EnergyPoint* best_point(const std::vector<EnergyPoint>& points, Objective objective) {
  const auto best = std::min_element(
      points.begin(), points.end(), [&](const EnergyPoint& a, const EnergyPoint& b) {
        return std::pair(a.cost(objective), a.ms) < std::pair(b.cost(objective), b.ms);
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

std::string compared_text(const KernelSpec& spec, const EnergyPoint& other,
                          const EnergyPoint& chosen) {
  return fmt::format("{} ({}), {} a launch ({}), {}", quantity_text(other.ms, "ms"),
                     difference_text(other.ms, chosen.ms), quantity_text(other.use.energy_mj, "mJ"),
                     difference_text(other.use.energy_mj, chosen.use.energy_mj),
                     config_text(spec, other.config));
}

Table pareto_table(const KernelSpec& spec, const std::vector<EnergyPoint>& points) {
  Table table({column("time", "median_ms"), column("energy", "energy_mj"),
               column("power", "power_w"), column("time x energy", "edp_mj_ms"),
               column("least", "least"), column("configuration", "config")});
  table.title("time and energy: no other beats these in both").key("pareto");
  for (const EnergyPoint& point : pareto_front(points)) {
    const double edp = point.cost(Objective::edp);
    const std::vector<Cell> least = least_of(point, points);
    table.row({Cell(point.ms).said(quantity_text(point.ms, "ms")),
               Cell(point.use.energy_mj).said(quantity_text(point.use.energy_mj, "mJ")),
               Cell(point.use.power_w).said(quantity_text(point.use.power_w, "W")),
               Cell(edp).said(fmt::format("{:.4g} mJ ms", edp)),
               Cell(least).said(joined_text(least)),
               Cell(point.config).said(config_text(spec, point.config))});
  }
  return table;
}

}  // namespace gtune
