#pragma once

#include "worker/messages.hpp"

// What a worker says is not believed where it cannot be: it may be another program, on another
// machine. See model/possible_measurement.hpp. Every request has its overload: the reply as far as
// it can be, its texts single lines of bounded length, whoever wrote them.
namespace gtune {

/// Throws UserError(failed) where another program answers, or the device cannot be.
[[nodiscard]] HelloReply possible_reply(const Hello& request, HelloReply reply);

/// Throws UserError(failed) where the limits cannot be.
[[nodiscard]] PrepareReply possible_reply(const Prepare& request, PrepareReply reply);

[[nodiscard]] OpenProblemReply possible_reply(const OpenProblem& request, OpenProblemReply reply);

/// The reply, or where it cannot be one of a configuration that failed, with the reason.
[[nodiscard]] MeasureReply possible_reply(const Measure& request, MeasureReply reply);

/// Metrics that were asked for, each once; one whose value cannot be has the reason in its place.
[[nodiscard]] ProfileReply possible_reply(const Profile& request, ProfileReply reply);

}  // namespace gtune
