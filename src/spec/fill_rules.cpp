#include "spec/fill_rules.hpp"

#include <cmath>
#include <limits>

#include "model/words.hpp"

namespace gtune {
namespace {

bool is_unsigned(ElementType type) { return to_string(type).front() == 'u'; }

/// The bits of an integer type's magnitude.
int value_bits(ElementType type) {
  return static_cast<int>(8 * size_of(type)) - (is_unsigned(type) ? 0 : 1);
}

double largest_float(ElementType type) {
  if (type == ElementType::f16) return 65504;
  if (type == ElementType::bf16) return 0x1.fep127;
  if (type == ElementType::f32) return std::numeric_limits<float>::max();
  return std::numeric_limits<double>::max();
}

/// As the device stores it: rounded down for integers.
double stored(double value, ElementType type) {
  return is_floating(type) ? value : std::floor(value);
}

/// The range [low, high).
bool range_fits(double low, double high, ElementType type) {
  if (is_floating(type)) return fits(low, type) && fits(high, type);
  return fits(stored(low, type), type) && fits(std::ceil(high) - 1, type);
}

}  // namespace

bool fits(std::int64_t value, ElementType type) {
  if (is_floating(type)) return fits(static_cast<double>(value), type);
  if (is_unsigned(type) && value < 0) return false;
  const int bits = value_bits(type);
  return bits >= 63 || (value >> bits) == (value < 0 ? -1 : 0);
}

bool fits(double value, ElementType type) {
  if (is_floating(type)) return std::abs(value) <= largest_float(type);
  const double end = std::exp2(value_bits(type));
  return value >= (is_unsigned(type) ? 0 : -end) && value < end;
}

std::optional<std::string> find_mistake(const Fill& fill, ElementType type, std::int64_t count) {
  const auto not_in_type = [&](const std::string& what) {
    return what + " does not fit into " + std::string(to_string(type));
  };
  switch (fill.kind) {
    case FillKind::uniform:
      if (!(fill.low < fill.high)) return "its range is empty; expected the lower number first";
      if (range_fits(fill.low, fill.high, type)) return std::nullopt;
      return not_in_type("its range [" + shortest_text(fill.low) + ", " + shortest_text(fill.high) +
                         ")");
    case FillKind::constant:
      if (std::isinf(fill.low) || fits(stored(fill.low, type), type)) return std::nullopt;
      return not_in_type(shortest_text(fill.low));
    case FillKind::normal:
      if (fill.high < 0) {
        return "its deviation is " + shortest_text(fill.high) + "; expected 0 or more";
      }
      if (fits(stored(fill.low, type), type) && fits(fill.high, ElementType::f64)) {
        return std::nullopt;
      }
      return not_in_type("its mean " + shortest_text(fill.low));
    case FillKind::offsets:
      if (fill.high >= 0 && fits(fill.high, type)) return std::nullopt;
      return not_in_type("its total " + shortest_text(fill.high)) +
             (fill.high < 0 ? ", whose offsets begin at 0" : "");
    case FillKind::permutation:
      if (count == 0 || fits(count - 1, type)) return std::nullopt;
      return not_in_type("its last number " + std::to_string(count - 1));
    case FillKind::iota:
    case FillKind::each:
    case FillKind::copy:
    case FillKind::contents:
      break;
  }
  return std::nullopt;
}

}  // namespace gtune
