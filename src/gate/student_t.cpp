#include "gate/student_t.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace gtune {
namespace {

/// The continued fraction of the incomplete beta function (NIST DLMF 8.17.22), evaluated from the
/// front by Lentz's method. Converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  constexpr int most_terms = 10000;
  const auto not_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / not_zero(1 - (a + b) * x / (a + 1));
  double value = d;
  for (int m = 1; m <= most_terms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double term : {even, odd}) {
      d = 1 / not_zero(1 + term * d);
      c = not_zero(1 + term / c);
      value *= c * d;
    }
    if (std::abs(c * d - 1) < std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

/// The regularised incomplete beta function I_x(a, b), 0 <= x <= 1.
double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double student_t_density(double t, double degrees) {
  const double log_scale = std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2) -
                           std::log(degrees * std::numbers::pi) / 2;
  return std::exp(log_scale - (degrees + 1) / 2 * std::log1p(t * t / degrees));
}

}  // namespace

double student_t_tail(double t, double degrees) {
  return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

double student_t_quantile(double tail, double degrees) {
  double low = 0;
  double high = 1;
  while (student_t_tail(high, degrees) > tail && high < 1e12) high *= 2;
  // Newton's steps on the logarithm of the tail, which is nearly straight, within the bracket.
  double t = high;
  for (int step = 0; step < 200 && high - low > 1e-12 * high; ++step) {
    const double at = student_t_tail(t, degrees);
    (at > tail ? low : high) = t;
    double next = t + std::log(at / tail) * at / student_t_density(t, degrees);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - t) <= 1e-12 * t) return next;
    t = next;
  }
  return t;
}

}  // namespace gtune
