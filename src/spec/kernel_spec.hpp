#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/compiler.hpp"
#include "model/named_values.hpp"
#include "model/plan.hpp"
#include "spec/expression.hpp"

// A kernel's spec as read from its TOML file. Expressions use the spec's slots, in this order:
// problem sizes, parameters, device facts, the compiler's facts (see evaluate.hpp).
namespace gtune {

/// The largest problem size: larger buffers do not exist, and products of two sizes overflow.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 40;

struct ProblemSize {
  std::string name;
  Expression default_value;  // over the sizes before it
  std::int64_t minimum = 1;
  std::int64_t maximum = largest_size;
  std::vector<std::int64_t> choices;  // the only values, each its own kind of problem; empty: any
  std::string help;
};

struct Parameter {
  std::string name;
  std::vector<std::int64_t> values;  // as listed
  std::string help;
  /// Over earlier parameters. If it is 0, the parameter does not exist and has its first value.
  std::optional<Expression> when = {};
};

/// A constraint or a [let].
struct NamedExpression {
  std::string name;
  Expression expression;
};

struct LaunchSpec {
  std::vector<Expression> grid;   // 1 to 3
  std::vector<Expression> block;  // 1 to 3
  Expression shared_bytes;
  bool cooperative = false;
  bool programmatic = false;
  std::vector<Expression> cluster = {};     // 1 to 3; empty: none
  std::optional<Expression> carveout = {};  // percent

  /// Whether the launch has only a grid, a block and shared memory.
  [[nodiscard]] bool is_plain() const {
    return !cooperative && !programmatic && cluster.empty() && !carveout;
  }
};

/// See PassedArgument.
struct PassedArgumentSpec {
  std::size_t index = 0;
  std::optional<Expression> offset = {};
};

/// See KernelLaunch.
struct KernelLaunchSpec {
  std::string entry;  // "sgemm", or a name expression "sgemm<BM,BN>"
  LaunchSpec launch;
  std::vector<PassedArgumentSpec> args;
};

/// See BufferRange.
struct BufferRangeSpec {
  std::size_t index = 0;  // of a buffer among the spec's arguments
  Expression offset = {};
  std::optional<Expression> count = {};  // absent: to the buffer's end
};

/// See BufferCopy. The count is that of `from`.
struct BufferCopySpec {
  BufferRangeSpec from;
  BufferRangeSpec to;
};

/// See BufferSet.
struct BufferSetSpec {
  BufferRangeSpec range;
  int byte = 0;
};

/// How often a step runs. Consecutive steps with the same counter run together, once per value.
struct RepeatSpec {
  Expression count;
  std::string counter = {};  // empty: no expression names it
  std::size_t slot = 0;      // of the counter, after all other slots
};

/// See StepPlan.
struct StepSpec {
  std::string name;  // empty if it is the only step
  bool setup = false;
  std::optional<Expression> when = {};  // if it is 0, the step is left out
  Expression stream{std::int64_t{0}};
  std::vector<std::string> after = {};  // steps whose latest run it waits for
  std::optional<RepeatSpec> repeat = {};
  std::variant<KernelLaunchSpec, BufferCopySpec, BufferSetSpec> action = {};

  /// Null if the step is not a launch.
  [[nodiscard]] const KernelLaunchSpec* launch() const {
    return std::get_if<KernelLaunchSpec>(&action);
  }
};

/// The launches among the steps.
[[nodiscard]] std::vector<const KernelLaunchSpec*> launches_of(const std::vector<StepSpec>& steps);

/// The template arguments of all launches' entries, each once.
[[nodiscard]] std::vector<std::string> template_arguments(const std::vector<StepSpec>& steps);

/// The launch, if it is the only step and unconditional; otherwise null.
[[nodiscard]] const KernelLaunchSpec* only_launch(const std::vector<StepSpec>& steps);

/// See Fill. Expressions are over sizes and device facts.
struct FillSpec {
  FillKind kind = FillKind::uniform;
  Expression low{-1.0};  // real
  Expression high{1.0};
  double infinity = 0;   // replaces `low`, which is always finite, in a constant fill
  Expression each = {};  // of kind element; its last slot is the element's index
  std::string of = {};
  std::filesystem::path file = {};  // for FillKind::contents
  std::string part = {};            // of the matrix in `file`
};

/// The kind of a buffer's memory. A parameter may choose it: the texts of its values are kinds.
struct MemorySpec {
  std::vector<MemoryKind> kinds = {MemoryKind::device};  // the only one, or one for each value
  std::string param = {};                                // empty: none

