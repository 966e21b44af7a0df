#include "spec/array_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "model/error.hpp"
#include "spec/matrix_market.hpp"
#include "system/regular_file.hpp"

namespace gtune {
namespace {

constexpr std::array<std::string_view, 12> numpy_types = {"<f2", "",    "<f4", "<f8", "|i1", "|u1",
                                                          "<i2", "<u2", "<i4", "<u4", "<i8", "<u8"};

std::string_view numpy_type(ElementType type) {
  return numpy_types.at(static_cast<std::size_t>(type));
}

/// The value after 'key': in the dictionary of an .npy header, up to `end`.
std::string_view header_value(std::string_view header, std::string_view key, char begin, char end) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == header.npos)
    throw std::invalid_argument("its header has no '" + std::string(key) + "'");
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  if (begin != '\0') {
    if (value.empty() || value.front() != begin)
      throw std::invalid_argument("its header is broken");
    value.remove_prefix(1);
  }
  return value.substr(0, value.find(end));
}

/// The elements of an .npy file (NumPy Enhancement Proposal 1).
std::string_view numpy_elements(std::string_view bytes, ElementType type) {
  const auto byte_at = [&](std::size_t at) {
    if (at >= bytes.size()) throw std::invalid_argument("it ends in its header");
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at]));
  };
  if (!bytes.starts_with("\x93NUMPY")) throw std::invalid_argument("it is not an .npy file");
  const bool is_old = byte_at(6) == 1;
  std::size_t length = byte_at(8) | byte_at(9) << 8;
  if (!is_old) length |= byte_at(10) << 16 | byte_at(11) << 24;
  const std::size_t begin = is_old ? 10 : 12;
  if (bytes.size() - begin < length) throw std::invalid_argument("it ends in its header");
  const std::string_view header = bytes.substr(begin, length);
  const std::string_view found = header_value(header, "descr", '\'', '\'');
  const bool is_boolean = found == "|b1" && type == ElementType::u8;
  if (found != numpy_type(type) && !is_boolean) {
    throw std::invalid_argument("it holds '" + std::string(found.substr(0, 20)) +
                                "', but the buffer has type " + std::string(to_string(type)));
  }
  const bool is_vector = header_value(header, "shape", '(', ')').find_first_of("0123456789") ==
                         header_value(header, "shape", '(', ')').npos;
  if (!is_vector && header_value(header, "fortran_order", '\0', ',') != "False") {
    throw std::invalid_argument("it is in Fortran order; save it in C order");
  }
  return bytes.substr(begin + length);
}

template <typename Element, typename Number>
std::vector<std::byte> packed(const std::vector<Number>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(Element));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if constexpr (std::is_integral_v<Element>) {
      using Limits = std::numeric_limits<Element>;
      const auto number = static_cast<double>(numbers[i]);
      // The largest 64-bit integer is no double: the power of two above it is the bound.
      const double above = std::ldexp(1.0, Limits::digits);
      if (!(number >= static_cast<double>(Limits::lowest()) && number < above)) {
        throw std::invalid_argument("element " + std::to_string(i) + " does not fit the type");
      }
    }
    const auto element = static_cast<Element>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof element, &element, sizeof element);
  }
  return bytes;
}

template <typename Number>
std::vector<std::byte> packed(const std::vector<Number>& numbers, ElementType type) {
  switch (type) {
    case ElementType::f32:
      return packed<float>(numbers);
    case ElementType::f64:
      return packed<double>(numbers);
    case ElementType::i32:
      return packed<std::int32_t>(numbers);
    case ElementType::u32:
      return packed<std::uint32_t>(numbers);
    case ElementType::i64:
      return packed<std::int64_t>(numbers);
    default:
      throw std::invalid_argument("a matrix can only be read as f32, f64, i32, u32 or i64");
  }
}

std::vector<std::byte> matrix_part(std::string_view text, const std::string& part,
                                   ElementType type) {
  const SparseMatrix matrix = parse_matrix_market(text);
  if (part == "values") return packed(matrix.values, type);
  return packed(part == "columns" ? matrix.column_indices : matrix.row_offsets, type);
}

std::vector<std::byte> elements_of(const std::string& bytes, const std::filesystem::path& file,
                                   const std::string& part, ElementType type) {
  if (file.extension() == ".mtx") return matrix_part(bytes, part, type);
  if (bytes.starts_with("PK\x03\x04")) {
    throw std::invalid_argument(
        "it is an archive; expected one array: .npy, or its elements alone");
  }
  const std::string_view elements =
      file.extension() == ".npy" ? numpy_elements(bytes, type) : std::string_view(bytes);
  if (elements.size() % size_of(type) != 0) {
    throw std::invalid_argument("its " + std::to_string(elements.size()) +
                                " bytes are no whole elements of " + std::string(to_string(type)));
  }
  const auto* data = reinterpret_cast<const std::byte*>(elements.data());
  return {data, data + elements.size()};
}

}  // namespace

std::vector<std::byte> read_array(const std::filesystem::path& file, const std::string& part,
                                  ElementType type, std::int64_t count) {
  const auto fail = [&](const std::string& why) {
    throw UserError(ExitCode::usage, file.string() + ": " + why);
  };
  std::vector<std::byte> elements;
  try {
    elements = elements_of(read_regular_file(file, most_array_bytes, "data"), file, part, type);
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  if (elements.size() != static_cast<std::size_t>(count) * size_of(type)) {
    fail("it holds " + std::to_string(elements.size() / size_of(type)) + " elements of " +
         std::string(to_string(type)) + ", but the buffer has " + std::to_string(count));
  }
  return elements;
}

}  // namespace gtune
