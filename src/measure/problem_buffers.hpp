#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/support_kernels.hpp"
#include "gpu/surface.hpp"
#include "gpu/tensor_map.hpp"
#include "gpu/texture.hpp"
#include "model/plan.hpp"

namespace gtune {

/// The kernel's parameters in the form that a launch takes: one pointer to each value.
class KernelArguments {
 public:
  void add_pointer(std::byte* value);
  void add_scalar(const ScalarPlan& scalar);
  void add_map(const TensorMap& map);
  /// The arguments keep it for as long as they live.
  void add_texture(Texture texture);
  void add_surface(cudaSurfaceObject_t object);
  void add_struct(const std::vector<std::byte>& bytes);
  /// The same: a copy in device memory is passed.
  void add_struct_by_address(const std::vector<std::byte>& bytes);
  /// Valid until the next add.
  [[nodiscard]] void** data();

 private:
  /// As tensor maps have to be aligned.
  struct alignas(64) Chunk {
    std::byte bytes[64];
  };

  void add(const void* value, std::size_t bytes);

  std::vector<std::shared_ptr<const Texture>> m_textures;
  std::vector<std::shared_ptr<const DeviceBuffer>> m_structs;
  std::vector<std::vector<Chunk>> m_values;
  std::vector<void*> m_pointers;
};

/// By the arguments' names.
using Surfaces = std::map<std::string, std::unique_ptr<Surface>>;

/// What a check of the buffers found.
struct CheckResult {
  std::optional<std::string> problem;  // one line; nothing if all is well
  double max_error = 0;                // largest error / tolerance, of elements that may not differ
  /// Memory outside the outputs was written: inputs or references can no longer be trusted.
  bool contaminated = false;
};

/// The buffers of a problem: in the device's memory, or in the host's with a copy in the device's
/// that is filled and checked in its place. Inputs filled by seed, outputs with the reference's
/// result beside them, all between guard zones.
class ProblemBuffers {
 public:
  /// `checks`: of the outputs. `contents`: of inputs that have no other fill. Throws UserError
  /// where an input cannot be filled.
  ProblemBuffers(const std::vector<ArgumentPlan>& arguments, std::vector<OutputCheck> checks,
                 const std::vector<BufferContents>& contents, std::uint64_t seed,
                 SupportKernels& kernels);

  /// Buffers get the size that the configuration asks for, and inputs their contents again; the
  /// reference's own workspaces are made here. Throws UserError for a buffer that the problem does
  /// not have, or that is smaller than what of it is compared.
  void make_ready(const std::vector<ArgumentPlan>& arguments);
  /// What a launch takes of these arguments: buffers by name, scalars and tensor maps by value.
  /// They have to be ready. Throws UserError for an argument that there is not, or an offset beyond
  /// its buffer.
  [[nodiscard]] KernelArguments bind(const std::vector<ArgumentPlan>& arguments,
                                     const std::vector<PassedArgument>& passed,
                                     const Surfaces& surfaces = {});
  /// Of the arguments those that are one, without contents.
  [[nodiscard]] Surfaces make_surfaces(const std::vector<ArgumentPlan>& arguments);
  /// Where a copy finds the elements. Throws UserError for what is not within its buffer.
  [[nodiscard]] std::byte* place_of(const BufferRange& range);
  [[nodiscard]] std::size_t bytes_in(const BufferRange& range);
  /// Whether outputs have something to be compared with.
  [[nodiscard]] bool has_reference() const { return m_has_reference; }
  /// Where a compare entry finds a buffer, or by "y.reference" what output y has to be.
  [[nodiscard]] std::byte* compared(const std::string& name);
  /// Copies those of these buffers that are variables of a source to them.
  void set_symbols(const Module& module, const std::vector<ArgumentPlan>& arguments);

  /// What a buffer holds now, and other contents for it, as many bytes.
  [[nodiscard]] std::vector<std::byte> contents_of(const std::string& buffer);
  void replace_contents(const std::string& buffer, const std::vector<std::byte>& bytes);

  /// Makes the outputs' present contents the reference. Throws UserError where guard zones or
  /// inputs were written, or an output was not. Frees workspaces that the problem does not have.
  void adopt_reference();
  /// Makes results that come from elsewhere the reference; nothing where there are none.
  void adopt_results(const std::vector<BufferContents>& contents);
  /// Poisons outputs, restores inouts, zeroes workspaces.
  void reset();
  /// Each inout gets its first contents. Does not wait where all are in device memory.
  void restore_inouts();
  [[nodiscard]] CheckResult verify();

 private:
  struct Slot {
    BufferPlan plan;
    GuardedBuffer data;
    HostBuffer host;  // of a buffer in the host's memory, guard zones included; `data` is its copy
    bool on_device = false;  // whoever runs now uses that copy alone
    DeviceBuffer pristine;   // inout: its first contents
    std::uint64_t seed = 0;
    std::uint64_t checksum = 0;  // of `data` before anything runs
    DeviceBuffer reference;      // out, inout
    std::int64_t reference_count = 0;
    double rms = 0;  // of the reference
    std::uint64_t reference_checksum = 0;
  };

  void make_slot(const BufferPlan& plan, std::uint64_t seed,
                 const std::vector<BufferContents>& contents);
  /// Its contents before anything runs.
  void prepare(Slot& slot, const std::vector<BufferContents>& contents);
  void fill(const Slot& slot, const std::vector<BufferContents>& contents);
  void resize(Slot& slot, std::int64_t count);
  void poison(const Slot& slot);
  [[nodiscard]] static std::size_t reference_bytes(const Slot& slot);
  [[nodiscard]] const OutputCheck& check_of(const Slot& slot) const;
  /// Throws UserError where there is none of that name.
  [[nodiscard]] Slot& find(const std::string& name);
  static void prepare_workspace(Slot& slot, std::size_t bytes);
  [[nodiscard]] std::byte* address_of(const BufferPlan& buffer, std::int64_t offset);
  static void make_host(Slot& slot);
  /// Between a buffer in the host's memory and its copy; of others nothing.
  static void push(const Slot& slot);
  static void pull(const Slot& slot);
  void verify_integrity(const Slot& slot, CheckResult& result);
  void verify_output(const Slot& slot, CheckResult& result);

  SupportKernels& m_kernels;
  std::vector<OutputCheck> m_checks;
  std::vector<Slot> m_slots;
  std::size_t m_own_slots = 0;  // the problem's; behind them, until it is adopted, the reference's
  bool m_has_reference = false;
};

}  // namespace gtune
