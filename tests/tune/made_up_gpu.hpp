#pragma once

#include "worker/backend.hpp"

namespace gtune::test {

/// A worker that answers as one on a GPU does, so that tuning compiles for it by the clock on the
/// wall. Every kernel is right and takes a millisecond; $GTUNE_TEST_STATUS "launch_error": none can
/// be launched.
class MadeUpGpu : public WorkerBackend {
 public:
  HelloReply hello(const Hello& request) override;
  PrepareReply prepare(const Prepare& request) override;
  OpenProblemReply open_problem(const OpenProblem& request) override;
  MeasureReply measure(const Measure& request) override;
  ProfileReply profile(const Profile& request) override;
};

/// A compiler process that is slow with some kernels: $GTUNE_TEST_SLOW "scale=600" means 600 ms
/// more for each entry that begins with "scale".
int run_slow_compiler();

}  // namespace gtune::test
