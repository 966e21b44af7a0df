#pragma once

#include "worker/messages.hpp"

namespace gtune {

/// Answers one kind of request.
template <typename Request>
class Answerer {
 public:
  virtual ~Answerer() = default;
  virtual typename Request::Reply answer(const Request& request) = 0;
};

template <typename Requests>
class AnswererOfAll;
template <typename... Requests>
class AnswererOfAll<std::variant<Requests...>> : public Answerer<Requests>... {
 public:
  using Answerer<Requests>::answer...;
};

/// Answers a worker's requests: a GPU, or a recording of one. Has a member `answer` for each
/// request, which throws UserError if it cannot be served.
using WorkerBackend = AnswererOfAll<Request>;

}  // namespace gtune
