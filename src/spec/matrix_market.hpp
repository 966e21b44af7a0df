#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gtune {

/// A sparse matrix in compressed rows, sorted by row and column.
struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int64_t> row_offsets;  // rows + 1
  std::vector<std::int64_t> column_indices;
  std::vector<double> values;  // 1 where the file gives a pattern alone
};

/// A MatrixMarket coordinate matrix: real, integer or pattern; general, symmetric or
/// skew-symmetric, of which the other half is added (Boisvert, Pozo, Remington 1996, NIST IR 5935).
/// Throws std::invalid_argument: one line that says what is wrong, with its line.
[[nodiscard]] SparseMatrix parse_matrix_market(std::string_view text);

}  // namespace gtune
