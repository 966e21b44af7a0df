#include "measure/problem_buffers.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "measure/argument_bytes.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

std::size_t bytes_of(const BufferPlan& plan) {
  return static_cast<std::size_t>(plan.count) * size_of(plan.type);
}

void copy_on_device(std::byte* to, const std::byte* from, std::size_t bytes) {
  check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
}

void upload(std::byte* to, const std::vector<std::byte>& bytes) {
  check_cuda(cudaMemcpy(to, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
}

const std::vector<std::byte>& find_contents(const std::vector<BufferContents>& contents,
                                            const BufferPlan& plan, bool is_result) {
  const auto found = std::find_if(contents.begin(), contents.end(), [&](const BufferContents& one) {
    return one.name == plan.name && one.is_result == is_result;
  });
  if (found == contents.end() || found->bytes.size() != bytes_of(plan)) {
    throw UserError(ExitCode::failed, "no contents of '" + plan.name + "' in the open problem");
  }
  return found->bytes;
}

std::string mismatch_line(const BufferPlan& plan, const OutputCheck& check,
                          const Comparison& found) {
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.3g", found.max_error);
  std::string line = plan.name + ": " + std::to_string(found.mismatches) + " of " +
                     std::to_string(check.count) + " elements wrong, first at " +
                     std::to_string(found.first_index);
  if (is_floating(plan.type)) {
    line += found.max_error > 1e300 ? ", NaN or infinity among them"
                                    : ", error " + std::string(ratio) + " x the tolerance";
  }
  return line;
}

}  // namespace

void KernelArguments::add(const void* value, std::size_t bytes) {
  std::vector<Chunk>& chunks = m_values.emplace_back((bytes + sizeof(Chunk) - 1) / sizeof(Chunk));
  std::memcpy(chunks.data(), value, bytes);
}

void KernelArguments::add_pointer(std::byte* value) { add(&value, sizeof value); }

void KernelArguments::add_scalar(const ScalarPlan& scalar) {
  add_struct(number_bytes(scalar.type, scalar.integer, scalar.real));
}

void KernelArguments::add_map(const TensorMap& map) { add(&map, sizeof map); }

void KernelArguments::add_texture(Texture texture) {
  m_textures.push_back(std::make_shared<const Texture>(std::move(texture)));
  const cudaTextureObject_t object = m_textures.back()->object();
  add(&object, sizeof object);
}

void KernelArguments::add_surface(cudaSurfaceObject_t object) { add(&object, sizeof object); }

void KernelArguments::add_struct(const std::vector<std::byte>& bytes) {
  add(bytes.data(), bytes.size());
}

void KernelArguments::add_struct_by_address(const std::vector<std::byte>& bytes) {
  m_structs.push_back(std::make_shared<const DeviceBuffer>(bytes.size()));
  upload(m_structs.back()->data(), bytes);
  add_pointer(m_structs.back()->data());
}

void** KernelArguments::data() {
  m_pointers.clear();
  for (std::vector<Chunk>& value : m_values) m_pointers.push_back(value.data());
  return m_pointers.data();
}

ProblemBuffers::ProblemBuffers(const std::vector<ArgumentPlan>& arguments,
                               std::vector<OutputCheck> checks,
                               const std::vector<BufferContents>& contents, std::uint64_t seed,
                               SupportKernels& kernels)
    : m_kernels(kernels), m_checks(std::move(checks)) {
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<BufferPlan>(&argument);
    if (plan == nullptr) continue;
    // Each buffer has its own seed; if inputs were equal, swapping them would go unnoticed.
    // Expressions share one, so that two buffers can hold the same numbers in different orders.
    const bool shares = plan->fill.kind == FillKind::each;
    make_slot(*plan, seed * 1000003 + (shares ? 0 : m_slots.size()), contents);
  }
  m_own_slots = m_slots.size();
}

void ProblemBuffers::make_slot(const BufferPlan& plan, std::uint64_t seed,
                               const std::vector<BufferContents>& contents) {
  Slot slot{plan, GuardedBuffer(bytes_of(plan)), {}, false, {}, seed, 0, {}, 0, 0, 0};
  prepare(slot, contents);
  make_placed(slot);
  m_slots.push_back(std::move(slot));
}

