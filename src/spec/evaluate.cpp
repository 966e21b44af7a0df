#include "spec/evaluate.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "model/error.hpp"
#include "model/value_word.hpp"
#include "model/words.hpp"
#include "spec/compiled_slots.hpp"
#include "spec/compiler_options.hpp"
#include "spec/device_slots.hpp"
#include "spec/fill_rules.hpp"
#include "spec/open_sizes.hpp"
#include "spec/problem_text.hpp"
#include "spec/tensor_map_rules.hpp"

namespace gtune {
namespace {

std::size_t first_compiled_slot(const KernelSpec& spec) {
  return spec.sizes.size() + spec.params.size() + device_slot_names.size();
}

bool names_compiled(const KernelSpec& spec, const Expression& expression) {
  const std::size_t first = first_compiled_slot(spec);
  const auto& nodes = expression.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
    const auto slot = static_cast<std::size_t>(node.value);
    return node.operation == Operation::slot && slot >= first &&
           slot < first + compiled_slot_names.size();
  });
}

void set_compiled(const KernelSpec& spec, const ResourceUsage& usage,
                  std::vector<std::int64_t>& slots) {
  const auto values = compiled_slot_values(usage);
  std::copy(values.begin(), values.end(),
            slots.begin() + static_cast<std::ptrdiff_t>(first_compiled_slot(spec)));
}

/// A part of a spec: its name in errors and its place (see CaseError).
struct Part {
  // NOLINTNEXTLINE(google-explicit-constructor): most parts are only words
  Part(std::string words) : what(std::move(words)) {}
  Part(std::string words, std::vector<std::string> where)
      : what(std::move(words)), keys(std::move(where)) {}

  /// The part for a key of this table.
  [[nodiscard]] Part key(const std::string& words, const std::string& name) const {
    Part part(words + " of " + what, keys);
    if (!keys.empty()) part.keys.push_back(name);
    return part;
  }

  std::string what;
  std::vector<std::string> keys = {};
};

Part of_argument(const std::string& words, const std::string& argument, const std::string& key) {
  return {words + " of '" + argument + "'", {"args", argument, key}};
}

Part part_of(const StepSpec& step) { return {"step '" + step.name + "'", {"steps", step.name}}; }

/// Evaluates a spec's parts for one case; errors name the part and the case.
class Evaluation {
 public:
  Evaluation(const KernelSpec& spec, const Case& of, CompiledFacts facts = {})
      : m_spec(spec),
        m_problem(of.problem),
        m_config(of.config),
        m_facts(std::move(facts)),
        m_slots(slot_values(spec, of)) {}

  [[noreturn]] void fail(const Part& part, const std::string& why) const {
    const std::string with = m_config.empty() ? "" : " with " + m_config.text();
    throw CaseError(m_spec.file.string() + ": " + part.what + " for " +
                        problem_text(m_spec, m_problem) + with + ": " + why,
                    part.what + ": " + why, part.keys);
  }

  [[nodiscard]] std::int64_t integer(const Expression& expression, const Part& what,
                                     std::int64_t least) const {
    if (!m_knows_kernel && names_compiled(m_spec, expression)) return least;
    const Checked value = expression.try_evaluate(m_slots);
    const std::string quoted = "'" + expression.text() + "'";
    if (value.failure != Failure::none) {
      fail(what, quoted + ": " + std::string(to_string(value.failure)));
    }
    if (value.value < least) {
      fail(what, quoted + " is " + std::to_string(value.value) + "; expected at least " +
                     std::to_string(least));
    }
    return value.value;
  }

  [[nodiscard]] double real(const Expression& expression, const Part& what) const {
    try {
      return expression.evaluate_real(m_slots);
    } catch (const EvaluationError& error) {
      fail(what, error.what());
    }
  }

