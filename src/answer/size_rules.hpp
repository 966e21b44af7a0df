#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "answer/size_transfer.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// What a spec says about answering one problem with what was measured on another. Query,
/// leave-one-out and export ask here, so that they choose alike.
class SizeRules {
 public:
  /// Reads `spec` as long as it is used.
  explicit SizeRules(const KernelSpec& spec) : m_spec(spec) {}

  /// Whether results of one problem may answer for the other: all choices, such as TA, are equal.
  [[nodiscard]] bool same_kind(const Problem& a, const Problem& b) const;
  /// Whether the configuration satisfies the constraints.
  [[nodiscard]] bool is_valid(const Case& asked) const;
  /// Whether the spec says its padded work. If not, the best of the nearest size answers for
  /// another one, whatever the padding.
  [[nodiscard]] bool know_padding() const;
  /// Padded work at `to` over that of the case; absent if its configuration may not be used at `to`
  /// or the spec does not say its padded work.
  [[nodiscard]] std::optional<double> growth(const Case& measured, const Problem& to) const;
  /// Problems near one that it stands for as well (see problems_around.hpp); none without padded
  /// work, which is what is expected of them.
  [[nodiscard]] std::vector<Problem> around(const Problem& problem) const;

  /// The place of the configuration that is expected to be the fastest at `to`, of times measured
  /// at `from`; absent if none may be used.
  [[nodiscard]] std::optional<std::size_t> fastest(const std::vector<ConfigTime>& measured,
                                                   const Problem& from, const Problem& to,
                                                   const DeviceFacts& device) const;

 private:
  const KernelSpec& m_spec;
};

}  // namespace gtune
