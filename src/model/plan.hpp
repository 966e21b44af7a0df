#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

/// How a buffer is filled: uniform over [low, high) by seed and index; constant: low;
/// iota: low + index.
enum class FillKind { uniform, constant, iota };

[[nodiscard]] std::string_view to_string(FillKind kind);
[[nodiscard]] FillKind fill_kind_from_string(std::string_view word);

struct Fill {
  FillKind kind = FillKind::uniform;
  double low = -1;
  double high = 1;
};

struct BufferPlan {
  std::string name;
  ElementType type = ElementType::f32;
  std::int64_t count = 0;  // elements
  Direction direction = Direction::in;
  Fill fill;
};

/// A kernel argument passed by value. Integers are taken from `integer`, floats from `real`.
struct ScalarPlan {
  std::string name;
  ElementType type = ElementType::i32;
  std::int64_t integer = 0;
  double real = 0;
};

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

using ArgumentPlan = std::variant<BufferPlan, ScalarPlan, TensorMapPlan>;

struct LaunchPlan {
  std::array<std::int64_t, 3> grid = {1, 1, 1};
  std::array<std::int64_t, 3> block = {1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic

  [[nodiscard]] std::int64_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  /// Of the grid; what a device can launch is exact in a double.
  [[nodiscard]] double blocks() const {
    return static_cast<double>(grid[0]) * static_cast<double>(grid[1]) *
           static_cast<double>(grid[2]);
  }
};

/// |out - reference| <= rtol * max(|reference|, rms(reference)) + atol; NaN only equals NaN.
/// Integer buffers are compared exactly.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
};

}  // namespace gtune
