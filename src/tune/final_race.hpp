#pragma once

#include <vector>

#include "tune/compile_stage.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// A configuration in the final, with its samples by round.
struct Entrant {
  enum class Part {
    racing,  // measured in the next round
    spent,   // its recording has no more samples; ranked by those it has
    out,     // failed or clearly slower
  };

  Candidate candidate;
  Measurement measurement;  // of the search, until there are rounds
  std::vector<std::vector<double>> rounds;
  std::vector<double> clocks;
  std::vector<StepTime> step_times;  // of its first round; empty if there is only one step
  Part part = Part::racing;

  /// The samples of all rounds, or those of the search if there are no rounds.
  [[nodiscard]] std::vector<double> samples() const;
};

/// An entrant's place. Those that tie with the best come first.
struct Standing {
  Entrant* entrant;
  bool ties_with_best = false;
};

/// The rounds of a final: entrants are measured in turn, so that a drift of the clock affects all
/// equally. If there are more than a handful, the clearly slower are eliminated after a few rounds;
/// entrants that tie get more rounds. Eliminated entrants have fewer rounds and stay out.
class FinalRace {
 public:
  /// Limit on the workers' reported time in ms, after which no rounds are added. Reported time
  /// makes replays reproducible.
  static constexpr double most_worker_ms = 500;

  /// The first `handful` of the entrants are the handful.
  FinalRace(ProblemState& state, std::vector<Entrant>& entrants, std::size_t handful);

  /// The entrants that did not fail, the best first. Eliminated ones are included if measured.
  std::vector<Standing> run();

 private:
  void visit_all(int samples);
  void visit(Entrant& entrant, int samples);
  void run_out(Entrant& entrant);
  void drop_slower();
  bool goes_on();
  void drop(const std::vector<Entrant*>& slower);
  [[nodiscard]] std::vector<Entrant*> contenders() const;

  ProblemState& m_state;
  std::vector<Entrant>& m_entrants;
  std::size_t m_handful;
  std::vector<Entrant*> m_dropped;  // the best first
  double m_worker_ms = 0;
};

}  // namespace gtune
