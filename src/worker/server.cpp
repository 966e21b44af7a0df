#include "worker/server.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <new>

#include "model/error.hpp"
#include "system/fault_injection.hpp"
#include "system/take_stdout.hpp"
#include "worker/request_queue.hpp"

namespace gtune {

Frame answer(WorkerBackend& backend, Frame request, bool& lost) {
  const std::string kind = kind_of(request);
  if (kind == "hello") {
    const auto hello = from_frame<Hello>(std::move(request));
    require_same_program(hello.protocol, hello.gtune);
    return to_frame(backend.hello(hello));
  }
  if (kind == "prepare") return to_frame(backend.prepare(from_frame<Prepare>(std::move(request))));
  if (kind == "open_problem") {
    return to_frame(backend.open_problem(from_frame<OpenProblem>(std::move(request))));
  }
  if (kind == "measure") {
    const MeasureReply reply = backend.measure(from_frame<Measure>(std::move(request)));
    lost = reply.worker_lost;
    return to_frame(reply);
  }
  if (kind == "profile") {
    const ProfileReply reply = backend.profile(from_frame<Profile>(std::move(request)));
    lost = reply.worker_lost;
    return to_frame(reply);
  }
  throw FrameError(FrameError::Kind::garbage, "unknown message '" + kind + "'");
}

namespace {

/// From any thread, whatever the others are doing.
[[noreturn]] void end_process(const std::string& why) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (!why.empty() && poll(&ready, 1, 0) > 0) {  // nobody may be reading it
    const std::string line = "worker: " + why + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  }
  _exit(why.empty() ? 0 : 1);
}

}  // namespace

int serve(WorkerBackend& backend) {
  const int out = take_stdout();
  FaultInjection faults("worker");
  // Outlives the handlers below: its destructor waits for the input's end.
  RequestQueue requests(STDIN_FILENO, end_process);
  try {
    while (auto request = requests.next()) {
      faults.before_reply(kind_of(*request), out);
      bool lost = false;
      Frame reply;
      try {
        reply = answer(backend, std::move(*request), lost);
      } catch (const UserError& error) {
        reply = to_frame(ErrorReply{error.what(), static_cast<int>(error.code())});
      }
      write_frame(out, reply);
      // No destructors: they would call into a context that is gone, or wait for a kernel
      // that never ends.
      if (lost) _exit(0);
    }
    return 0;
  } catch (const std::bad_alloc&) {
    end_process("out of memory");
  } catch (const std::exception& error) {
    std::fflush(stderr);  // a kernel's words
    end_process(error.what());
  }
}

}  // namespace gtune
