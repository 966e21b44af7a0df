#pragma once

#include "worker/backend.hpp"

namespace gtune::test {

/// A worker that answers like one on a GPU, so tuning compiles for it and uses wall-clock time.
/// Every kernel is right and takes a millisecond, unless $GTUNE_TEST_STATUS is "launch_error": then
/// none can be launched. $GTUNE_TEST_OPENED names a file that receives the last problem's message
/// as JSON.
class MadeUpGpu : public WorkerBackend {
 public:
  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;
  MeasureEnergyReply answer(const MeasureEnergy& request) override;
  SampleLinesReply answer(const SampleLines& request) override;
};

/// Runs a compiler process that is slow for some kernels: with $GTUNE_TEST_SLOW "scale=600" it
/// takes 600 ms longer for entries that begin with "scale". Returns the exit code.
int run_slow_compiler();

}  // namespace gtune::test