void ProblemBuffers::prepare(Slot& slot, const std::vector<BufferContents>& contents) {
  const BufferPlan& plan = slot.plan;
  if (plan.direction == Direction::in || plan.direction == Direction::inout) {
    fill(slot, contents);
  } else {
    check_cuda(cudaMemset(slot.data.data(), 0, bytes_of(plan)), "cudaMemset");
  }
  // Elements that the reference leaves NaN, such as padding of rows, must stay NaN.
  if (plan.direction == Direction::out && is_floating(plan.type)) {
    m_kernels.poison(slot.data.data(), nullptr, plan);
  }
  if (plan.direction != Direction::workspace) {
    slot.checksum = m_kernels.checksum(slot.data.data(), bytes_of(plan));
  }
  if (plan.direction == Direction::inout) {
    slot.pristine = DeviceBuffer();
    slot.pristine = DeviceBuffer(bytes_of(plan));
    copy_on_device(slot.pristine.data(), slot.data.data(), bytes_of(plan));
  }
}

void ProblemBuffers::make_placed(Slot& slot) {
  slot.placed = PlacedBuffer();  // freed before the new one is allocated
  if (slot.on_device || slot.plan.memory == MemoryKind::device) return;
  slot.placed = PlacedBuffer(slot.data.whole().size(), slot.plan.memory);
  push(slot);
}

void ProblemBuffers::place(Slot& slot, MemoryKind memory) {
  const bool was_on_device = slot.on_device;
  slot.on_device = memory == MemoryKind::device;
  if (slot.on_device) return;
  // An earlier configuration may have failed to allocate it.
  const bool is_missing = slot.placed.data() == nullptr || memory != slot.plan.memory;
  slot.plan.memory = memory;
  if (is_missing) {
    make_placed(slot);
  } else if (was_on_device) {
    push(slot);
  }
}

void ProblemBuffers::push(const Slot& slot) {
  if (slot.placed.data() == nullptr || slot.on_device) return;
  check_cuda(cudaMemcpy(slot.placed.data(), slot.data.whole().data(), slot.placed.size(),
                        cudaMemcpyDefault),
             "cudaMemcpy");
}

void ProblemBuffers::pull(const Slot& slot) {
  if (slot.placed.data() == nullptr || slot.on_device) return;
  check_cuda(cudaMemcpy(slot.data.whole().data(), slot.placed.data(), slot.placed.size(),
                        cudaMemcpyDefault),
             "cudaMemcpy");
}

void ProblemBuffers::fill(const Slot& slot, const std::vector<BufferContents>& contents) {
  if (slot.plan.fill.kind == FillKind::contents) {
    upload(slot.data.data(), find_contents(contents, slot.plan, false));
  } else if (slot.plan.fill.kind == FillKind::copy) {
    copy_on_device(slot.data.data(), find(slot.plan.fill.of).data.data(), bytes_of(slot.plan));
  } else {
    m_kernels.fill(slot.data.data(), slot.plan, slot.seed);
  }
}

void ProblemBuffers::resize(Slot& slot, std::int64_t count) {
  if (count == slot.plan.count) return;
  if (slot.plan.fill.kind == FillKind::contents) {
    throw UserError(ExitCode::failed, "'" + slot.plan.name + "' and its file differ in size");
  }
  if (m_has_reference && is_written(slot.plan.direction) && count < check_of(slot).count) {
    throw UserError(ExitCode::failed, "'" + slot.plan.name + "' has " + std::to_string(count) +
                                          " elements, and " + std::to_string(check_of(slot).count) +
                                          " are compared");
  }
  slot.plan.count = count;
  slot.data.resize(bytes_of(slot.plan));
  prepare(slot, {});
  make_placed(slot);
}

std::size_t ProblemBuffers::reference_bytes(const Slot& slot) {
  return static_cast<std::size_t>(slot.reference_count) * size_of(slot.plan.type);
}

