#pragma once

#include <string>
#include <string_view>

namespace gtune {

/// How launches follow each other while they are timed.
/// cold: each by itself, with an L2 cache that holds none of its data. warm: each by itself.
/// back_to_back: many in a row; if they are short, the time is what the host needs to launch them.
/// graph: many in a row, all launched by the host at once as a CUDA graph.
enum class LaunchOrder { cold, warm, back_to_back, graph };

inline constexpr int most_timed_streams = 64;
/// Launches in a row, on each stream.
inline constexpr int shortest_row = 4;

/// What a time means. Times of different modes are never compared.
struct TimingMode {
  LaunchOrder order = LaunchOrder::cold;
  /// Streams that launch at the same time, each on buffers of its own. A time is then that of all
  /// of them, divided by their number.
  int streams = 1;

  bool operator==(const TimingMode&) const = default;
  /// cold comes first, then warm, then the others by their texts, as in store/sql/answer_views.sql.
  [[nodiscard]] bool operator<(const TimingMode& other) const;

  [[nodiscard]] bool flushes_l2() const { return order == LaunchOrder::cold; }
  /// Whether a sample is one launch (on each stream), else the mean over a row of them.
  [[nodiscard]] bool times_single_launches() const {
    return order == LaunchOrder::cold || order == LaunchOrder::warm;
  }
  /// Launches of one sample of a long kernel; a row of short ones has more.
  [[nodiscard]] int launches_of_sample() const {
    return streams * (times_single_launches() ? 1 : shortest_row);
  }
  /// "cold", "warm", "back-to-back" or "graph", followed by "/4" if there are 4 streams.
  [[nodiscard]] std::string text() const;
  /// A phrase, such as "with a warm L2 cache" or "in CUDA graphs on 4 streams"; empty for the
  /// default, cold on one stream.
  [[nodiscard]] std::string phrase() const;
  /// The options that ask for it, each after a space; empty for the default.
  [[nodiscard]] std::string options() const;
};

inline constexpr std::string_view all_launch_orders = "cold, warm, back-to-back or graph";

[[nodiscard]] std::string_view to_string(LaunchOrder order);
/// These throw std::invalid_argument for another text.
[[nodiscard]] LaunchOrder launch_order_from_string(std::string_view word);
[[nodiscard]] TimingMode timing_mode_from_string(std::string_view text);

}  // namespace gtune