  /// `entry`: the name with its values.
  [[nodiscard]] LaunchPlan launch(const LaunchSpec& spec, const std::string& entry,
                                  const Part& what) const {
    LaunchPlan plan;
    plan.cooperative = spec.cooperative;
    plan.programmatic = spec.programmatic;
    if (!m_facts || !needs_facts(m_spec, spec)) {
      set_grid(spec, what, plan);
      set_block(spec, what, plan);
      set_shared(spec, what, plan);
      return plan;
    }
    set_block(spec, what, plan);
    Evaluation compiled(*this);
    compiled.know(m_facts(entry, plan));
    compiled.set_shared(spec, what, plan);
    // Occupancy needs the carve-out, unless the carve-out itself depends on occupancy.
    if (spec.carveout && !names_compiled(m_spec, *spec.carveout)) set_carveout(spec, what, plan);
    compiled.know(m_facts(entry, plan));
    compiled.set_grid(spec, what, plan);
    return plan;
  }

  [[nodiscard]] bool is_left_out(const StepSpec& step, const Part& what) const {
    return step.when && integer(*step.when, what.key("when", "when"),
                                std::numeric_limits<std::int64_t>::min()) == 0;
  }

  /// `what` names the whole in errors.
  [[nodiscard]] std::vector<StepPlan> steps(const std::vector<StepSpec>& specs,
                                            const std::vector<ArgumentSpec>& arguments,
                                            const Part& what) const {
    std::vector<StepPlan> plans;
    for (std::size_t i = 0; i < specs.size();) {
      const std::size_t end = end_of_group(specs, i);
      const std::span<const StepSpec> group(specs.data() + i, end - i);
      i = end;
      if (!group.front().repeat) {
        add_steps(group, arguments, what, plans);
        continue;
      }
      const RepeatSpec& repeat = *group.front().repeat;
      const Part whose = part_of(group.front()).key("repeat", "repeat");
      const std::int64_t count = integer(repeat.count, whose, 0);
      if (std::cmp_greater(count, most_planned_steps / group.size())) {
        fail(whose, std::to_string(count) + " times " + std::to_string(group.size()) +
                        " steps; expected " + std::to_string(most_planned_steps) + " at most");
      }
      Evaluation repeated(*this);
      for (std::int64_t value = 0; value < count; ++value) {
        repeated.set_counter(repeat, value);
        repeated.add_steps(group, arguments, what, plans);
      }
    }
    if (plans.size() <= most_planned_steps) return plans;
    fail(what, std::to_string(plans.size()) + " steps; expected " +
                   std::to_string(most_planned_steps) + " at most");
  }

  /// The entry with the values of the parameters, problem sizes and lets that it names.
  [[nodiscard]] std::string entry(const std::string& entry) const {
    NamedValues values = m_config;
    for (const std::string& name : template_arguments(entry)) {
      if (const auto size = m_problem.find(name)) values.set(name, *size);
      if (const NamedExpression* let = m_spec.find_let(name)) {
        values.set(name, integer(let->expression, {"let '" + name + "'", {"let", name}},
                                 std::numeric_limits<std::int64_t>::min()));
      }
    }
    return instantiate_entry(entry, values);
  }

  [[nodiscard]] BufferPlan buffer(const BufferSpec& spec) const {
    const std::int64_t count = count_of(spec);
    const bool is_filled = spec.direction == Direction::in || spec.direction == Direction::inout;
    BufferPlan plan{
        spec.name,   spec.type,      count, spec.direction, is_filled ? fill(spec, count) : Fill{},
        spec.symbol, memory_of(spec)};
    const auto size = static_cast<std::int64_t>(size_of(spec.type));
    if (plan.count > std::numeric_limits<std::int64_t>::max() / size) {
      fail(of_argument("count", spec.name, "count"), "its bytes overflow 64 bits");
    }
    return plan;
  }

  [[nodiscard]] ScalarPlan scalar(const ScalarSpec& spec) const {
    const Part what = of_argument("value", spec.name, "value");
    ScalarPlan plan{spec.name, spec.type, 0, 0};
    if (is_floating(spec.type)) {
      plan.real = fitting_real(spec.value, spec.type, what);
    } else {
      plan.integer = fitting(spec.value, spec.type, what);
    }
    return plan;
  }

  [[nodiscard]] StructPlan structure(const StructSpec& spec) const {
    const Part what = of_argument("a member", spec.name, "members");
    StructPlan plan{spec.name, {}, spec.by_address};
    for (const StructMemberSpec& each : spec.members) {
      StructMember& member =
          plan.members.emplace_back(StructMember{each.type, 0, 0, each.of, each.alignment});
      if (!each.of.empty()) continue;
      if (is_floating(each.type)) {
        member.real = fitting_real(each.value, each.type, what);
      } else {
        member.integer = fitting(each.value, each.type, what);
      }
    }
    return plan;
  }

