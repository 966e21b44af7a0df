#pragma once

#include "worker/messages.hpp"

// A worker's replies are not trusted: it may be another program, on another machine. See
// model/possible_measurement.hpp. Every request has its overload, which returns the possible part
// of the reply, with all texts as single lines of bounded length.
namespace gtune {

/// Throws UserError(failed) if another program answers, or the device is impossible.
[[nodiscard]] HelloReply possible_reply(const Hello& request, HelloReply reply);

/// Throws UserError(failed) if the limits are impossible.
[[nodiscard]] PrepareReply possible_reply(const Prepare& request, PrepareReply reply);

[[nodiscard]] OpenProblemReply possible_reply(const OpenProblem& request, OpenProblemReply reply);

/// The reply; if it is impossible, that of a crashed configuration, with the reason.
[[nodiscard]] MeasureReply possible_reply(const Measure& request, MeasureReply reply);

/// The requested metrics, each once; one with an impossible value has the reason in its place.
[[nodiscard]] ProfileReply possible_reply(const Profile& request, ProfileReply reply);

/// An impossible energy is absent, with the reason.
[[nodiscard]] MeasureEnergyReply possible_reply(const MeasureEnergy& request,
                                                MeasureEnergyReply reply);

/// An impossible profile is absent, with the reason.
[[nodiscard]] SampleLinesReply possible_reply(const SampleLines& request, SampleLinesReply reply);

}  // namespace gtune
