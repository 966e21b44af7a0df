#include "worker/server.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <type_traits>

#include "model/error.hpp"
#include "system/fault_injection.hpp"
#include "system/take_stdout.hpp"
#include "worker/request_queue.hpp"

namespace gtune {

Frame reply_to(WorkerBackend& backend, Frame request, bool& lost) {
  const auto answer = [&]<typename Kind>(const Kind& asked) {
    if constexpr (std::is_same_v<Kind, Hello>) require_same_program(asked.protocol, asked.gtune);
    typename Kind::Reply reply = backend.answer(asked);
    if constexpr (MayLoseWorker<Kind>) lost = reply.worker_lost;
    return to_frame(std::move(reply));
  };
  return std::visit(answer, request_from(std::move(request)));
}

namespace {

/// Callable on any thread, whatever the others are doing.
[[noreturn]] void end_process(const std::string& why) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (!why.empty() && poll(&ready, 1, 0) > 0) {  // never blocks, even if nobody reads
    const std::string line = "worker: " + why + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  }
  _exit(why.empty() ? 0 : 1);
}

Frame refusal(const UserError& error) {
  return to_frame(ErrorReply{error.what(), static_cast<int>(error.code())});
}

std::unique_ptr<WorkerBackend> make_or_refuse(
    const std::function<std::unique_ptr<WorkerBackend>()>& make, RequestQueue& requests, int out) {
  try {
    return make();
  } catch (const UserError& error) {
    if (requests.next()) write_frame(out, refusal(error));
    throw;
  }
}

}  // namespace

int serve(const std::function<std::unique_ptr<WorkerBackend>()>& make) {
  const int out = take_stdout();
  FaultInjection faults("worker");
  // Outlives the handlers below: its destructor waits for the input's end.
  RequestQueue requests(STDIN_FILENO, end_process);
  const std::unique_ptr<WorkerBackend> backend = make_or_refuse(make, requests, out);
  try {
    while (auto request = requests.next()) {
      faults.before_reply(kind_of(*request), out);
      bool lost = false;
      Frame reply;
      try {
        reply = reply_to(*backend, std::move(*request), lost);
      } catch (const UserError& error) {
        reply = refusal(error);
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
    std::fflush(stderr);  // a kernel's output
    end_process(error.what());
  }
}

}  // namespace gtune
