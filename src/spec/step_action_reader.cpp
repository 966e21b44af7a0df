#include "spec/step_action_reader.hpp"

#include "spec/launch_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

bool is_passed(const ArgumentSpec& argument) {
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  return buffer == nullptr || buffer->passed;
}

std::size_t find_argument(const SpecContext& context, const TomlValue& name,
                          const std::string& what, const std::vector<ArgumentSpec>& args) {
  context.expect(name, Kind::string, "an entry of 'args' of " + what);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (name_of(args[i]) == name.text) return i;
    names.push_back(name_of(args[i]));
  }
  const std::string suggestion = did_you_mean(name.text, names);
  context.fail(name.place, "'" + name.text + "' in 'args' of " + what + " is none of [[args]]" +
                               (suggestion.empty() ? "; expected the name of one" : suggestion));
}

/// The index of the buffer that a step names.
std::size_t find_buffer(const SpecContext& context, const TomlValue& name, const std::string& what,
                        const std::vector<ArgumentSpec>& args) {
  context.expect(name, Kind::string, what);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!std::holds_alternative<BufferSpec>(args[i])) continue;
    if (name_of(args[i]) == name.text) return i;
    names.push_back(name_of(args[i]));
  }
  const std::string suggestion = did_you_mean(name.text, names);
  context.fail(name.place, what + " is '" + name.text + "', which is not a buffer of [[args]]" +
                               (suggestion.empty() ? "; expected the name of one" : suggestion));
}

/// "x", or { name = "x", offset = "n / 2" }.
PassedArgumentSpec read_passed(const SpecContext& context, const TomlValue& item,
                               const std::string& what, const std::vector<ArgumentSpec>& args) {
  if (item.kind != Kind::table) return {find_argument(context, item, what, args), {}};
  context.expect_keys(item, "an entry of 'args' of " + what, {"name", "offset"});
  const TomlValue& name = context.require(item, "name", "this entry of 'args' of " + what);
  PassedArgumentSpec passed{find_argument(context, name, what, args), {}};
  if (const TomlValue* offset = item.find("offset")) {
    if (!std::holds_alternative<BufferSpec>(args[passed.index])) {
      context.fail(offset->place, "'" + name.text + "' in 'args' of " + what +
                                      " has an 'offset' and is not a buffer; expected none");
    }
    passed.offset =
        context.expression(*offset, "'offset' of '" + name.text + "'", Depends::on_anything);
  }
  return passed;
}
const BufferSpec& buffer_of(const BufferRangeSpec& range, const std::vector<ArgumentSpec>& args) {
  return std::get<BufferSpec>(args[range.index]);
}

/// The key's expression; absent if the key is missing.
std::optional<Expression> optional_number(const SpecContext& context, const TomlValue& table,
                                          const char* key, const std::string& what) {
  const TomlValue* value = table.find(key);
  if (value == nullptr) return std::nullopt;
  return context.expression(*value, std::string("'") + key + "' of " + what, Depends::on_anything);
}

/// Inputs are checked to be unchanged.
void require_writable(const SpecContext& context, const Place& place, const BufferSpec& buffer,
                      const std::string& what) {
  if (buffer.direction != Direction::in) return;
  context.fail(
      place, what + " '" + buffer.name + "', which is an input; expected out, inout or workspace");
}

/// Refuses a range that exceeds its buffer for all sizes.
void require_within(const SpecContext& context, const Place& place, const BufferRangeSpec& range,
                    const std::vector<ArgumentSpec>& args, const std::string& what) {
  const BufferSpec& buffer = buffer_of(range, args);
  const auto constant = [](const Expression& value) -> std::optional<std::int64_t> {
    const Checked number = value.slots().empty() ? value.try_evaluate({}) : Checked{};
    const bool known = value.slots().empty() && number.failure == Failure::none;
    return known ? std::optional(number.value) : std::nullopt;
  };
  const auto all = constant(buffer.count);
  const auto offset = constant(range.offset);
  const auto count = range.count ? constant(*range.count) : std::int64_t{0};
  if (!all || !offset || !count) return;
  if (*offset >= 0 && *count >= 0 && *count <= *all && *offset <= *all - *count) return;
  context.fail(place, what + " goes from element " + std::to_string(*offset) + " to " +
                          std::to_string(*offset + *count) + " of '" + buffer.name +
                          "', which has " + std::to_string(*all) +
                          "; expected a part of the buffer");
}

}  // namespace

