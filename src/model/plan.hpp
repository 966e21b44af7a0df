#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/operation.hpp"

// What a worker needs to run a kernel: plain numbers, every expression already evaluated.
namespace gtune {

enum class ElementType { f16, bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 };

[[nodiscard]] std::string_view to_string(ElementType type);
/// Throws std::invalid_argument for a word that is no element type.
[[nodiscard]] ElementType element_type_from_string(std::string_view word);
[[nodiscard]] std::size_t size_of(ElementType type);
[[nodiscard]] bool is_floating(ElementType type);

/// in: read only, checked to be unchanged. out: poisoned before each check. inout: restored
/// before each check. workspace: zeroed before each check and before a configuration's first
/// launch, contents not compared.
enum class Direction { in, out, inout, workspace };

[[nodiscard]] std::string_view to_string(Direction direction);
[[nodiscard]] Direction direction_from_string(std::string_view word);
/// Whether its contents are a result.
[[nodiscard]] bool is_written(Direction direction);

/// Where a buffer is. Kernels reach device and mapped memory, copies all. pinned and mapped are the
/// host's, page-locked; pageable is ordinary memory of the host.
enum class MemoryKind { device, pinned, pageable, mapped };

[[nodiscard]] std::string_view to_string(MemoryKind kind);
[[nodiscard]] MemoryKind memory_kind_from_string(std::string_view word);
[[nodiscard]] bool is_reached_by_kernels(MemoryKind kind);

/// How a buffer is filled. uniform: over [low, high) by seed and index. constant: low. iota:
/// low + index. normal: mean low, standard deviation high. permutation: of 0 to count - 1.
/// offsets: from 0 up to high, ascending, such as the row pointers of a sparse matrix. each: by an
/// expression of the index. copy: the contents of another buffer. contents: of a file, as
/// BufferContents.
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
  std::string of = {};  // copy: the name of a buffer before this one
};

/// The bytes of a buffer that come from a file.
struct BufferContents {
  std::string name;        // of the buffer
  bool is_result = false;  // what the kernel has to write, else what it finds there
  std::vector<std::byte> bytes;
};

struct BufferPlan {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  // elements
  Direction direction = Direction::in;
  Fill fill;
  std::string symbol = {};  // copied to this variable of the kernel's source
  MemoryKind memory = MemoryKind::device;
};

/// A kernel argument passed by value. Integers are taken from `integer`, floats from `real`.
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
  std::string of = {};         // a buffer's name; empty: a number
  std::int64_t alignment = 0;  // bytes; 0: that of the type
};

/// 0, for the type's own, or 1 to 256 as a power of two.
[[nodiscard]] bool is_alignment(std::int64_t bytes);

/// A struct passed by value, or by the address of a copy in device memory. Its members lie as
/// C++ lays them out.
struct StructPlan {
  std::string name;
  std::vector<StructMember> members;
  bool by_address = false;
};

inline constexpr std::size_t most_struct_members = 512;
/// What a kernel takes as arguments in all, from compute capability 7.0 (CUDA 12.1) on.
inline constexpr std::size_t most_argument_bytes = 32764;

/// How a box copied by the tensor memory accelerator is laid out in shared memory.
enum class Swizzle { none, b32, b64, b128 };

/// "none", "32B", "64B", "128B".
[[nodiscard]] std::string_view to_string(Swizzle swizzle);
[[nodiscard]] Swizzle swizzle_from_string(std::string_view word);

inline constexpr std::size_t most_tensor_dimensions = 5;

