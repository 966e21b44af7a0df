#include "authoring/idle_parameters.hpp"

#include <algorithm>
#include <set>

#include "jit/unnamed_parameters.hpp"
#include "spec/launch_only.hpp"

namespace gtune {
namespace {

/// The slots that the compiled kernel, its launch and its arguments depend on.
class UsedSlots {
 public:
  void add(const Expression& expression) {
    for (const std::size_t slot : expression.slots()) m_slots.insert(slot);
  }
  void add(const std::vector<Expression>& expressions) {
    for (const Expression& each : expressions) add(each);
  }
  void operator()(const BufferSpec& buffer) { add(buffer.count); }
  void operator()(const ScalarSpec& scalar) { add(scalar.value); }
  void operator()(const StructSpec& spec) {
    for (const StructMemberSpec& member : spec.members) add(member.value);
  }
  void operator()(const TensorMapSpec& map) {
    add(map.when);
    add(map.offset);
    add(map.sizes);
    add(map.strides);
    add(map.box);
  }
  void operator()(const TextureSpec& texture) { add(texture.extent); }
  [[nodiscard]] bool has(std::size_t slot) const { return m_slots.contains(slot); }

 private:
  std::set<std::size_t> m_slots;
};

void add(UsedSlots& used, const StepSpec& step) {
  if (step.when) used.add(*step.when);
  if (step.repeat) used.add(step.repeat->count);
  used.add(step.stream);
  const auto add_range = [&](const BufferRangeSpec& range) {
    used.add(range.offset);
    if (range.count) used.add(*range.count);
  };
  if (const auto* copy = std::get_if<BufferCopySpec>(&step.action)) {
    add_range(copy->from);
    add_range(copy->to);
  }
  if (const auto* set = std::get_if<BufferSetSpec>(&step.action)) add_range(set->range);
  const KernelLaunchSpec* launch = step.launch();
  if (launch == nullptr) return;
  used.add(launch->launch.grid);
  used.add(launch->launch.block);
  used.add(launch->launch.shared_bytes);
  used.add(launch->launch.cluster);
  if (launch->launch.carveout) used.add(*launch->launch.carveout);
  for (const PassedArgumentSpec& passed : launch->args) {
    if (passed.offset) used.add(*passed.offset);
  }
}

UsedSlots used_slots(const KernelSpec& spec) {
  UsedSlots used;
  for (const StepSpec& step : spec.steps) add(used, step);
  for (const ArgumentSpec& argument : spec.args) std::visit(used, argument);
  for (const Expression* expression : compiled_expressions(spec)) used.add(*expression);
  return used;
}

bool chooses_memory(const KernelSpec& spec, const std::string& param) {
  return std::any_of(spec.args.begin(), spec.args.end(), [&](const ArgumentSpec& argument) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    return buffer != nullptr && buffer->memory.param == param;
  });
}

}  // namespace

std::vector<std::string> idle_parameters(const KernelSpec& spec, const KernelSource& source) {
  const UsedSlots used = used_slots(spec);
  std::vector<std::string> idle;
  for (const std::string& name : unnamed_parameters(spec, source)) {
    const auto place = spec.find_param(name) - spec.params.data();
    const bool is_used = used.has(spec.sizes.size() + static_cast<std::size_t>(place));
    if (!is_used && !chooses_memory(spec, name)) idle.push_back(name);
  }
  return idle;
}

}  // namespace gtune