  /// Refuses what cuTensorMapEncodeTiled would refuse, with an error that names the argument.
  [[nodiscard]] TensorMapPlan tensor_map(const TensorMapSpec& spec, std::int64_t count) const {
    TensorMapPlan plan{spec.name, spec.of, 0, {}, {}, {}, spec.swizzle};
    const auto part = [&](const char* key) { return of_argument(key, spec.name, key); };
    if (integer(spec.when, part("when"), 0) == 0) return plan;
    plan.offset = integer(spec.offset, part("offset"), 0);
    plan.sizes = integers(spec.sizes, part("sizes"), 0);
    if (std::find(plan.sizes.begin(), plan.sizes.end(), 0) != plan.sizes.end()) {
      plan.sizes.clear();  // an empty tensor has no map
      return plan;
    }
    plan.box = integers(spec.box, part("box"), 1);
    plan.strides = spec.strides.empty() ? dense_strides(plan.sizes, part("sizes"))
                                        : integers(spec.strides, part("strides"), 1);
    if (const auto mistake = find_mistake(plan, spec.type, count)) {
      fail({"'" + spec.name + "'", {"args", spec.name}}, *mistake);
    }
    return plan;
  }

  [[nodiscard]] TexturePlan texture(const TextureSpec& spec) const {
    const Part whose = of_argument("extent", spec.name, "extent");
    TexturePlan plan{
        spec.name,          spec.of,        integers(spec.extent, whose, 1), spec.channels,
        spec.filter,        spec.address,   spec.normalized_coordinates,     spec.normalized_values,
        spec.linear_memory, spec.is_surface};
    std::int64_t elements = spec.channels;
    for (const std::int64_t extent : plan.extent) {
      if (__builtin_mul_overflow(elements, extent, &elements)) fail(whose, "it overflows 64 bits");
    }
    if (elements > count_of(spec.of)) {
      fail(whose, "it has " + std::to_string(elements) + " elements, '" + spec.of + "' has " +
                      std::to_string(count_of(spec.of)));
    }
    return plan;
  }

  [[nodiscard]] std::vector<ArgumentPlan> arguments(const std::vector<ArgumentSpec>& specs) const {
    std::vector<ArgumentPlan> plans;
    for (const ArgumentSpec& argument : specs) {
      if (const auto* buffer_spec = std::get_if<BufferSpec>(&argument)) {
        plans.emplace_back(buffer(*buffer_spec));
      } else if (const auto* map = std::get_if<TensorMapSpec>(&argument)) {
        plans.emplace_back(tensor_map(*map, count_of(map->of)));
      } else if (const auto* texture_spec = std::get_if<TextureSpec>(&argument)) {
        plans.emplace_back(texture(*texture_spec));
      } else if (const auto* struct_spec = std::get_if<StructSpec>(&argument)) {
        plans.emplace_back(structure(*struct_spec));
      } else {
        plans.emplace_back(scalar(std::get<ScalarSpec>(argument)));
      }
    }
    return plans;
  }

  [[nodiscard]] OutputCheck output_check(const OutputCheckSpec& spec) const {
    const Part whose = {"output '" + spec.name + "'", {"check", "outputs", spec.name}};
    const Part rtol = whose.key("rtol", "rtol");
    const Part atol = whose.key("atol", "atol");
    const Part count = whose.key("count", "count");
    OutputCheck check{spec.name, real(spec.rtol, rtol),   real(spec.atol, atol), spec.may_differ, 0,
                      {},        spec.compare.has_value()};
    if (check.rtol < 0) fail(rtol, "it is negative; expected 0 or more");
    if (check.atol < 0) fail(atol, "it is negative; expected 0 or more");
    const bool same_size = !depends_on_param(m_spec.find_buffer(spec.name)->count);
    const std::int64_t all = same_size ? count_of(spec.name) : 0;
    check.count = spec.count ? integer(*spec.count, count, 0) : all;
    if (same_size && check.count > all) {
      fail(count, std::to_string(check.count) + " elements are compared, but it has " +
                      std::to_string(all));
    }
    if (spec.where) check.where = program(*spec.where);
    return check;
  }