const OutputCheck& ProblemBuffers::check_of(const Slot& slot) const {
  const auto found = std::find_if(m_checks.begin(), m_checks.end(), [&](const OutputCheck& check) {
    return check.name == slot.plan.name;
  });
  if (found == m_checks.end()) {
    throw UserError(ExitCode::failed, "no check of '" + slot.plan.name + "' in the open problem");
  }
  return *found;
}

ProblemBuffers::Slot& ProblemBuffers::find(const std::string& name) {
  const auto found = std::find_if(m_slots.begin(), m_slots.end(),
                                  [&](const Slot& slot) { return slot.plan.name == name; });
  if (found == m_slots.end()) {
    throw UserError(ExitCode::failed, "no buffer '" + name + "' in the open problem");
  }
  return *found;
}

void ProblemBuffers::prepare_workspace(Slot& slot, std::size_t bytes) {
  const bool is_resized = bytes != slot.data.size();
  if (is_resized) slot.data.resize(bytes);
  check_cuda(cudaMemset(slot.data.data(), 0, bytes), "cudaMemset");
  if (is_resized) {
    make_placed(slot);
  } else {
    push(slot);
  }
}

void ProblemBuffers::make_ready(const std::vector<ArgumentPlan>& arguments) {
  // Buffers are resized before any address is taken: they may move, and tensor maps refer to them.
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<BufferPlan>(&argument);
    if (plan == nullptr) continue;
    if (plan->direction != Direction::workspace) {
      resize(find(plan->name), plan->count);
      place(find(plan->name), plan->memory);
      continue;
    }
    // The reference may have workspaces that the kernel does not have.
    const auto known = std::find_if(m_slots.begin(), m_slots.end(),
                                    [&](const Slot& slot) { return slot.plan.name == plan->name; });
    if (known == m_slots.end()) make_slot(*plan, 0, {});
    prepare_workspace(find(plan->name), bytes_of(*plan));
    place(find(plan->name), plan->memory);
  }
}

std::byte* ProblemBuffers::address_of(const BufferPlan& buffer, std::int64_t offset) {
  if (offset < 0 || offset > buffer.count) {
    throw UserError(ExitCode::failed, "an offset of " + std::to_string(offset) +
                                          " elements is beyond '" + buffer.name + "'");
  }
  const Slot& slot = find(buffer.name);
  std::byte* begin = slot.data.data();
  if (!is_reached_by_kernels(buffer.memory)) {
    throw UserError(ExitCode::failed, "kernels cannot access '" + buffer.name + "'");
  }
  if (buffer.memory != MemoryKind::device) {
    begin = slot.placed.device_address() + GuardedBuffer::guard_bytes;
  }
  return begin + static_cast<std::size_t>(offset) * size_of(buffer.type);
}

std::byte* ProblemBuffers::place_of(const BufferRange& range) {
  const Slot& slot = find(range.buffer);
  const auto size = size_of(slot.plan.type);
  const auto all = static_cast<std::int64_t>(slot.data.size() / size);
  if (range.offset < 0 || range.count < 0 || range.offset > all ||
      range.count > all - range.offset) {
    throw UserError(ExitCode::failed, "a step exceeds buffer '" + range.buffer + "'");
  }
  std::byte* begin = slot.placed.data() == nullptr || slot.on_device
                         ? slot.data.data()
                         : slot.placed.data() + GuardedBuffer::guard_bytes;
  return begin + static_cast<std::size_t>(range.offset) * size;
}

std::size_t ProblemBuffers::bytes_in(const BufferRange& range) {
  return static_cast<std::size_t>(range.count) * size_of(find(range.buffer).plan.type);
}

