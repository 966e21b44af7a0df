#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/energy_probe.hpp"
#include "tune/final_phase.hpp"

namespace gtune {

/// Measures the energy of finalists and ranks them by a run's objective. All are measured once;
/// those near the best then in turn (A B C A B C), so that a drift of temperature and power affects
/// all equally. Stores energy and power as metrics of the finalists.
class EnergyRace {
 public:
  /// The run's problem must be open. The objective must not be time.
  EnergyRace(ProblemState& state, std::vector<Finalist> finalists);

  /// The best and those tied with it, the faster first, then the others, and at last those without
  /// an energy. Throws UserError if no energy could be measured, Interrupted and LeadLost.
  std::vector<Finalist> run();

 private:
  struct Racer {
    Finalist finalist;
    std::optional<Measure> request;
    std::vector<EnergyUse> uses;  // by round
    std::string reason;           // why there is no energy

    [[nodiscard]] double ms() const { return finalist.measurement.timing->median_ms; }
    [[nodiscard]] EnergyUse median_use() const;
  };

  void prepare();
  void visit(Racer& racer);
  void store(const Racer& racer) const;
  [[nodiscard]] double cost(const Racer& racer) const;
  [[nodiscard]] std::vector<Racer*> measured();
  [[nodiscard]] std::vector<Racer*> leaders();
  /// Marks ties and puts them first.
  void settle(std::vector<Racer*>& ranked) const;
  void require_any() const;

  ProblemState& m_state;
  EnergyProbe m_probe;
  std::vector<Racer> m_racers;
};

}  // namespace gtune