 private:
  /// Consecutive steps with the same counter form a group and run together.
  [[nodiscard]] static std::size_t end_of_group(const std::vector<StepSpec>& specs,
                                                std::size_t begin) {
    std::size_t end = begin + 1;
    if (!specs[begin].repeat || specs[begin].repeat->counter.empty()) return end;
    const auto same = [&](const StepSpec& step) {
      return step.repeat && step.repeat->counter == specs[begin].repeat->counter;
    };
    while (end < specs.size() && same(specs[end])) ++end;
    return end;
  }

  void set_block(const LaunchSpec& spec, const Part& what, LaunchPlan& plan) const {
    for (std::size_t i = 0; i < spec.block.size(); ++i) {
      plan.block[i] = integer(spec.block[i], what.key("block", "block"), 1);
    }
    std::int64_t threads = 0;
    if (__builtin_mul_overflow(plan.block[0], plan.block[1], &threads) ||
        __builtin_mul_overflow(threads, plan.block[2], &threads)) {
      fail(what.key("block", "block"), "its threads overflow 64 bits");
    }
  }

  void set_shared(const LaunchSpec& spec, const Part& what, LaunchPlan& plan) const {
    plan.shared_bytes = integer(spec.shared_bytes, what.key("shared memory", "shared"), 0);
  }

  void set_carveout(const LaunchSpec& spec, const Part& what, LaunchPlan& plan) const {
    plan.carveout = integer(*spec.carveout, what.key("carve-out", "carveout"), -1);
    if (plan.carveout <= 100) return;
    fail(what.key("carve-out", "carveout"), "'" + spec.carveout->text() + "' is " +
                                                std::to_string(plan.carveout) +
                                                "; expected 100 at most");
  }

  void set_grid(const LaunchSpec& spec, const Part& what, LaunchPlan& plan) const {
    for (std::size_t i = 0; i < spec.grid.size(); ++i) {
      plan.grid[i] = integer(spec.grid[i], what.key("grid", "grid"), 1);
    }
    for (std::size_t i = 0; i < spec.cluster.size(); ++i) {
      plan.cluster[i] = integer(spec.cluster[i], what.key("cluster", "cluster"), 1);
      // Still more than any device accepts, so a later check refuses it; the product fits 64 bits.
      plan.cluster[i] = std::min(plan.cluster[i], std::int64_t{1} << 20);
    }
    if (spec.carveout) set_carveout(spec, what, plan);
  }

  /// Sets the compiler's facts about the launched kernel.
  void know(const ResourceUsage& usage) {
    m_knows_kernel = true;
    set_compiled(m_spec, usage, m_slots);
  }

  void set_counter(const RepeatSpec& repeat, std::int64_t value) {
    if (repeat.counter.empty()) return;
    if (m_slots.size() <= repeat.slot) m_slots.resize(repeat.slot + 1);
    m_slots[repeat.slot] = value;
  }

  void add_steps(std::span<const StepSpec> specs, const std::vector<ArgumentSpec>& arguments,
                 const Part& what, std::vector<StepPlan>& plans) const {
    for (const StepSpec& step : specs) {
      const Part which = step.name.empty() ? what : part_of(step);
      if (is_left_out(step, which)) continue;
      StepPlan plan{step.name, step.setup, action(step, arguments, which), stream(step, which), {}};
      for (const std::string& name : step.after) {
        const auto latest = std::find_if(plans.rbegin(), plans.rend(),
                                         [&](const StepPlan& each) { return each.name == name; });
        if (latest == plans.rend()) continue;  // it has not run yet, or is left out
        plan.after.push_back(static_cast<std::size_t>(plans.rend() - latest) - 1);
      }
      plans.push_back(std::move(plan));
    }
  }

  [[nodiscard]] int stream(const StepSpec& step, const Part& what) const {
    const Part whose = what.key("stream", "stream");
    const std::int64_t number = integer(step.stream, whose, 0);
    if (number < most_streams) return static_cast<int>(number);
    fail(whose, "'" + step.stream.text() + "' is " + std::to_string(number) + "; expected " +
                    std::to_string(most_streams - 1) + " at most");
  }

