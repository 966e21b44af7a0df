#include "gate/change_test.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gate/student_t.hpp"
#include "model/statistics.hpp"

namespace gtune {
namespace {

/// The least standard deviation of a round's logarithm. Medians of short kernels are multiples of
/// the timer's resolution and may be equal by chance; those of a recording always are.
constexpr double least_deviation = 0.0005;

/// Logarithms of times: their mean, and how much one of them varies.
struct Spread {
  double mean = 0;
  double variance = 0;
  double degrees = 0;  // of freedom
  double count = 0;

  [[nodiscard]] double variance_of_mean() const { return variance / count; }
};

Spread spread_of(const std::vector<double>& logs) {
  Spread spread;
  spread.mean = mean(logs);
  spread.count = static_cast<double>(logs.size());
  spread.degrees = spread.count - 1;
  double squares = 0;
  for (const double each : logs) squares += (each - spread.mean) * (each - spread.mean);
  spread.variance = std::max(squares / spread.degrees, least_deviation * least_deviation);
  return spread;
}

/// A difference of means, the variance of its error, and that variance's degrees of freedom.
struct Difference {
  double mean = 0;
  double variance = 0;
  double degrees = 0;
};

/// The first rounds may agree by chance, so new rounds are taken to vary at least as much as the
/// stored ones.
Difference change_from_stored(const Spread& now, const Spread& before) {
  if (now.variance < before.variance) {
    return {now.mean - before.mean, before.variance * (1 / now.count + 1 / before.count),
            before.degrees};
  }
  const double a = now.variance_of_mean();
  const double b = before.variance_of_mean();
  return {now.mean - before.mean, a + b,
          (a + b) * (a + b) / (a * a / now.degrees + b * b / before.degrees)};
}

Difference change_within_pairs(const Spread& pairs) {
  return {pairs.mean, pairs.variance_of_mean(), pairs.degrees};
}

std::vector<double> differences(const std::vector<double>& now, const std::vector<double>& before) {
  std::vector<double> all;
  for (std::size_t i = 0; i < now.size(); ++i) all.push_back(now[i] - before[i]);
  return all;
}

double log_of(double ms) {
  if (!(ms > 0)) throw std::invalid_argument("a round's time is not above 0");
  return std::log(ms);
}

}  // namespace

std::string_view to_string(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::same:
      return "SAME";
    case GateVerdict::faster:
      return "FASTER";
    case GateVerdict::slower:
      return "SLOWER";
    case GateVerdict::unsure:
      return "UNSURE";
    case GateVerdict::failed:
      break;
  }
  return "FAILED";
}

std::vector<int> looks(int most_rounds) {
  constexpr double growth = 1.4;
  std::vector<int> rounds;
  for (int at = ChangeTest::first_look; at < most_rounds;
       at = static_cast<int>(std::ceil(at * growth))) {
    rounds.push_back(at);
  }
  rounds.push_back(most_rounds);
  return rounds;
}

ChangeTest::ChangeTest(GateTerms terms, const std::vector<double>& stored_ms)
    : m_terms(terms), m_stored(true) {
  if (stored_ms.size() < least_stored_rounds) throw std::invalid_argument("too few stored rounds");
  for (const double each : stored_ms) m_before.push_back(log_of(each));
}

void ChangeTest::add_to_stored(double now_ms) {
  m_now.push_back(log_of(now_ms));
  look_if_due();
}

void ChangeTest::add_pair(double before_ms, double now_ms) {
  m_before.push_back(log_of(before_ms));
  m_now.push_back(log_of(now_ms));
  look_if_due();
}

void ChangeTest::look_if_due() {
  int seen = 0;  // rounds at the previous look
  for (const int at : looks(m_terms.most_rounds)) {
    if (at == rounds()) look(m_terms.error * (at - seen) / m_terms.most_rounds);
    seen = at;
  }
}

bool ChangeTest::ended() const {
  return m_verdict != GateVerdict::unsure || rounds() >= m_terms.most_rounds;
}

void ChangeTest::look(double level) {
  const Difference found = m_stored ? change_from_stored(spread_of(m_now), spread_of(m_before))
                                    : change_within_pairs(spread_of(differences(m_now, m_before)));
  const double margin = student_t_quantile(level, found.degrees) * std::sqrt(found.variance);
  m_change = {std::expm1(found.mean), std::expm1(found.mean - margin),
              std::expm1(found.mean + margin)};
  const double counts = m_terms.threshold / 2;
  if (m_change.low > 0 && m_change.estimate >= counts) {
    m_verdict = GateVerdict::slower;
  } else if (m_change.high < 0 && m_change.estimate <= -counts) {
    m_verdict = GateVerdict::faster;
  } else if (m_change.low > -m_terms.threshold && m_change.high < m_terms.threshold) {
    m_verdict = GateVerdict::same;
  }
}

double ChangeTest::before_ms() const { return std::exp(mean(m_before)); }
double ChangeTest::now_ms() const { return std::exp(mean(m_now)); }

}  // namespace gtune
