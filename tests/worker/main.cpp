#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "worker/replay_backend.hpp"
#include "worker/server.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

/// Prints like kernels and libraries during every request.
class NoisyBackend : public WorkerBackend {
 public:
  HelloReply answer(const Hello& request) override { return noisy(m_replay.answer(request)); }
  PrepareReply answer(const Prepare& request) override { return noisy(m_replay.answer(request)); }
  OpenProblemReply answer(const OpenProblem& request) override {
    return noisy(m_replay.answer(request));
  }
  /// With the label "poison" the context counts as lost.
  MeasureReply answer(const Measure& request) override {
    MeasureReply reply = noisy(m_replay.answer(request));
    if (request.label == "poison") {
      reply.status = Status::crashed;
      reply.reason = "an illegal memory access";
      reply.worker_lost = true;
      std::fprintf(stderr, "the kernel's last words\n");
    }
    return reply;
  }
  ProfileReply answer(const Profile& request) override { return noisy(m_replay.answer(request)); }
  MeasureEnergyReply answer(const MeasureEnergy& request) override {
    return noisy(m_replay.answer(request));
  }
  SampleLinesReply answer(const SampleLines& request) override {
    return noisy(m_replay.answer(request));
  }

 private:
  template <typename Reply>
  static Reply noisy(Reply reply) {
    std::printf("gtun thread 0 sees 42\n");
    std::fflush(stdout);
    return reply;
  }

  ReplayBackend m_replay{{test::some_recording()}};
};

}  // namespace
}  // namespace gtune

// The test program is also its own worker.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "noisy_worker") {
    return gtune::serve([] { return std::make_unique<gtune::NoisyBackend>(); });
  }
  std::signal(SIGPIPE, SIG_IGN);  // as gtune does
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