  [[nodiscard]] StepAction action(const StepSpec& step, const std::vector<ArgumentSpec>& arguments,
                                  const Part& what) const {
    if (const auto* copy = std::get_if<BufferCopySpec>(&step.action)) {
      BufferCopy plan{range(copy->from, arguments, what), {}};
      plan.to = range(copy->to, arguments, what, plan.from.count);
      return plan;
    }
    if (const auto* set = std::get_if<BufferSetSpec>(&step.action)) {
      return BufferSet{range(set->range, arguments, what), set->byte};
    }
    return kernel_launch(*step.launch(), arguments, what);
  }

  /// `count`: used if the spec gives none; absent: up to the buffer's end.
  [[nodiscard]] BufferRange range(const BufferRangeSpec& spec,
                                  const std::vector<ArgumentSpec>& arguments, const Part& what,
                                  std::optional<std::int64_t> count = {}) const {
    const auto& buffer = std::get<BufferSpec>(arguments[spec.index]);
    const Part whose = {"part of '" + buffer.name + "' in " + what.what, what.keys};
    const std::int64_t all = count_of(buffer);
    BufferRange plan{buffer.name, integer(spec.offset, whose, 0), count.value_or(all)};
    if (spec.count) plan.count = integer(*spec.count, whose, 0);
    if (plan.offset > all || plan.count > all - plan.offset) {
      fail(whose, std::to_string(plan.count) + " elements from " + std::to_string(plan.offset) +
                      " on, but the buffer has " + std::to_string(all));
    }
    return plan;
  }

  [[nodiscard]] std::int64_t fitting(const Expression& expression, ElementType type,
                                     const Part& what) const {
    const std::int64_t value = integer(expression, what, std::numeric_limits<std::int64_t>::min());
    if (!fits(value, type)) {
      fail(what, std::to_string(value) + " does not fit into " + std::string(to_string(type)));
    }
    return value;
  }

  [[nodiscard]] double fitting_real(const Expression& expression, ElementType type,
                                    const Part& what) const {
    const double value = real(expression, what);
    if (!fits(value, type)) {
      fail(what, shortest_text(value) + " does not fit into " + std::string(to_string(type)));
    }
    return value;
  }

  [[nodiscard]] KernelLaunch kernel_launch(const KernelLaunchSpec& spec,
                                           const std::vector<ArgumentSpec>& arguments,
                                           const Part& what) const {
    const std::string with_values = entry(spec.entry);
    KernelLaunch plan{with_values, launch(spec.launch, with_values, what), {}};
    for (const PassedArgumentSpec& passed : spec.args) {
      require_reached(arguments[passed.index], what);
      plan.arguments.push_back({passed.index, 0});
      if (passed.offset) {
        plan.arguments.back().offset =
            offset(*passed.offset, std::get<BufferSpec>(arguments[passed.index]), what);
      }
    }
    return plan;
  }

  /// An offset within the buffer, or at its end.
  [[nodiscard]] std::int64_t offset(const Expression& expression, const BufferSpec& buffer,
                                    const Part& what) const {
    const Part whose = {"offset of '" + buffer.name + "' in " + what.what, what.keys};
    const std::int64_t value = integer(expression, whose, 0);
    const std::int64_t count = count_of(buffer);
    if (value > count) {
      fail(whose, "it is " + std::to_string(value) + ", but the buffer has " +
                      std::to_string(count) + " elements");
    }
    return value;
  }

  [[nodiscard]] MemoryKind memory_of(const BufferSpec& buffer) const {
    const auto value = m_config.find(buffer.memory.param);
    return value ? memory_kind_from_string(value_text(*value)) : buffer.memory.kinds.front();
  }