  /// Whether no configuration has another kind.
  [[nodiscard]] bool is_always(MemoryKind kind) const;
  /// Whether kernels reach it in every configuration, or in at least one.
  [[nodiscard]] bool is_always_reached() const;
  [[nodiscard]] bool is_ever_reached() const;
  /// For errors: "pinned memory", "pinned or pageable memory".
  [[nodiscard]] std::string text() const;
};

struct BufferSpec {
  std::string name;
  ElementType type = ElementType::f32;
  Expression count;  // elements
  Direction direction = Direction::in;
  FillSpec fill;
  std::string symbol = {};  // a variable of the source that receives the contents
  bool passed = true;       // whether launches pass it as an argument
  MemorySpec memory = {};
};

struct ScalarSpec {
  std::string name;
  ElementType type = ElementType::i32;
  Expression value;  // of kind real for floating types
};

/// See TensorMapPlan. Dimensions are innermost first.
struct TensorMapSpec {
  std::string name;
  std::string of;                       // a buffer among the arguments
  ElementType type = ElementType::f32;  // of the buffer
  Expression when{std::int64_t{1}};     // if it is 0, there is no map and the kernel gets zeros
  Expression offset;
  std::vector<Expression> sizes;
  std::vector<Expression> strides;  // empty: dense
  std::vector<Expression> box;
  Swizzle swizzle = Swizzle::none;
};

/// See TexturePlan.
struct TextureSpec {
  std::string name;
  std::string of;  // a buffer among the arguments
  std::vector<Expression> extent;
  std::int64_t channels = 1;
  TextureFilter filter = TextureFilter::point;
  TextureAddress address = TextureAddress::clamp;
  bool normalized_coordinates = false;
  bool normalized_values = false;
  bool linear_memory = false;
  bool is_surface = false;
};

/// See StructMember.
struct StructMemberSpec {
  ElementType type = ElementType::i32;
  Expression value{std::int64_t{0}};  // of kind real for floating types
  std::string of = {};                // a buffer among the arguments; empty: `value` is passed
  std::int64_t alignment = 0;
};

/// See StructPlan.
struct StructSpec {
  std::string name;
  std::vector<StructMemberSpec> members;
  bool by_address = false;
};

using ArgumentSpec = std::variant<BufferSpec, ScalarSpec, TensorMapSpec, TextureSpec, StructSpec>;

[[nodiscard]] const std::string& name_of(const ArgumentSpec& argument);

/// Size in bytes when passed by value.
[[nodiscard]] std::size_t size_of(const StructSpec& spec);

/// Whether it is a buffer that the kernel writes as a result.
[[nodiscard]] bool is_output(const ArgumentSpec& argument);

struct WorkSpec {
  std::optional<Expression> flops;  // of kind real, over the sizes
  std::optional<Expression> bytes;
  /// Work in any unit, idle parts of tiles and waves included. Of kind integer, over all slots.
  std::optional<Expression> padded;
  /// Bytes that all blocks load and store, repeated ones included. Of kind integer, over all slots.
  std::optional<Expression> traffic;
};

/// The name under which configurations that violate a launch condition are counted.
inline constexpr const char* launch_constraint = "launch";

/// Values for some of the sizes; the others keep their defaults.
using AwkwardProblem = std::vector<NamedExpression>;

/// A kernel or host function whose result is correct by definition.
struct ReferenceSpec {
  std::vector<StepSpec> steps;
  std::filesystem::path source;  // the tuned kernel's, or a file of its own
  std::vector<ArgumentSpec> args;
  Config params = {};  // fixed values, if the reference is the tuned kernel or a baseline
  bool is_tuned_kernel = false;
  std::string host_entry = {};  // a C++ function instead of steps; empty: none

