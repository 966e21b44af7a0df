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

/// A kernel's arguments in the form that a launch takes: a pointer to each value.
class KernelArguments {
 public:
  void add_pointer(std::byte* value);
  void add_scalar(const ScalarPlan& scalar);
  void add_map(const TensorMap& map);
  /// Keeps the texture alive as long as these arguments.
  void add_texture(Texture texture);
  void add_surface(cudaSurfaceObject_t object);
  void add_struct(const std::vector<std::byte>& bytes);
  /// Passes the address of a copy in device memory, which lives as long as these arguments.
  void add_struct_by_address(const std::vector<std::byte>& bytes);
  /// Valid until the next add.
  [[nodiscard]] void** data();

 private:
  /// Has the alignment that tensor maps need.
  struct alignas(64) Chunk {
    std::byte bytes[64];
  };

  void add(const void* value, std::size_t bytes);

  std::vector<std::shared_ptr<const Texture>> m_textures;
  std::vector<std::shared_ptr<const DeviceBuffer>> m_structs;
  std::vector<std::vector<Chunk>> m_values;
  std::vector<void*> m_pointers;
};

/// Argument name -> surface.
using Surfaces = std::map<std::string, std::unique_ptr<Surface>>;

/// The result of checking the buffers.
struct CheckResult {
  std::optional<std::string> problem;  // one line; absent if the buffers are correct
  double max_error = 0;                // largest error / tolerance of elements that may not differ
  /// Memory outside the outputs was written: inputs or references can no longer be trusted.
  bool contaminated = false;
};

/// The buffers of a problem. Each is in device memory, or in memory of another kind with a copy in
/// device memory that is filled and checked instead. Inputs are filled by seed, outputs have the
/// reference's result beside them, and all buffers lie between guard zones.
class ProblemBuffers {
 public:
  /// `checks`: for the outputs. `contents`: for inputs without another fill. Throws UserError if an
  /// input cannot be filled.
  ProblemBuffers(const std::vector<ArgumentPlan>& arguments, std::vector<OutputCheck> checks,
                 const std::vector<BufferContents>& contents, std::uint64_t seed,
                 SupportKernels& kernels);

  /// Gives buffers the sizes and memory of a configuration and refills inputs. Also makes the
  /// reference's own workspaces. Throws UserError for a buffer that the problem does not have, or
  /// that is smaller than its compared part.
  void make_ready(const std::vector<ArgumentPlan>& arguments);
  /// Binds the arguments that a launch passes: buffers by address, scalars and tensor maps by
  /// value. make_ready() must have been called. Throws UserError for an argument that does not
  /// exist, or an offset beyond its buffer.
  [[nodiscard]] KernelArguments bind(const std::vector<ArgumentPlan>& arguments,
                                     const std::vector<PassedArgument>& passed,
                                     const Surfaces& surfaces = {});
  /// Makes the surfaces among the arguments, without contents.
  [[nodiscard]] Surfaces make_surfaces(const std::vector<ArgumentPlan>& arguments);
  /// The address of a range for a copy or set. Throws UserError if the range exceeds its buffer.
  [[nodiscard]] std::byte* place_of(const BufferRange& range);
  [[nodiscard]] std::size_t bytes_in(const BufferRange& range);
  /// Whether there are correct results to compare outputs with.
  [[nodiscard]] bool has_reference() const { return m_has_reference; }
  /// The address of a buffer for a compare entry; "y.reference" names the correct contents of y.
  [[nodiscard]] std::byte* compared(const std::string& name);
  /// Copies buffers with a symbol to the module's variables.
  void set_symbols(const Module& module, const std::vector<ArgumentPlan>& arguments);

  /// Read and replace a buffer's contents on the device; `bytes` must have the buffer's size.
  [[nodiscard]] std::vector<std::byte> contents_of(const std::string& buffer);
  void replace_contents(const std::string& buffer, const std::vector<std::byte>& bytes);

  /// Makes the outputs' present contents the reference. Throws UserError if guard zones or inputs
  /// were written, or an output was not. Frees workspaces that the problem does not have.
  void adopt_reference();
  /// Makes results from files the reference. Does nothing if there are none.
  void adopt_results(const std::vector<BufferContents>& contents);
  /// Poisons outputs, restores inouts, zeroes workspaces.
  void reset();
  /// Restores the first contents of every inout. Does not wait if all are in device memory.
  void restore_inouts();
  [[nodiscard]] CheckResult verify();

 private:
  struct Slot {
    BufferPlan plan;
    GuardedBuffer data;
    PlacedBuffer placed;     // only of a buffer elsewhere, with guard zones; `data` is its copy
    bool on_device = false;  // whether the present kernel uses only that copy
    DeviceBuffer pristine;   // first contents of an inout
    std::uint64_t seed = 0;
    std::uint64_t checksum = 0;  // of `data` before anything runs
    DeviceBuffer reference;      // only of out and inout
    std::int64_t reference_count = 0;
    double rms = 0;  // of the reference
    std::uint64_t reference_checksum = 0;
  };

  void make_slot(const BufferPlan& plan, std::uint64_t seed,
                 const std::vector<BufferContents>& contents);
  /// Gives a buffer its initial contents.
  void prepare(Slot& slot, const std::vector<BufferContents>& contents);
  void fill(const Slot& slot, const std::vector<BufferContents>& contents);
  void resize(Slot& slot, std::int64_t count);
  void poison(const Slot& slot);
  [[nodiscard]] static std::size_t reference_bytes(const Slot& slot);
  [[nodiscard]] const OutputCheck& check_of(const Slot& slot) const;
  /// Throws UserError if no buffer has that name.
  [[nodiscard]] Slot& find(const std::string& name);
  static void prepare_workspace(Slot& slot, std::size_t bytes);
  [[nodiscard]] std::byte* address_of(const BufferPlan& buffer, std::int64_t offset);
  /// Allocates a buffer outside device memory, with the contents of its device copy. No effect on
  /// others.
  static void make_placed(Slot& slot);
  /// Gives a buffer the kind of memory of a configuration, with the contents of its device copy.
  static void place(Slot& slot, MemoryKind memory);
  /// Copies a device copy to its buffer elsewhere (push) or back (pull). No effect on others,
  /// nor if the present kernel uses only the device copy.
  static void push(const Slot& slot);
  static void pull(const Slot& slot);
  void verify_integrity(const Slot& slot, CheckResult& result);
  void verify_output(const Slot& slot, CheckResult& result);

  SupportKernels& m_kernels;
  std::vector<OutputCheck> m_checks;
  std::vector<Slot> m_slots;
  std::size_t m_own_slots = 0;  // the problem's; the reference's follow until it is adopted
  bool m_has_reference = false;
};

}  // namespace gtune