KernelArguments ProblemBuffers::bind(const std::vector<ArgumentPlan>& arguments,
                                     const std::vector<PassedArgument>& passed,
                                     const Surfaces& surfaces) {
  KernelArguments bound;
  for (const PassedArgument& each : passed) {
    if (each.index >= arguments.size()) {
      throw UserError(ExitCode::failed, "a step passes an argument that does not exist");
    }
    const ArgumentPlan& argument = arguments[each.index];
    if (const auto* scalar = std::get_if<ScalarPlan>(&argument)) {
      bound.add_scalar(*scalar);
    } else if (const auto* map = std::get_if<TensorMapPlan>(&argument)) {
      const Slot& slot = find(map->of);
      bound.add_map(encode_tensor_map(*map, slot.plan.type, slot.data.data()));
    } else if (const auto* texture = std::get_if<TexturePlan>(&argument)) {
      if (texture->is_surface) {
        bound.add_surface(surfaces.at(texture->name)->object());
        continue;
      }
      const Slot& slot = find(texture->of);
      bound.add_texture(Texture(*texture, slot.plan.type, slot.data.data(), slot.data.size()));
    } else if (const auto* structure = std::get_if<StructPlan>(&argument)) {
      const std::vector<std::byte> bytes = struct_bytes(
          *structure, [this](const std::string& name) { return find(name).data.data(); });
      if (structure->by_address) {
        bound.add_struct_by_address(bytes);
      } else {
        bound.add_struct(bytes);
      }
    } else {
      bound.add_pointer(address_of(std::get<BufferPlan>(argument), each.offset));
    }
  }
  return bound;
}

Surfaces ProblemBuffers::make_surfaces(const std::vector<ArgumentPlan>& arguments) {
  Surfaces surfaces;
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<TexturePlan>(&argument);
    if (plan == nullptr || !plan->is_surface) continue;
    const Slot& slot = find(plan->of);
    surfaces.emplace(plan->name, std::make_unique<Surface>(*plan, slot.plan.type, slot.data.data(),
                                                           slot.data.size()));
  }
  return surfaces;
}

std::byte* ProblemBuffers::compared(const std::string& name) {
  if (!name.ends_with(reference_suffix)) return find(name).data.data();
  return find(name.substr(0, name.size() - reference_suffix.size())).reference.data();
}

void ProblemBuffers::set_symbols(const Module& module, const std::vector<ArgumentPlan>& arguments) {
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<BufferPlan>(&argument);
    if (plan == nullptr || plan->symbol.empty()) continue;
    module.set_symbol(plan->symbol, find(plan->name).data.data(), bytes_of(*plan));
  }
}

std::vector<std::byte> ProblemBuffers::contents_of(const std::string& buffer) {
  const Slot& slot = find(buffer);
  std::vector<std::byte> bytes(bytes_of(slot.plan));
  check_cuda(cudaMemcpy(bytes.data(), slot.data.data(), bytes.size(), cudaMemcpyDeviceToHost),
             "cudaMemcpy");
  return bytes;
}

void ProblemBuffers::replace_contents(const std::string& buffer,
                                      const std::vector<std::byte>& bytes) {
  upload(find(buffer).data.data(), bytes);
}

void ProblemBuffers::adopt_reference() {
  // Otherwise configurations would be blamed for damage done by the reference.
  CheckResult found;
  for (const Slot& slot : m_slots) pull(slot);
  for (const Slot& slot : m_slots) verify_integrity(slot, found);
  if (found.problem) {
    throw UserError(ExitCode::failed, "the spec's reference kernel is wrong: " + *found.problem);
  }
  m_slots.erase(m_slots.begin() + static_cast<std::ptrdiff_t>(m_own_slots), m_slots.end());
  m_has_reference = true;
  for (Slot& slot : m_slots) {
    if (!is_written(slot.plan.direction)) continue;
    const std::size_t bytes = bytes_of(slot.plan);
    slot.reference = DeviceBuffer(bytes);
    slot.reference_count = slot.plan.count;
    copy_on_device(slot.reference.data(), slot.data.data(), bytes);
    slot.rms = m_kernels.root_mean_square(slot.reference.data(), slot.plan);
    slot.reference_checksum = m_kernels.checksum(slot.reference.data(), bytes);
    if (slot.plan.direction == Direction::out && is_floating(slot.plan.type) &&
        check_of(slot).count > 0 && slot.reference_checksum == slot.checksum) {
      throw UserError(ExitCode::failed, "the reference kernel writes nothing to " + slot.plan.name);
    }
  }
}

