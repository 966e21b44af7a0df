#pragma once

// Enumerations have readers of their own: nlohmann would cast any number to them.
#define JSON_DISABLE_ENUM_SERIALIZATION 1

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

// nlohmann's JSON with checked integers. nlohmann casts every number: 1e19 read as an integer is
// undefined behaviour, 4294967296 read as an int is 0, and 1.5 is 1. Every file that uses JSON must
// include this header instead of nlohmann's; cmake/check_includes.cmake enforces it.
namespace gtune {

template <typename T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool>;

/// The number as a T; absent if it does not fit, or is not written as an integer (1e3 is a double).
template <JsonInteger T>
[[nodiscard]] std::optional<T> integer_in(const nlohmann::json& in) {
  if (const auto* large = in.get_ptr<const nlohmann::json::number_unsigned_t*>()) {
    return std::in_range<T>(*large) ? std::optional(static_cast<T>(*large)) : std::nullopt;
  }
  if (const auto* integer = in.get_ptr<const nlohmann::json::number_integer_t*>()) {
    return std::in_range<T>(*integer) ? std::optional(static_cast<T>(*integer)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace gtune

namespace nlohmann {

/// Checks integers in get<T>(), get_to(), value(), containers and implicit conversions.
template <gtune::JsonInteger T>
struct adl_serializer<T> {
  static void to_json(json& out, T value) { ::nlohmann::to_json(out, value); }
  static void from_json(const json& in, T& value) {
    if (!in.is_number()) {
      throw json::type_error::create(
          302, std::string("type must be number, but is ") + in.type_name(), &in);
    }
    const std::optional<T> integer = gtune::integer_in<T>(in);
    if (!integer) {
      throw json::out_of_range::create(
          406, in.dump() + " is not an integer of " + std::to_string(8 * sizeof(T)) + " bits", &in);
    }
    value = *integer;
  }
};

}  // namespace nlohmann

// Instantiated in json.cpp alone: else every source would compile JSON anew.
extern template class nlohmann::basic_json<>;
