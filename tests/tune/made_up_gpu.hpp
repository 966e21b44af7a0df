#pragma once

#include "worker/backend.hpp"

namespace gtune::test {

/// A worker that answers as one on a GPU does, so that tuning compiles for it by the clock on the
/// wall. Every kernel is right and takes a millisecond; $GTUNE_TEST_STATUS "launch_error": none can
/// be launched. $GTUNE_TEST_OPENED: a file that gets the last problem's message as JSON.
class MadeUpGpu : public WorkerBackend {
 public:
  HelloReply answer(const Hello& request) override;
  PrepareReply answer(const Prepare& request) override;
  OpenProblemReply answer(const OpenProblem& request) override;
  MeasureReply answer(const Measure& request) override;
  ProfileReply answer(const Profile& request) override;
};

/// A compiler process that is slow with some kernels: $GTUNE_TEST_SLOW "scale=600" means 600 ms
/// more for each entry that begins with "scale".
int run_slow_compiler();

}  // namespace gtune::test
