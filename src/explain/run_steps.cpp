#include "explain/run_steps.hpp"

#include <algorithm>

namespace gtune {
namespace {

const BufferPlan* find_buffer(const std::vector<ArgumentPlan>& arguments, const std::string& name) {
  for (const ArgumentPlan& argument : arguments) {
    const auto* buffer = std::get_if<BufferPlan>(&argument);
    if (buffer != nullptr && buffer->name == name) return buffer;
  }
  return nullptr;
}

StepWork work_of(MemoryKind from, MemoryKind to) {
  if (is_host_memory(from) != is_host_memory(to)) {
    return is_host_memory(to) ? StepWork::to_host : StepWork::to_device;
  }
  if (from == to || is_host_memory(from)) return StepWork::within_memory;
  return to == MemoryKind::peer ? StepWork::to_peer : StepWork::from_peer;
}

/// Adds one repeat of a copy.
void add_copy(RunStep& step, const BufferCopy& copy, const std::vector<ArgumentPlan>& arguments) {
  const BufferPlan* from = find_buffer(arguments, copy.from.buffer);
  const BufferPlan* to = find_buffer(arguments, copy.to.buffer);
  step.work = StepWork::within_memory;
  if (from == nullptr || to == nullptr) return;
  step.bytes += static_cast<double>(copy.from.count) * static_cast<double>(size_of(from->type));
  step.pageable = from->memory == MemoryKind::pageable || to->memory == MemoryKind::pageable;
  step.work = work_of(from->memory, to->memory);
}

}  // namespace

bool is_transfer(StepWork work) {
  return work != StepWork::kernel && work != StepWork::within_memory;
}

std::vector<RunStep> run_steps(const std::vector<StepPlan>& steps,
                               const std::vector<ArgumentPlan>& arguments) {
  std::vector<RunStep> found;
  for (const StepPlan& plan : steps) {
    if (plan.setup) continue;
    auto step = std::find_if(found.begin(), found.end(),
                             [&](const RunStep& each) { return each.name == plan.name; });
    if (step == found.end()) {
      found.push_back({plan.name});
      step = found.end() - 1;
    }
    ++step->repeats;
    if (const auto* copy = std::get_if<BufferCopy>(&plan.action)) {
      add_copy(*step, *copy, arguments);
    } else if (std::holds_alternative<BufferSet>(plan.action)) {
      step->work = StepWork::within_memory;
    }
  }
  return found;
}

}  // namespace gtune
