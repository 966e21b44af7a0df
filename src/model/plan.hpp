#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/operation.hpp"

// Everything a worker needs to run a kernel, as plain numbers: all expressions are evaluated.
namespace gtune {

enum class ElementType { f16, bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 };

[[nodiscard]] std::string_view to_string(ElementType type);
/// Throws std::invalid_argument for an unknown word, like all *_from_string functions here.
[[nodiscard]] ElementType element_type_from_string(std::string_view word);
/// In bytes.
[[nodiscard]] std::size_t size_of(ElementType type);
[[nodiscard]] bool is_floating(ElementType type);

/// in: read only, and checked to be unchanged. out: poisoned before each check. inout: restored
/// before each check. workspace: zeroed before each check and before a configuration's first
/// launch; its contents are not compared.
enum class Direction { in, out, inout, workspace };

[[nodiscard]] std::string_view to_string(Direction direction);
[[nodiscard]] Direction direction_from_string(std::string_view word);
/// Whether a buffer of this direction holds results.
[[nodiscard]] bool is_written(Direction direction);

/// Where a buffer is. pinned and mapped are page-locked host memory, and so is write_combined,
/// which CPUs read slowly; pageable is ordinary host memory; peer is another GPU's.
enum class MemoryKind { device, pinned, pageable, mapped, write_combined, peer };

/// For messages about memory: all kinds, and those that kernels reach. Copies reach all.
inline constexpr std::string_view all_memory_kinds =
    "device, pinned, pageable, mapped, write_combined or peer";
inline constexpr std::string_view memory_kinds_of_kernels =
    "device, mapped, write_combined or peer";

[[nodiscard]] std::string_view to_string(MemoryKind kind);
[[nodiscard]] MemoryKind memory_kind_from_string(std::string_view word);
[[nodiscard]] bool is_reached_by_kernels(MemoryKind kind);
[[nodiscard]] bool is_host_memory(MemoryKind kind);

/// How a buffer is filled. uniform: over [low, high), from seed and index. constant: low. iota:
/// low + index. normal: mean low, standard deviation high. permutation: of 0 to count - 1. offsets:
/// ascending from 0 to high, like the row pointers of a sparse matrix. each: an expression of the
/// index. copy: another buffer's contents. contents: a file's, as BufferContents.
enum class FillKind {
  uniform,
  constant,
  iota,
  normal,
  permutation,
  offsets,
  each,
  copy,
  contents,
};

[[nodiscard]] std::string_view to_string(FillKind kind);
[[nodiscard]] FillKind fill_kind_from_string(std::string_view word);

/// An expression of an element's index, which is its only slot; `text` names it in messages.
struct ElementProgram {
  std::vector<Node> steps;  // in order of evaluation; the last is the value
  std::string text;

  [[nodiscard]] bool empty() const { return steps.empty(); }
};

inline constexpr std::size_t most_element_steps = 64;

struct Fill {
  FillKind kind = FillKind::uniform;
  double low = -1;
  double high = 1;
  ElementProgram each = {};
  std::string of = {};  // copy: the name of an earlier buffer
};

/// A buffer's contents from a file.
struct BufferContents {
  std::string name;        // of the buffer
  bool is_result = false;  // the expected result, else the initial contents
  std::vector<std::byte> bytes;
};

struct BufferPlan {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  // elements
  Direction direction = Direction::in;
  Fill fill;
  std::string symbol = {};  // the variable of the source that receives a copy
  MemoryKind memory = MemoryKind::device;
};

/// A kernel argument passed by value. `type` selects `integer` or `real`.
struct ScalarPlan {
  std::string name;
  ElementType type = ElementType::i32;
  std::int64_t integer = 0;
  double real = 0;
};

/// A member of a struct: a number, or the address of a buffer.
struct StructMember {
  ElementType type = ElementType::i32;
  std::int64_t integer = 0;
  double real = 0;
  std::string of = {};         // a buffer's name; empty if it is a number
  std::int64_t alignment = 0;  // bytes; 0: that of the type
};

/// Whether it is 0 (the type's own alignment) or a power of two, 1 to 256.
[[nodiscard]] bool is_alignment(std::int64_t bytes);

/// A struct passed by value, or by the address of a copy in device memory, in C++'s layout.
struct StructPlan {
  std::string name;
  std::vector<StructMember> members;
  bool by_address = false;
};

inline constexpr std::size_t most_struct_members = 512;
/// Limit on all arguments of a kernel together, for compute capability 7.0 and above (CUDA 12.1).
inline constexpr std::size_t most_argument_bytes = 32764;

/// How a box copied by the tensor memory accelerator is laid out in shared memory.
enum class Swizzle { none, b32, b64, b128 };

/// "none", "32B", "64B", "128B".
[[nodiscard]] std::string_view to_string(Swizzle swizzle);
[[nodiscard]] Swizzle swizzle_from_string(std::string_view word);

inline constexpr std::size_t most_tensor_dimensions = 5;

/// A CUtensorMap over a buffer, passed by value, for copies by the tensor memory accelerator.
/// Dimensions are innermost first. Elements of a box outside the sizes read as zeros.
struct TensorMapPlan {
  std::string name;
  std::string of;                     // the buffer's name
  std::int64_t offset = 0;            // elements of the buffer before the tensor
  std::vector<std::int64_t> sizes;    // elements; empty: no map, the kernel gets zero bytes
  std::vector<std::int64_t> strides;  // elements, from dimension 1 on
  std::vector<std::int64_t> box;      // elements
  Swizzle swizzle = Swizzle::none;
};

enum class TextureFilter { point, linear };
enum class TextureAddress { wrap, clamp, mirror, border };

[[nodiscard]] std::string_view to_string(TextureFilter filter);
[[nodiscard]] TextureFilter texture_filter_from_string(std::string_view word);
[[nodiscard]] std::string_view to_string(TextureAddress address);
[[nodiscard]] TextureAddress texture_address_from_string(std::string_view word);

inline constexpr std::size_t most_texture_dimensions = 3;

/// A cudaTextureObject_t or cudaSurfaceObject_t over a copy of a buffer, passed by value.
struct TexturePlan {
  std::string name;
  std::string of;                    // the buffer's name
  std::vector<std::int64_t> extent;  // texels: width, height, depth; 1 to 3
  std::int64_t channels = 1;         // elements of a texel: 1, 2 or 4
  TextureFilter filter = TextureFilter::point;
  TextureAddress address = TextureAddress::clamp;
  bool normalized_coordinates = false;  // 0 to 1 over the extent
  bool normalized_values = false;       // integers read as 0 to 1, or -1 to 1
  bool linear_memory = false;           // one dimension, read by tex1Dfetch
  bool is_surface = false;  // a cudaSurfaceObject_t: writes are copied back to the buffer
};

using ArgumentPlan = std::variant<BufferPlan, ScalarPlan, TensorMapPlan, TexturePlan, StructPlan>;

/// Blocks of a cluster that every device with clusters supports; more must be asked for.
inline constexpr std::int64_t portable_cluster_blocks = 8;
/// Bytes of a block's dynamic shared memory that every device gives; more must be asked for.
inline constexpr std::int64_t shared_without_opt_in = std::int64_t{48} * 1024;

struct LaunchPlan {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> block = {1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic
  bool cooperative = false;       // all blocks are resident at once and may wait for each other
  bool programmatic = false;      // may begin before the preceding kernel ends
  std::array<std::int64_t, 3> cluster = {1, 1, 1};  // blocks
  std::int64_t carveout = -1;  // shared memory, in percent of its maximum; -1: the driver's choice

