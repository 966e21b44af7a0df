#pragma once

#include <vector>

#include "tune/compile_stage.hpp"
#include "tune/problem_state.hpp"

namespace gtune {

/// A configuration in the final, its samples round by round.
struct Entrant {
  enum class Part {
    racing,  // is measured in the next round
    spent,   // its recording has no more samples: is ranked by those it has
    out,     // failed, or is clearly slower
  };

  Candidate candidate;
  Measurement measurement;  // of the search, until there are rounds
  std::vector<std::vector<double>> rounds;
  std::vector<double> clocks;
  std::vector<StepTime> step_times;  // of its first round; empty where there is one step
  Part part = Part::racing;

  /// All rounds', or the search's where there are none.
  [[nodiscard]] std::vector<double> samples() const;
};

/// An entrant's place. Those that tie with the best come first.
struct Standing {
  Entrant* entrant;
  bool ties_with_best = false;
};

/// The rounds of a final: entrants are measured in turn, so that a drift of the clock affects all
/// equally. If there are more than a handful, the clearly slower are eliminated after a few rounds;
/// entrants that tie get more rounds. Eliminated entrants have fewer rounds and are not compared
/// again.
class FinalRace {
 public:
  /// Most worker time after which rounds are added, in ms. What the worker reports: a recording
  /// then gives the same result every time.
  static constexpr double most_worker_ms = 500;

  /// The first of the entrants are the handful.
  FinalRace(ProblemState& state, std::vector<Entrant>& entrants, std::size_t handful);

  /// Those that did not fail, the best first; eliminated ones only if they were measured.
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