  /// Fails if a parameter chooses memory that kernels do not reach.
  void require_reached(const ArgumentSpec& argument, const Part& what) const {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer == nullptr || buffer->memory.param.empty()) return;
    if (is_reached_by_kernels(memory_of(*buffer))) return;
    fail({"'" + buffer->name + "' in 'args' of " + what.what, what.keys},
         "it is " + std::string(to_string(memory_of(*buffer))) +
             " memory, which kernels do not reach; expected " +
             std::string(memory_kinds_of_kernels));
  }

  /// The number of elements of one of the kernel's buffers.
  [[nodiscard]] std::int64_t count_of(const std::string& name) const {
    const BufferSpec* found = m_spec.find_buffer(name);
    return found == nullptr ? 0 : count_of(*found);
  }
  [[nodiscard]] std::int64_t count_of(const BufferSpec& buffer) const {
    return integer(buffer.count, of_argument("count", buffer.name, "count"), 0);
  }

  [[nodiscard]] bool depends_on_param(const Expression& expression) const {
    const std::vector<std::size_t> slots = expression.slots();
    return std::any_of(slots.begin(), slots.end(), [&](std::size_t slot) {
      return slot >= m_spec.sizes.size() && slot < m_spec.sizes.size() + m_spec.params.size();
    });
  }

  /// The expression with a number for every slot but the last, which is the element's index.
  [[nodiscard]] ElementProgram program(const Expression& expression) const {
    ElementProgram program{expression.nodes(), expression.text()};
    for (Node& node : program.steps) {
      const auto slot = static_cast<std::size_t>(node.value);
      if (node.operation != Operation::slot || slot >= m_slots.size()) continue;
      const std::int64_t value = m_slots[slot];
      node = {Operation::constant, false, {}, value, static_cast<double>(value)};
    }
    return program;
  }

  [[nodiscard]] Fill fill(const BufferSpec& buffer, std::int64_t count) const {
    const FillSpec& spec = buffer.fill;
    const Part what = of_argument("fill", buffer.name, "fill");
    Fill fill{spec.kind, spec.infinity, spec.infinity, {}, spec.of};
    if (spec.kind == FillKind::each) {
      fill.each = program(spec.each);
      try_elements(spec.each, buffer.type, count, what);
    }
    if (spec.infinity == 0) {
      fill.low = real(spec.low, what);
      fill.high = real(spec.high, what);
    }
    if (const auto mistake = find_mistake(fill, buffer.type, count)) fail(what, *mistake);
    if (spec.kind == FillKind::copy && count > count_of(spec.of)) {
      fail(what, "it has more elements than '" + spec.of + "'");
    }
    return fill;
  }

  /// Evaluates the first and the last element, which finds most mistakes before the device does.
  void try_elements(const Expression& each, ElementType type, std::int64_t count,
                    const Part& what) const {
    std::vector<std::int64_t> slots = m_slots;
    for (const std::int64_t index : {std::int64_t{0}, count - 1}) {
      if (index >= count || has_random(each)) return;
      slots.push_back(index);
      try {
        const double value = each.evaluate_real(slots);
        if (!fits(value, type)) {
          fail(what, "element " + std::to_string(index) + " is " + shortest_text(value) +
                         ", which does not fit into " + std::string(to_string(type)));
        }
      } catch (const EvaluationError& error) {
        fail(what, "element " + std::to_string(index) + ": " + error.what());
      }
      slots.pop_back();
    }
  }

  static bool has_random(const Expression& each) {
    const auto& nodes = each.nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const Node& node) { return node.operation == Operation::random; });
  }

  [[nodiscard]] std::vector<std::int64_t> integers(const std::vector<Expression>& expressions,
                                                   const Part& what, std::int64_t least) const {
    std::vector<std::int64_t> values;
    for (const Expression& expression : expressions) {
      values.push_back(integer(expression, what, least));
    }
    return values;
  }

  [[nodiscard]] std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& sizes,
                                                        const Part& what) const {
    std::vector<std::int64_t> strides;
    std::int64_t product = 1;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
      if (__builtin_mul_overflow(product, sizes[i], &product)) fail(what, "they overflow 64 bits");
      strides.push_back(product);
    }
    return strides;
  }

  const KernelSpec& m_spec;
  Problem m_problem;
  Config m_config;
  CompiledFacts m_facts;        // empty before a compile
  bool m_knows_kernel = false;  // whether the compiler's slots have values
  std::vector<std::int64_t> m_slots;
};

std::optional<double> work_of(const KernelSpec& spec, const std::optional<Expression>& expression,
                              const Problem& problem, const std::string& key) {
  if (!expression) return std::nullopt;
  const Part what{key + " of [work]", {"work", key}};
  const Evaluation evaluation(spec, {problem, {}, {}});
  const double value = evaluation.real(*expression, what);
  if (value < 0) evaluation.fail(what, shortest_text(value) + " is negative; expected 0 or more");
  return value;
}

}  // namespace

