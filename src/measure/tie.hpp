#pragma once

#include <cstddef>
#include <vector>

namespace gtune {

struct TieOptions {
  /// Smaller relative differences of medians count as ties: a GPU's times vary by about this much
  /// between processes, however many samples one process takes.
  double floor = 0.002;
};

struct Ranking {
  std::vector<std::size_t> order;  // finalists by median, the fastest first
  std::vector<std::size_t> tied;   // indistinguishable from order[0], which is included
  bool settled = true;             // every tie is known to be below the floor
};

/// Ranks finalists that were sampled in turn (A B C A B C): samples[f][r] is the time of finalist f
/// in round r in milliseconds. Rounds that not all finalists have are ignored.
///
/// Samples of one round are close in time and share clock and temperature, so finalists are
/// compared by their differences within rounds. A finalist is slower if the 95 % interval of the
/// median difference to the fastest lies above the floor; otherwise they tie. The
/// interval is the inversion of the sign test, which assumes no distribution (W. J. Conover,
/// Practical Nonparametric Statistics, 3rd ed., 3.2 and 3.4). Below six rounds its confidence
/// is lower than 95 %. A tie is settled if that interval lies below the floor.
///
/// Throws std::invalid_argument if a finalist has no sample, or there is no finalist.
[[nodiscard]] Ranking rank_finalists(const std::vector<std::vector<double>>& samples,
                                     TieOptions options = {});

}  // namespace gtune