  [[nodiscard]] std::int64_t blocks_per_cluster() const {
    return cluster[0] * cluster[1] * cluster[2];
  }
  [[nodiscard]] std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  /// The grid's blocks; exact for every grid that a device can launch.
  [[nodiscard]] double blocks() const {
    return static_cast<double>(grid[0]) * static_cast<double>(grid[1]) *
           static_cast<double>(grid[2]);
  }
};

/// An argument of a launch.
struct PassedArgument {
  std::size_t index = 0;    // among the arguments of the kernel
  std::int64_t offset = 0;  // buffers: elements before the address that the kernel gets
};

/// A launch of one of the source's kernels.
struct KernelLaunch {
  std::string kernel;  // the entry with its values; in a worker, its mangled name
  LaunchPlan launch;
  std::vector<PassedArgument> arguments;  // in the order of the kernel's parameters
};

/// `count` elements of a buffer, from `offset` on.
struct BufferRange {
  std::string buffer;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

/// A copy between two buffers. Both ranges have the same count and element type.
struct BufferCopy {
  BufferRange from;
  BufferRange to;
};

/// Sets all bytes of a range to one value.
struct BufferSet {
  BufferRange range;
  int byte = 0;  // 0 to 255
};

/// What one step does.
using StepAction = std::variant<KernelLaunch, BufferCopy, BufferSet>;

/// A step of a run, which is timed as a whole. Steps on one stream run in order. All streams start
/// together, and the run ends when all have finished.
struct StepPlan {
  std::string name;    // for people; all repeats of a step share it
  bool setup = false;  // runs untimed, whenever buffers are restored
  StepAction action;
  int stream = 0;
  std::vector<std::size_t> after = {};  // earlier steps that it waits for
};

/// Limits on streams, and on steps including all repeats.
inline constexpr int most_streams = 16;
inline constexpr std::size_t most_planned_steps = 4096;

/// Suffixes to an output's name for further arguments of its compare entry: the reference's result,
/// and a 64-bit count of wrong elements, initially 0.
inline constexpr std::string_view reference_suffix = ".reference";
inline constexpr std::string_view mismatches_suffix = ".mismatches";

/// The launch of a compare entry. `arguments`: buffers and scalars, in the order of its parameters.
struct ComparePlan {
  std::string output;  // the output that it checks
  StepPlan step;
  std::vector<ArgumentPlan> arguments;
};

/// How an output is compared with the reference's:
/// |out - reference| <= rtol * max(|reference|, rms(reference)) + atol; NaN equals only NaN.
/// Integer buffers are compared exactly.
struct OutputCheck {
  std::string name;  // of the buffer
  double rtol = 0;
  double atol = 0;
  double may_differ = 0;   // share of the compared elements that may be wrong, 0 to 1
  std::int64_t count = 0;  // compared elements, from the first on
  ElementProgram where;    // only elements for which it is not 0; empty: all
  bool by_entry = false;   // a compare entry checks it instead
};

}  // namespace gtune
