#include "spec/argument_reader.hpp"

#include <algorithm>
#include <stdexcept>

#include "spec/element_type_reader.hpp"
#include "spec/fill_reader.hpp"
#include "spec/memory_reader.hpp"
#include "spec/struct_reader.hpp"
#include "spec/suggestion.hpp"
#include "spec/tensor_map_reader.hpp"
#include "spec/texture_reader.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

Direction read_direction(const SpecContext& context, const TomlValue& value,
                         const std::string& what) {
  context.expect(value, Kind::string, what);
  try {
    return direction_from_string(value.text);
  } catch (const std::invalid_argument&) {
    context.fail(value.place,
                 what + " is '" + value.text + "'; expected in, out, inout or workspace");
  }
}

/// The source's variable that a buffer is copied to; empty if the buffer is an argument.
std::string read_symbol(const SpecContext& context, const TomlValue& table,
                        const BufferSpec& buffer, const std::string& what) {
  const TomlValue* symbol = table.find("symbol");
  if (symbol == nullptr) return "";
  context.expect(*symbol, Kind::string, "'symbol' of " + what);
  context.expect_identifier(symbol->text, symbol->place, "variable");
  if (buffer.direction == Direction::in) return symbol->text;
  context.fail(symbol->place, what + " is a variable of the source; expected direction = \"in\"");
}

BufferSpec read_buffer(const SpecContext& context, const TomlValue& table,
                       const std::vector<Parameter>& params, const std::string& what) {
  context.expect_keys(table, what,
                      {"name", "type", "count", "direction", "fill", "symbol", "passed", "memory"});
  BufferSpec buffer;
  buffer.type = read_element_type(context, table, what);
  if (const TomlValue* direction = table.find("direction")) {
    buffer.direction = read_direction(context, *direction, "'direction' of " + what);
  }
  const bool workspace = buffer.direction == Direction::workspace;
  buffer.count =
      context.expression(*table.find("count"), "'count' of " + what, Depends::on_anything);
  buffer.fill = default_fill(buffer.type);
  if (const TomlValue* fill = table.find("fill")) {
    if (workspace || buffer.direction == Direction::out) {
      context.fail(fill->place, what + " has a 'fill'; expected one only for in and inout");
    }
    buffer.fill = read_fill(context, *fill, buffer.type, "'fill' of " + what);
  }
  if (const TomlValue* memory = table.find("memory")) {
    buffer.memory = read_memory(context, *memory, params, "'memory' of " + what);
  }
  buffer.symbol = read_symbol(context, table, buffer, what);
  buffer.passed = buffer.symbol.empty() && buffer.memory.is_always_reached();
  if (const TomlValue* passed = table.find("passed")) {
    buffer.passed &= context.expect(*passed, Kind::boolean, "'passed' of " + what).boolean;
  }
  return buffer;
}

/// The buffer that the key `of` of another argument names.
const BufferSpec& find_buffer_of(const SpecContext& context, const TomlValue& of,
                                 const std::string& what,
                                 const std::vector<ArgumentSpec>& arguments) {
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : arguments) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer == nullptr) continue;
    names.push_back(buffer->name);
    if (buffer->name != of.text) continue;
    if (buffer->memory.is_always(MemoryKind::device)) return *buffer;
    context.fail(of.place, "'of' of " + what + " is '" + of.text + "', which is " +
                               buffer->memory.text() + "; expected a buffer in device memory");
  }
  context.fail(of.place, "'of' of " + what + " is '" + of.text +
                             "', which is not a buffer among the arguments" +
                             did_you_mean(of.text, names));
}

/// Allows one surface per buffer: a second one would overwrite writes through the first.
void require_only_surface(const SpecContext& context, const TomlValue& of,
                          const TextureSpec& surface, const std::vector<ArgumentSpec>& arguments) {
  for (const ArgumentSpec& argument : arguments) {
    const auto* other = std::get_if<TextureSpec>(&argument);
    if (other == nullptr || !other->is_surface || other->of != surface.of) continue;
    if (other->name == surface.name) return;
    context.fail(of.place, "'" + surface.of + "' has the surface '" + other->name +
                               "' already; expected one surface for a buffer");
  }
}

