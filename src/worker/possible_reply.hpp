#pragma once

#include "worker/messages.hpp"

// What a worker says is not believed where it cannot be: it may be another program, on another
// machine. See model/possible_measurement.hpp.
namespace gtune {

/// Throws UserError(failed) that says what of the device cannot be.
void require_possible(const HelloReply& reply);
void require_possible(const PrepareReply& reply);

/// The reply, or where it cannot be one of a configuration that failed, with the reason. Its reason
/// is one line of bounded length.
[[nodiscard]] MeasureReply possible_reply(const Measure& request, MeasureReply reply);

/// Metrics that were asked for, each once; one whose value cannot be has the reason in its place.
[[nodiscard]] ProfileReply possible_reply(const Profile& request, ProfileReply reply);

}  // namespace gtune
