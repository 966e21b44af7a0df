#include "spec/fill_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <system_error>

#include "spec/element_expression.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

constexpr const char* known_fills =
    "; expected { uniform = [low, high] }, { normal = [mean, deviation] }, { constant = value }, "
    "{ offsets = total }, { each = \"expression of i\" }, { copy = \"buffer\" }, { file = "
    "\"x.npy\" }, \"iota\" or \"permutation\"";

Expression read_real(const SpecContext& context, const TomlValue& value, const std::string& what) {
  if (value.kind != Kind::string && !std::isfinite(context.number(value, what))) {
    context.fail(value.place, what + " is not finite; expected a number");
  }
  return context.expression(value, what, Depends::on_sizes_and_device, ExpressionKind::real);
}

FillSpec read_pair(const SpecContext& context, const TomlValue& pair, FillKind kind,
                   const std::string& what) {
  context.expect(pair, Kind::array, what);
  if (pair.items.size() != 2) {
    context.fail(pair.place, what + " has " + std::to_string(pair.items.size()) +
                                 " numbers; expected two, as in [-1.0, 1.0]");
  }
  FillSpec fill{kind, read_real(context, pair.items[0], what),
                read_real(context, pair.items[1], what)};
  const bool are_numbers = pair.items[0].kind != Kind::string && pair.items[1].kind != Kind::string;
  if (kind == FillKind::uniform && are_numbers &&
      !(context.number(pair.items[0], what) < context.number(pair.items[1], what))) {
    context.fail(pair.place, what + " is empty; expected the lower number first");
  }
  return fill;
}

FillSpec read_constant(const SpecContext& context, const TomlValue& value, ElementType type,
                       const std::string& what) {
  FillSpec fill{FillKind::constant};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // JSON and the schema have infinities only as text.
  if (value.kind == Kind::string && (value.text == "inf" || value.text == "-inf")) {
    fill.infinity = value.text == "inf" ? infinity : -infinity;
  } else if (value.kind != Kind::string && std::isinf(context.number(value, what))) {
    fill.infinity = context.number(value, what);
  }
  if (fill.infinity != 0 && is_floating(type)) return fill;
  if (fill.infinity != 0) context.fail(value.place, what + " is not finite; expected a number");
  fill.low = read_real(context, value, what);
  fill.high = fill.low;
  return fill;
}

constexpr std::array<std::string_view, 3> matrix_parts = {"row_offsets", "columns", "values"};

FillSpec read_file_fill(const SpecContext& context, const TomlValue& table,
                        const std::string& what) {
  context.expect_keys(table, what, {"file", "part"});
  FillSpec fill{FillKind::contents};
  fill.file = find_data_file(context, context.require(table, "file", what), "'file' of " + what);
  const bool is_matrix = fill.file.extension() == ".mtx";
  const TomlValue* part = table.find("part");
  if (part != nullptr) fill.part = context.expect(*part, Kind::string, "'part' of " + what).text;
  const bool is_known =
      std::find(matrix_parts.begin(), matrix_parts.end(), fill.part) != matrix_parts.end();
  if (is_matrix != (part != nullptr) || (is_matrix && !is_known)) {
    context.fail(part == nullptr ? table.place : part->place,
                 what + (is_matrix ? " is of a matrix; expected part = \"row_offsets\", "
                                     "\"columns\" or \"values\""
                                   : " has a 'part'; expected one only for a matrix (.mtx)"));
  }
  return fill;
}

void require_integers(const SpecContext& context, const Place& place, ElementType type,
                      const std::string& what) {
  if (!is_floating(type)) return;
  context.fail(place, what + " is for integers, not for " + std::string(to_string(type)) +
                          "; expected another type or fill");
}

FillSpec read_table(const SpecContext& context, const TomlEntry& entry, ElementType type,
                    const std::string& what) {
  const std::string whose = "'" + entry.key + "' of " + what;
  if (entry.key == "uniform") return read_pair(context, entry.value, FillKind::uniform, whose);
  if (entry.key == "normal") return read_pair(context, entry.value, FillKind::normal, whose);
  if (entry.key == "constant") return read_constant(context, entry.value, type, whose);
  FillSpec fill;
  if (entry.key == "copy") {
    fill.kind = FillKind::copy;
    fill.of = context.expect(entry.value, Kind::string, whose).text;
  } else if (entry.key == "each") {
    fill.kind = FillKind::each;
    fill.each = read_element_expression(context, entry.value, whose);
  } else if (entry.key == "offsets") {
    require_integers(context, entry.place, type, whose);
    fill.kind = FillKind::offsets;
    fill.low = Expression(0.0);
    fill.high = read_real(context, entry.value, whose);
  }
  return fill;
}

}  // namespace

FillSpec default_fill(ElementType type) {
  FillSpec fill;
  if (is_floating(type)) return fill;
  fill.low = Expression(0.0);
  fill.high = Expression(100.0);
  return fill;
}

FillSpec read_fill(const SpecContext& context, const TomlValue& value, ElementType type,
                   const std::string& what) {
  if (value.kind == Kind::string) {
    if (value.text == "iota") return {FillKind::iota, Expression(0.0), Expression(0.0)};
    if (value.text == "permutation") {
      require_integers(context, value.place, type, what + " with \"permutation\"");
      return {FillKind::permutation};
    }
    context.fail(value.place, "unknown " + what + " '" + value.text + "'" + known_fills);
  }
  if (value.kind == Kind::table && value.find("file") != nullptr) {
    return read_file_fill(context, value, what);
  }
  if (value.kind != Kind::table || value.entries.size() != 1) {
    context.fail(value.place, what + " is not understood" + known_fills);
  }
  context.expect_keys(value, what, {"uniform", "normal", "constant", "offsets", "each", "copy"});
  return read_table(context, value.entries.front(), type, what);
}

std::filesystem::path find_data_file(const SpecContext& context, const TomlValue& name,
                                     const std::string& what) {
  context.expect(name, Kind::string, what);
  std::filesystem::path file = context.folder() / name.text;
  std::error_code ignored;
  if (!name.text.empty() && std::filesystem::is_regular_file(file, ignored)) return file;
  context.fail(name.place, what + ": there is no file '" + name.text +
                               "'; expected a path relative to the spec's folder");
}

void require_copied(const SpecContext& context, const TomlValue& table, const BufferSpec& buffer,
                    std::span<const ArgumentSpec> before) {
  if (buffer.fill.kind != FillKind::copy) return;
  for (const ArgumentSpec& argument : before) {
    const auto* other = std::get_if<BufferSpec>(&argument);
    if (other == nullptr || other->name != buffer.fill.of) continue;
    const bool is_filled =
        other->direction == Direction::in || other->direction == Direction::inout;
    if (is_filled && other->type == buffer.type) return;
  }
  context.fail(table.find("fill")->place,
               "'" + buffer.fill.of + "' cannot be copied into '" + buffer.name +
                   "'; expected an in or inout buffer of the same type before it");
}

}  // namespace gtune
