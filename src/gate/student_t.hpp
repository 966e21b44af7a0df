#pragma once

namespace gtune {

/// The probability that a variable with Student's t-distribution exceeds `t` (at least 0).
/// `degrees`: of freedom, above 0, not necessarily whole.
[[nodiscard]] double student_t_tail(double t, double degrees);

/// The t that such a variable exceeds with the probability `tail`, above 0 and at most 0.5.
[[nodiscard]] double student_t_quantile(double tail, double degrees);

}  // namespace gtune