/// Checks an argument's references to buffers, once all arguments are known.
void require_buffers(const SpecContext& context, const TomlValue& table, ArgumentSpec& argument,
                     const std::vector<ArgumentSpec>& arguments) {
  if (auto* map = std::get_if<TensorMapSpec>(&argument)) {
    map->type =
        find_buffer_of(context, *table.find("of"), "argument '" + map->name + "'", arguments).type;
  } else if (auto* texture = std::get_if<TextureSpec>(&argument)) {
    const TomlValue& of = *table.find("of");
    const ElementType texel =
        find_buffer_of(context, of, "argument '" + texture->name + "'", arguments).type;
    require_texels(context, table, *texture, texel);
    if (texture->is_surface) require_only_surface(context, of, *texture, arguments);
  } else if (auto* structure = std::get_if<StructSpec>(&argument)) {
    for (const TomlValue& member : table.find("members")->items) {
      const TomlValue* of = member.find("of");
      if (of == nullptr) continue;
      static_cast<void>(find_buffer_of(
          context, *of, "a member of argument '" + structure->name + "'", arguments));
    }
  }
}

ScalarSpec read_scalar(const SpecContext& context, const TomlValue& table,
                       const std::string& what) {
  context.expect_keys(table, what, {"name", "type", "value"});
  ScalarSpec scalar;
  scalar.type = read_element_type(context, table, what);
  scalar.value =
      context.expression(*table.find("value"), "'value' of " + what, Depends::on_anything,
                         is_floating(scalar.type) ? ExpressionKind::real : ExpressionKind::integer);
  return scalar;
}

ArgumentSpec read_kind(const SpecContext& context, const TomlValue& table,
                       const std::vector<Parameter>& params, const std::string& what) {
  const TomlValue* type = table.find("type");
  const std::string kind = type != nullptr && type->kind == Kind::string ? type->text : "";
  if (kind == "tensor_map") return read_tensor_map(context, table, what);
  if (kind == "texture") return read_texture(context, table, what);
  if (kind == "surface") return read_surface(context, table, what);
  if (kind == "struct") return read_struct(context, table, what);
  const bool has_count = table.find("count") != nullptr;
  if (has_count == (table.find("value") != nullptr)) {
    if (!has_count) {
      context.expect_spelling(table, "count", what);
      context.expect_spelling(table, "value", what);
    }
    context.fail(table.place, what + " has " +
                                  (has_count ? "both 'count' and" : "neither 'count' nor") +
                                  " 'value'; expected 'count' for a buffer, 'value' "
                                  "for a scalar");
  }
  if (has_count) return read_buffer(context, table, params, what);
  return read_scalar(context, table, what);
}

}  // namespace

ArgumentSpec read_argument(const SpecContext& context, const TomlValue& table,
                           const std::vector<Parameter>& params, std::vector<std::string>& names) {
  context.expect(table, Kind::table, "an entry of 'args'");
  context.expect_spelling(table, "name", "this argument");
  const TomlValue& name = context.require(table, "name", "this argument");
  context.expect(name, Kind::string, "'name' of an argument");
  context.expect_identifier(name.text, name.place, "argument");
  const std::string what = "argument '" + name.text + "'";
  if (std::find(names.begin(), names.end(), name.text) != names.end()) {
    context.fail(name.place, what + " appears twice; expected another name");
  }
  names.push_back(name.text);
  ArgumentSpec argument = read_kind(context, table, params, what);
  std::visit([&](auto& one) { one.name = name.text; }, argument);
  return argument;
}

std::vector<ArgumentSpec> read_arguments(const SpecContext& context, const TomlValue& list,
                                         const std::vector<Parameter>& params) {
  context.expect(list, Kind::array, "'args'");
  context.expect_few(list, "'args'");
  std::vector<ArgumentSpec> arguments;
  std::vector<std::string> names;
  const std::size_t failures = context.failures();
  for (const TomlValue& table : list.items) {
    context.attempt([&] { arguments.push_back(read_argument(context, table, params, names)); });
  }
  if (context.failures() > failures) return arguments;  // the checks below need all of them
  if (std::none_of(arguments.begin(), arguments.end(), is_output)) {
    context.fail(list.place,
                 "no argument is an output; expected one with direction = \"out\" or \"inout\"");
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* buffer = std::get_if<BufferSpec>(&arguments[i])) {
      require_copied(context, list.items[i], *buffer, std::span(arguments).first(i));
    }
    require_buffers(context, list.items[i], arguments[i], arguments);
  }
  return arguments;
}

}  // namespace gtune