void ProblemBuffers::adopt_results(const std::vector<BufferContents>& contents) {
  const auto is_result = [](const BufferContents& one) { return one.is_result; };
  if (std::none_of(contents.begin(), contents.end(), is_result)) return;
  for (const Slot& slot : m_slots) {
    if (!is_written(slot.plan.direction)) continue;
    upload(slot.data.data(), find_contents(contents, slot.plan, true));
    push(slot);
  }
  adopt_reference();
}

void ProblemBuffers::reset() {
  for (Slot& slot : m_slots) {
    switch (slot.plan.direction) {
      case Direction::in:
        break;
      case Direction::out:
        poison(slot);
        break;
      case Direction::inout:
        continue;
      case Direction::workspace:
        check_cuda(cudaMemset(slot.data.data(), 0, slot.data.size()), "cudaMemset");
        break;
    }
    if (slot.plan.direction != Direction::in) push(slot);
  }
  restore_inouts();
}

void ProblemBuffers::restore_inouts() {
  for (const Slot& slot : m_slots) {
    if (slot.plan.direction != Direction::inout) continue;
    copy_on_device(slot.data.data(), slot.pristine.data(), bytes_of(slot.plan));
    push(slot);
  }
}

void ProblemBuffers::poison(const Slot& slot) {
  if (is_floating(slot.plan.type)) {
    m_kernels.poison(slot.data.data(), nullptr, slot.plan);
    return;
  }
  // Integers are poisoned only where they are compared; without a reference, nowhere.
  BufferPlan known = slot.plan;
  known.count = std::min(known.count, slot.reference_count);
  m_kernels.poison(slot.data.data(), slot.reference.data(), known);
}

CheckResult ProblemBuffers::verify() {
  CheckResult result;
  for (const Slot& slot : m_slots) pull(slot);
  // Integrity is checked first: an out-of-bounds write explains a wrong output, not vice versa.
  for (const Slot& slot : m_slots) verify_integrity(slot, result);
  for (const Slot& slot : m_slots) verify_output(slot, result);
  return result;
}

void ProblemBuffers::verify_integrity(const Slot& slot, CheckResult& result) {
  const auto report = [&](const std::string& line) {
    if (!result.problem) result.problem = slot.plan.name + ": " + line;
    result.contaminated = true;
  };
  const Comparison front = m_kernels.check_guard(slot.data.front_guard());
  const Comparison back = m_kernels.check_guard(slot.data.back_guard());
  if (front.mismatches != 0) {
    report("written out of bounds, " +
           std::to_string(GuardedBuffer::guard_bytes - front.first_index) +
           " bytes before the start");
  }
  if (back.mismatches != 0) {
    report("written out of bounds, " + std::to_string(back.first_index) + " bytes after the end");
  }
  const std::size_t bytes = bytes_of(slot.plan);
  if (slot.plan.direction == Direction::in) {
    if (m_kernels.checksum(slot.data.data(), bytes) != slot.checksum) {
      report("the kernel changed its input");
    }
  } else if (m_has_reference && is_written(slot.plan.direction) &&
             m_kernels.checksum(slot.reference.data(), reference_bytes(slot)) !=
                 slot.reference_checksum) {
    report("written far out of bounds, into the reference result");
  }
}

void ProblemBuffers::verify_output(const Slot& slot, CheckResult& result) {
  if (!m_has_reference || !is_written(slot.plan.direction)) return;
  const OutputCheck& check = check_of(slot);
  if (check.by_entry) return;
  const Comparison found =
      m_kernels.compare(slot.data.data(), slot.reference.data(), slot.plan, check, slot.rms);
  const bool allowed =
      static_cast<double>(found.mismatches) <= check.may_differ * static_cast<double>(check.count);
  result.max_error =
      std::max(result.max_error, allowed ? std::min(found.max_error, 1.0) : found.max_error);
  if (!allowed && !result.problem) result.problem = mismatch_line(slot.plan, check, found);
}

}  // namespace gtune
