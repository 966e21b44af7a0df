#include "launchable.hpp"

#include "measure/wait.hpp"
#include "model/error.hpp"

namespace gtune::bench {

void run_once(const Stream& stream, const std::function<void()>& queue) {
  Event done;
  queue();
  done.record(stream);
  wait_for(done, limit_ms);
}

void* pointer_of(const std::string& name, const std::vector<ArgumentPlan>& arguments,
                 ProblemBuffers& buffers) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* plan = std::get_if<BufferPlan>(&arguments[i]);
    if (plan == nullptr || plan->name != name) continue;
    KernelArguments bound = buffers.bind(arguments, {{i, 0}});
    return *static_cast<void**>(bound.data()[0]);
  }
  throw UserError(ExitCode::failed, "the kernel has no buffer " + name);
}

}  // namespace gtune::bench