/// A CUtensorMap over a buffer, passed by value: what one copy by the tensor memory accelerator
/// takes. Dimensions are innermost first; what a box has outside the sizes is filled with zeros.
struct TensorMapPlan {
  std::string name;
  std::string of;                     // the buffer's name
  std::int64_t offset = 0;            // elements of the buffer before the tensor
  std::vector<std::int64_t> sizes;    // elements; empty: no map, the kernel gets zeros
  std::vector<std::int64_t> strides;  // elements, of dimension 1 and on
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

/// A cudaTextureObject_t over a copy of a buffer, or a cudaSurfaceObject_t, passed by value.
struct TexturePlan {
  std::string name;
  std::string of;                    // the buffer's name
  std::vector<std::int64_t> extent;  // texels: width, height, depth; 1 to 3
  std::int64_t channels = 1;         // elements of a texel: 1, 2 or 4
  TextureFilter filter = TextureFilter::point;
  TextureAddress address = TextureAddress::clamp;
  bool normalized_coordinates = false;  // 0 to 1 over the extent
  bool normalized_values = false;       // integers are read as 0 to 1, or -1 to 1
  bool linear_memory = false;           // one dimension, read by tex1Dfetch
  bool is_surface =
      false;  // a cudaSurfaceObject_t instead: the buffer gets what kernels write there
};

using ArgumentPlan = std::variant<BufferPlan, ScalarPlan, TensorMapPlan, TexturePlan, StructPlan>;

struct LaunchPlan {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> block = {1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic
  bool cooperative = false;       // all blocks are resident at once and may wait for each other
  bool programmatic = false;      // may begin before the kernel before it has ended
  std::array<std::int64_t, 3> cluster = {1, 1, 1};  // blocks
  std::int64_t carveout = -1;  // percent of the SM's memory that is shared memory; -1: the driver's

  [[nodiscard]] std::int64_t blocks_per_cluster() const {
    return cluster[0] * cluster[1] * cluster[2];
  }
  [[nodiscard]] std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  /// Of the grid; what a device can launch is exact in a double.
  [[nodiscard]] double blocks() const {
    return static_cast<double>(grid[0]) * static_cast<double>(grid[1]) *
           static_cast<double>(grid[2]);
  }
};

/// An argument as a launch takes it.
struct PassedArgument {
  std::size_t index = 0;    // among the arguments of the kernel
  std::int64_t offset = 0;  // of a buffer: elements before what the kernel gets
};

/// A launch of one of the source's kernels.
struct KernelLaunch {
  std::string kernel;  // the entry with its values; for a worker its mangled name
  LaunchPlan launch;
  std::vector<PassedArgument> arguments;  // in the order of the kernel's parameters
};

/// Elements of a buffer.
struct BufferRange {
  std::string buffer;
  std::int64_t offset = 0;
  std::int64_t count = 0;
};

/// A copy between two buffers, both of so many elements of one type.
struct BufferCopy {
  BufferRange from;
  BufferRange to;
};

/// Sets all bytes to one value.
struct BufferSet {
  BufferRange range;
  int byte = 0;  // 0 to 255
};

/// What one step does.
using StepAction = std::variant<KernelLaunch, BufferCopy, BufferSet>;

/// A part of what is run and timed as a whole. Steps on one stream run in their order; all streams
/// begin with the first step and end with the last.
struct StepPlan {
  std::string name;    // for people; of all repeats of a step the same
  bool setup = false;  // run before what is timed, whenever buffers are restored
  StepAction action;
  int stream = 0;
  std::vector<std::size_t> after = {};  // steps before it that it waits for
};

/// Streams, and steps with all their repeats.
inline constexpr int most_streams = 16;
inline constexpr std::size_t most_planned_steps = 4096;

/// Names of what a compare entry gets of an output beside its buffer: the reference's result, and a
/// 64-bit count, 0 at first, of what is wrong.
inline constexpr std::string_view reference_suffix = ".reference";
inline constexpr std::string_view mismatches_suffix = ".mismatches";

/// The launch of a compare entry. `arguments`: in the order of its parameters, buffers and scalars.
struct ComparePlan {
  std::string output;  // that it judges
  StepPlan step;
  std::vector<ArgumentPlan> arguments;
};

/// How an output is compared with the reference's:
/// |out - reference| <= rtol * max(|reference|, rms(reference)) + atol; NaN only equals NaN.
/// Integer buffers are compared exactly.
struct OutputCheck {
  std::string name;  // of the buffer
  double rtol = 0;
  double atol = 0;
  double may_differ = 0;   // share of what is compared, 0 to 1, that need not hold
  std::int64_t count = 0;  // of elements that are compared, from the first
  ElementProgram where;    // of them, those where it is not 0; empty: all
  bool by_entry = false;   // a compare entry judges it instead
};

}  // namespace gtune
