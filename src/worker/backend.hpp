#pragma once

#include "worker/messages.hpp"

namespace gtune {

/// What answers a worker's messages: a GPU, or a recording of one. A member throws UserError
/// where the request cannot be served.
class WorkerBackend {
 public:
  virtual ~WorkerBackend() = default;
  virtual HelloReply hello(const Hello& request) = 0;
  virtual PrepareReply prepare(const Prepare& request) = 0;
  virtual OpenProblemReply open_problem(const OpenProblem& request) = 0;
  virtual MeasureReply measure(const Measure& request) = 0;
  virtual ProfileReply profile(const Profile& request) = 0;
};

}  // namespace gtune
