#include "spec/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <string>

namespace gtune {
namespace {

constexpr std::int64_t most_columns = std::int64_t{1} << 31;
/// Empty rows take memory as well. Larger matrices need a file of at least a byte per row.
constexpr std::int64_t most_rows_of_small_files = std::int64_t{1} << 20;

struct Entry {
  std::int64_t row;
  std::int64_t column;
  double value;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : m_rest(text) {}

  SparseMatrix parse() {
    read_banner();
    read_line();
    while (m_line.empty() || m_line.front() == '%') read_line();
    SparseMatrix matrix;
    const auto bytes = static_cast<std::int64_t>(m_rest.size());
    matrix.rows = integer(std::max(most_rows_of_small_files, bytes));
    matrix.columns = integer(most_columns);
    if (m_mirror != 0 && matrix.rows != matrix.columns) {
      fail("a symmetric matrix has as many rows as columns, not " + std::to_string(matrix.rows) +
           " and " + std::to_string(matrix.columns));
    }
    const std::int64_t count = integer(bytes);
    std::vector<Entry> entries;
    for (std::int64_t n = 0; n < count; ++n) {
      read_line();
      const std::int64_t row = index(matrix.rows);
      const std::int64_t column = index(matrix.columns);
      const double value = m_is_pattern ? 1 : real();
      expect_end_of_line();
      entries.push_back({row, column, value});
      if (m_mirror != 0 && row != column) entries.push_back({column, row, m_mirror * value});
    }
    if (m_rest.find_first_not_of(" \t\r\n") != m_rest.npos) {
      read_line();
      fail("the size line says " + std::to_string(count) + " entries, and there are more");
    }
    compress(entries, matrix);
    return matrix;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument("line " + std::to_string(m_number) + ": " + why);
  }

  void read_line() {
    if (m_rest.empty()) fail("it ends here; expected more");
    const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
    m_line = m_rest.substr(0, end);
    m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
    ++m_number;
  }

  std::string_view word() {
    constexpr const char* spaces = " \t\r";
    m_line.remove_prefix(std::min(m_line.find_first_not_of(spaces), m_line.size()));
    const std::string_view word = m_line.substr(0, m_line.find_first_of(spaces));
    m_line.remove_prefix(word.size());
    if (word.empty()) fail("a number or a word is missing");
    return word;
  }

  void expect_end_of_line() const {
    if (m_line.find_first_not_of(" \t\r") == m_line.npos) return;
    fail(m_is_pattern ? "an entry of a pattern is a row and a column; expected no more"
                      : "an entry is a row, a column and a value; expected no more");
  }

  /// The words of the first line may have letters of either case.
  std::string banner_word() {
    std::string lower(word());
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
  }

  void read_banner() {
    read_line();
    if (banner_word() != "%%matrixmarket" || banner_word() != "matrix" ||
        banner_word() != "coordinate") {
      fail("not a MatrixMarket coordinate matrix; expected '%%MatrixMarket matrix coordinate'");
    }
    const std::string field = banner_word();
    m_is_pattern = field == "pattern";
    if (!m_is_pattern && field != "real" && field != "integer") {
      fail("field '" + field + "'; expected real, integer or pattern");
    }
    const std::string symmetry = banner_word();
    if (symmetry == "symmetric") {
      m_mirror = 1;
    } else if (symmetry == "skew-symmetric") {
      m_mirror = -1;
    } else if (symmetry != "general") {
      fail("symmetry '" + symmetry + "'; expected general, symmetric or skew-symmetric");
    }
  }

  template <typename Number>
  Number number() {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail("'" + std::string(text.substr(0, 40)) + "' is not a number");
    }
    return value;
  }

  std::int64_t integer(std::int64_t most) {
    const auto value = number<std::int64_t>();
    if (value < 0 || value > most) fail(std::to_string(value) + " is out of range");
    return value;
  }

  std::int64_t index(std::int64_t end) {
    const auto value = number<std::int64_t>();
    if (value < 1 || value > end) {
      fail("index " + std::to_string(value) + "; expected 1 to " + std::to_string(end));
    }
    return value - 1;
  }

  double real() { return number<double>(); }

  static void compress(std::vector<Entry>& entries, SparseMatrix& matrix) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    matrix.row_offsets.assign(static_cast<std::size_t>(matrix.rows) + 1, 0);
    for (const Entry& entry : entries) {
      ++matrix.row_offsets[static_cast<std::size_t>(entry.row) + 1];
      matrix.column_indices.push_back(entry.column);
      matrix.values.push_back(entry.value);
    }
    for (std::size_t row = 1; row < matrix.row_offsets.size(); ++row) {
      matrix.row_offsets[row] += matrix.row_offsets[row - 1];
    }
  }

  std::string_view m_rest;
  std::string_view m_line;
  int m_number = 0;
  bool m_is_pattern = false;
  double m_mirror = 0;
};

}  // namespace

SparseMatrix parse_matrix_market(std::string_view text) { return Parser(text).parse(); }

}  // namespace gtune