std::vector<PassedArgumentSpec> all_arguments(const std::vector<ArgumentSpec>& args) {
  std::vector<PassedArgumentSpec> all;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (is_passed(args[i])) all.push_back({i, {}});
  }
  return all;
}
std::vector<PassedArgumentSpec> read_passed_arguments(const SpecContext& context,
                                                      const TomlValue& list,
                                                      const std::string& what,
                                                      const std::vector<ArgumentSpec>& args) {
  context.expect(list, Kind::array, "'args' of " + what);
  context.expect_few(list, "'args' of " + what);
  std::vector<PassedArgumentSpec> passed;
  for (const TomlValue& item : list.items) {
    passed.push_back(read_passed(context, item, what, args));
    const auto* buffer = std::get_if<BufferSpec>(&args[passed.back().index]);
    if (buffer == nullptr || buffer->memory.is_ever_reached()) continue;
    context.fail(item.place, "'" + buffer->name + "' in 'args' of " + what + " is " +
                                 buffer->memory.text() + ", which kernels do not reach; expected " +
                                 std::string(memory_kinds_of_kernels));
  }
  return passed;
}
KernelLaunchSpec read_kernel_launch(const SpecContext& context, const TomlValue& table,
                                    const std::string& what,
                                    const std::vector<ArgumentSpec>& args) {
  KernelLaunchSpec launch;
  launch.entry = read_entry(context, *table.find("entry"), "'entry' of " + what);
  launch.launch = read_launch(context, table, what, Depends::on_anything);
  const TomlValue* own = table.find("args");
  launch.args =
      own == nullptr ? all_arguments(args) : read_passed_arguments(context, *own, what, args);
  return launch;
}
BufferCopySpec read_copy(const SpecContext& context, const TomlValue& table,
                         const std::string& what, const std::vector<ArgumentSpec>& args) {
  context.expect(table, Kind::table, "'copy' of " + what);
  context.expect_keys(table, "'copy'", {"from", "to", "count", "from_offset", "to_offset"});
  const auto range = [&](const char* key, const char* offset) {
    const TomlValue& name = context.require(table, key, "'copy' of " + what);
    BufferRangeSpec part{
        find_buffer(context, name, std::string("'") + key + "' of " + what, args),
        optional_number(context, table, offset, what).value_or(Expression(std::int64_t{0})),
        optional_number(context, table, "count", what)};
    require_within(context, name.place, part, args, what);
    return part;
  };
  BufferCopySpec copy{range("from", "from_offset"), range("to", "to_offset")};
  const BufferSpec& from = buffer_of(copy.from, args);
  const BufferSpec& to = buffer_of(copy.to, args);
  if (from.type != to.type) {
    context.fail(table.place, what + " copies " + std::string(to_string(from.type)) + " to " +
                                  std::string(to_string(to.type)) +
                                  "; expected buffers of one type");
  }
  if (copy.from.index == copy.to.index) {
    context.fail(table.place, what + " copies '" + from.name + "' to itself; expected two buffers");
  }
  require_writable(context, table.find("to")->place, to, what + " copies into");
  return copy;
}

BufferSetSpec read_set(const SpecContext& context, const TomlValue& table, const std::string& what,
                       const std::vector<ArgumentSpec>& args) {
  context.expect(table, Kind::table, "'fill' of " + what);
  context.expect_keys(table, "'fill' of a step", {"buffer", "value", "count", "offset"});
  const TomlValue& name = context.require(table, "buffer", "'fill' of " + what);
  BufferSetSpec set;
  set.range = {
      find_buffer(context, name, "'buffer' of " + what, args),
      optional_number(context, table, "offset", what).value_or(Expression(std::int64_t{0})),
      optional_number(context, table, "count", what)};
  require_within(context, name.place, set.range, args, what);
  const BufferSpec& buffer = buffer_of(set.range, args);
  if (!buffer.memory.is_always(MemoryKind::device)) {
    context.fail(name.place, what + " fills '" + buffer.name + "', which is " +
                                 buffer.memory.text() + "; expected device memory");
  }
  require_writable(context, name.place, buffer, what + " fills");
  const TomlValue* value = table.find("value");
  if (value == nullptr) return set;
  const std::int64_t number =
      context.expect(*value, Kind::integer, "'value' of 'fill' of " + what).integer;
  const bool is_byte = size_of(buffer.type) == 1 && number >= -128 && number <= 255;
  const bool is_ones = !is_floating(buffer.type) && number == -1;
  if (number != 0 && !is_byte && !is_ones) {
    context.fail(value->place, "'value' of 'fill' of " + what + " is " + std::to_string(number) +
                                   "; expected one whose bytes are all the same: 0, -1 of "
                                   "integers, any of 8-bit integers");
  }
  set.byte = static_cast<int>(number & 0xff);
  return set;
}

}  // namespace gtune