bool is_violated(const Expression& condition, const std::vector<std::int64_t>& slots) {
  const Checked value = condition.try_evaluate(slots);
  return value.failure != Failure::none || value.value == 0;
}

std::vector<std::int64_t> slot_values(const KernelSpec& spec, const Case& of) {
  std::vector<std::int64_t> slots = size_slots(spec, of.problem);
  for (const Parameter& param : spec.params)
    slots.push_back(of.config.find(param.name).value_or(0));
  const auto facts = device_slot_values(of.device);
  slots.insert(slots.end(), facts.begin(), facts.end());
  slots.resize(slots.size() + compiled_slot_names.size());
  return slots;
}

bool needs_facts(const KernelSpec& spec, const LaunchSpec& launch) {
  const auto names = [&](const Expression& expression) { return names_compiled(spec, expression); };
  return std::any_of(launch.grid.begin(), launch.grid.end(), names) || names(launch.shared_bytes) ||
         std::any_of(launch.cluster.begin(), launch.cluster.end(), names) ||
         (launch.carveout && names(*launch.carveout));
}

bool needs_facts(const KernelSpec& spec, const std::vector<StepSpec>& steps) {
  const auto launches = launches_of(steps);
  return std::any_of(launches.begin(), launches.end(),
                     [&](const KernelLaunchSpec* each) { return needs_facts(spec, each->launch); });
}

std::vector<StepPlan> plan_steps(const KernelSpec& spec, const Case& of,
                                 const CompiledFacts& facts) {
  return Evaluation(spec, of, facts).steps(spec.steps, spec.args, {"[launch]", {"launch"}});
}

std::optional<LaunchPlan> only_launch(const std::vector<StepPlan>& steps) {
  const auto* launch =
      steps.size() == 1 ? std::get_if<KernelLaunch>(&steps.front().action) : nullptr;
  return launch == nullptr ? std::nullopt : std::optional(launch->launch);
}

std::vector<StepPlan> plan_reference_steps(const KernelSpec& spec, const Case& of,
                                           const CompiledFacts& facts) {
  const ReferenceSpec& reference = *spec.check.reference;
  return Evaluation(spec, of, facts)
      .steps(reference.steps, reference.args, {"the reference", {"check", "reference"}});
}

Config reference_config(const KernelSpec& spec, const Config& any) {
  Config config = any;
  for (const auto& [name, value] : spec.check.reference->params.entries()) config.set(name, value);
  return config;
}

std::optional<std::string> find_reference_violation(const KernelSpec& spec, const Case& of) {
  if (!spec.check.reference->is_tuned_kernel) return std::nullopt;
  return find_violation(spec, of);
}

std::vector<StepPlan> plan_baseline_steps(const KernelSpec& spec, const Baseline& baseline,
                                          const Case& of, const CompiledFacts& facts) {
  return Evaluation(spec, of, facts)
      .steps(baseline.steps, spec.args,
             {"baseline '" + baseline.name + "'", {"baselines", baseline.name}});
}

std::vector<ArgumentPlan> plan_arguments(const KernelSpec& spec, const Case& of) {
  return Evaluation(spec, of).arguments(spec.args);
}

std::vector<ArgumentPlan> plan_reference_arguments(const KernelSpec& spec, const Case& of) {
  return Evaluation(spec, of).arguments(spec.check.reference->args);
}

std::vector<OutputCheck> plan_output_checks(const KernelSpec& spec, const Problem& problem,
                                            const DeviceFacts& device) {
  const Evaluation evaluation(spec, {problem, {}, device});
  std::vector<OutputCheck> checks;
  for (const OutputCheckSpec& output : spec.check.outputs) {
    checks.push_back(evaluation.output_check(output));
  }
  return checks;
}

ComparePlan plan_compare(const KernelSpec& spec, const OutputCheckSpec& output, const Case& of) {
  const Evaluation evaluation(spec, of);
  const CompareSpec& compare = *output.compare;
  const std::string what = "'compare' of output '" + output.name + "'";
  return {output.name, evaluation.steps(compare.steps, compare.args, what).front(),
          evaluation.arguments(compare.args)};
}

