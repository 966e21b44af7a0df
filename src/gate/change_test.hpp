#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gtune {

/// What a check says about the time of a configuration on a problem.
enum class GateVerdict { same, faster, slower, unsure, failed };

/// "SAME", "FASTER", "SLOWER", "UNSURE", "FAILED".
[[nodiscard]] std::string_view to_string(GateVerdict verdict);

/// The relative change of a time: 0.02 is 2 % slower. The interval contains the true change, at
/// every look together, with the confidence of GateTerms.
struct TimeChange {
  double estimate = 0;
  double low = 0;
  double high = 0;
};

/// When a change counts, and how certain a verdict has to be.
struct GateTerms {
  double threshold = 0.01;  // smallest change to detect; less than half of it is ignored
  double error = 0.005;     // probability that the interval misses the true change, on each side
  int most_rounds = 24;
};

/// Two-sided confidence of the interval: 0.99.
[[nodiscard]] constexpr double confidence(const GateTerms& terms) { return 1 - 2 * terms.error; }

/// Decides from the times of rounds whether a configuration became slower. A round is the median of
/// one fresh worker process, since times vary between processes by more than within one.
///
/// The test is on logarithms, whose differences are relative changes. Stored times and new ones are
/// compared by Welch's t-test (B. L. Welch, Biometrika 34, 1947), with new rounds taken to vary at
/// least as much as the stored ones: four may agree by chance. Rounds that alternate between two
/// sources are compared by the t-test on the differences of pairs. More rounds follow while the
/// verdict is UNSURE. Each look at the data has a level of its own, and the levels add up to
/// `error` (K. K. G. Lan and D. L. DeMets, Biometrika 70, 1983; here in proportion to the rounds),
/// so the intervals of all looks hold together: repeated confidence intervals (C. Jennison and B.
/// W. Turnbull, J. R. Stat. Soc. B 51, 1989).
///
/// SLOWER: the interval is above 0, and the estimate is at least half the threshold. FASTER: the
/// same below 0. SAME: neither, and the interval is within the threshold on both sides, as in a
/// test of equivalence. UNSURE: none of these.
class ChangeTest {
 public:
  static constexpr std::size_t least_stored_rounds = 4;
  static constexpr int first_look = 4;

  /// Compares with the times of earlier rounds in ms, at least `least_stored_rounds`.
  ChangeTest(GateTerms terms, const std::vector<double>& stored_ms);
  /// Compares two sources, round by round.
  explicit ChangeTest(GateTerms terms) : m_terms(terms) {}

  /// Adds a round to compare with the stored ones. Times in ms, above 0.
  void add_to_stored(double now_ms);
  /// Adds a round of each source.
  void add_pair(double before_ms, double now_ms);

  /// Whether no more rounds are needed or allowed.
  [[nodiscard]] bool ended() const;
  [[nodiscard]] int rounds() const { return static_cast<int>(m_now.size()); }
  /// At the last look. UNSURE before the first.
  [[nodiscard]] GateVerdict verdict() const { return m_verdict; }
  [[nodiscard]] const TimeChange& change() const { return m_change; }
  /// Geometric means of all rounds in ms.
  [[nodiscard]] double before_ms() const;
  [[nodiscard]] double now_ms() const;

 private:
  void look_if_due();
  void look(double level);

  GateTerms m_terms;
  bool m_stored = false;
  std::vector<double> m_before;  // logarithms
  std::vector<double> m_now;
  GateVerdict m_verdict = GateVerdict::unsure;
  TimeChange m_change;
};

/// The rounds after which a test looks at its data: 4, 6, 9, ... and the last.
[[nodiscard]] std::vector<int> looks(int most_rounds);

}  // namespace gtune