  [[nodiscard]] bool on_host() const { return !host_entry.empty(); }
};

/// An entry that checks an output instead of tolerances. Its arguments include a count of errors,
/// and may include the reference's results (see mismatches_suffix and reference_suffix).
struct CompareSpec {
  std::vector<StepSpec> steps;   // one launch
  std::filesystem::path source;  // the tuned kernel's, or a file of its own
  std::vector<ArgumentSpec> args;
};

/// See OutputCheck. Expressions are over sizes and device facts.
struct OutputCheckSpec {
  std::string name;
  Expression rtol{0.0};  // of kind real, over the sizes
  Expression atol{0.0};
  double may_differ = 0;
  std::optional<Expression> count;  // absent: all elements
  std::optional<Expression> where;  // of kind element, as FillSpec::each
  std::optional<CompareSpec> compare;
};

/// A file with the correct contents of an output.
struct ResultFile {
  std::string output;
  std::filesystem::path file;
};

struct CheckSpec {
  std::optional<ReferenceSpec> reference;
  std::vector<ResultFile> results;       // of every output, instead of a reference
  std::vector<OutputCheckSpec> outputs;  // of every buffer that is written
  std::vector<AwkwardProblem> also;

  /// Whether correct results are known; otherwise results are not checked.
  [[nodiscard]] bool has_results() const;
};

struct Baseline {
  std::string name;
  std::vector<StepSpec> steps;  // the tuned kernel's, if the spec names no entry
  Config params;                // fixed values; empty if there are none
  std::string help;
  bool is_tuned_kernel = false;  // whether it is a configuration of the tuned kernel
};

/// An option of the command line that replaces this spec by another one.
struct VariantOption {
  std::string name;           // "math" for --math
  std::string default_value;  // selects this spec
  std::string help;
  struct Variant {
    std::string value;
    std::filesystem::path file;
  };
  std::vector<Variant> variants;  // in the order of the spec
};

struct KernelSpec {
  std::string name;
  std::string help;
  std::filesystem::path file;           // the TOML
  std::filesystem::path source;         // the CUDA file
  Compiler compiler = Compiler::nvrtc;  // for all CUDA files
  std::vector<std::string> options;     // with absolute paths; {NAME} is a parameter's value
  std::vector<ProblemSize> sizes;
  std::vector<Parameter> params;
  std::vector<NamedExpression> lets;
  std::vector<NamedExpression> macros;                // stated in [kernel]
  std::vector<NamedExpression> constraints;           // checked before a compile
  std::vector<NamedExpression> compiled_constraints;  // checked after a compile
  std::vector<StepSpec> steps;                        // of the tuned kernel, in order
  std::vector<Expression> launch_conditions;          // required on every device
  std::vector<ArgumentSpec> args;
  WorkSpec work;
  CheckSpec check;
  std::vector<Baseline> baselines;
  std::vector<VariantOption> variants;
  std::string text;  // the whole file

  /// Null if none has that name.
  [[nodiscard]] const Parameter* find_param(std::string_view param) const;
  [[nodiscard]] const ProblemSize* find_size(std::string_view size) const;
  [[nodiscard]] const NamedExpression* find_let(std::string_view let) const;
  [[nodiscard]] const NamedExpression* find_macro(std::string_view macro) const;
  [[nodiscard]] const BufferSpec* find_buffer(std::string_view buffer) const;

  /// The CUDA files that identify measurements, without their includes; the kernel's file is first.
  [[nodiscard]] std::vector<std::filesystem::path> sources() const;
  /// The files that buffers and results come from.
  [[nodiscard]] std::vector<std::filesystem::path> data_files() const;
};

}  // namespace gtune