std::optional<double> work_flops(const KernelSpec& spec, const Problem& problem) {
  return work_of(spec, spec.work.flops, problem, "flops");
}

std::optional<double> work_bytes(const KernelSpec& spec, const Problem& problem) {
  return work_of(spec, spec.work.bytes, problem, "bytes");
}

std::optional<double> padded_work(const KernelSpec& spec, const Case& of) {
  if (!spec.work.padded) return std::nullopt;
  const Checked value = spec.work.padded->try_evaluate(slot_values(spec, of));
  if (value.failure != Failure::none || value.value <= 0) return std::nullopt;
  return static_cast<double>(value.value);
}

std::string entry_for(const KernelSpec& spec, const std::string& entry, const Case& of) {
  return Evaluation(spec, of).entry(entry);
}

std::vector<std::string> entries_for(const KernelSpec& spec, const std::vector<StepSpec>& steps,
                                     const Case& of) {
  const Evaluation evaluation(spec, of);
  std::vector<std::string> entries;
  for (const StepSpec& step : steps) {
    if (step.launch() == nullptr) continue;
    if (evaluation.is_left_out(step, part_of(step))) continue;
    std::string entry = evaluation.entry(step.launch()->entry);
    if (std::find(entries.begin(), entries.end(), entry) == entries.end()) {
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

std::vector<std::string> compile_options(const KernelSpec& spec, const Config& config) {
  std::vector<std::string> options;
  for (const std::string& option : spec.options) {
    options.push_back(expand_compiler_option(spec, option, config));
  }
  return options;
}

Config existing_values(const KernelSpec& spec, const Config& config) {
  const Problem any_problem;
  const DeviceFacts any_device;
  const std::vector<std::int64_t> slots = slot_values(spec, {any_problem, config, any_device});
  Config existing;
  for (const auto& [name, value] : config.entries()) {
    const Parameter* param = spec.find_param(name);
    const bool absent = param != nullptr && param->when && is_violated(*param->when, slots);
    if (!absent) existing.set(name, value);
  }
  return existing;
}

NamedValues stated_macros(const KernelSpec& spec, const Case& of) {
  NamedValues values;
  if (spec.macros.empty()) return values;
  const Evaluation evaluation(spec, of);
  for (const NamedExpression& macro : spec.macros) {
    values.set(macro.name,
               evaluation.integer(macro.expression,
                                  {"macro '" + macro.name + "'", {"kernel", "macros", macro.name}},
                                  std::numeric_limits<std::int64_t>::min()));
  }
  return values;
}

std::vector<std::string> possible_macros(const KernelSpec& spec) {
  const std::vector<std::string> arguments = template_arguments(spec.steps);
  std::vector<std::string> names;
  for (const Parameter& param : spec.params) {
    const bool argument =
        std::find(arguments.begin(), arguments.end(), param.name) != arguments.end();
    if (!argument && spec.find_macro(param.name) == nullptr) names.push_back(param.name);
  }
  return names;
}

namespace {

std::optional<std::string> first_violated(const std::vector<NamedExpression>& constraints,
                                          const std::vector<std::int64_t>& slots) {
  for (const NamedExpression& constraint : constraints) {
    if (is_violated(constraint.expression, slots)) {
      return constraint.name + ": '" + constraint.expression.text() + "'";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_violation(const KernelSpec& spec, const Case& of) {
  const std::vector<std::int64_t> slots = slot_values(spec, of);
  if (auto violation = first_violated(spec.constraints, slots)) return violation;
  for (const Expression& condition : spec.launch_conditions) {
    if (is_violated(condition, slots)) {
      return std::string(launch_constraint) + ": '" + condition.text() + "'";
    }
  }
  return std::nullopt;
}

bool satisfies(const KernelSpec& spec, const Case& of) { return !find_violation(spec, of); }

std::optional<std::string> find_compiled_violation(const KernelSpec& spec, const Case& of,
                                                   const ResourceUsage& usage) {
  if (spec.compiled_constraints.empty()) return std::nullopt;
  std::vector<std::int64_t> slots = slot_values(spec, of);
  set_compiled(spec, usage, slots);
  return first_violated(spec.compiled_constraints, slots);
}

}  // namespace gtune
