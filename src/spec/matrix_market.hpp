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
  std::vector<double> values;  // all 1 if the file has only a pattern
};

/// Parses a MatrixMarket coordinate matrix (Boisvert, Pozo, Remington 1996, NIST IR 5935): real,
/// integer or pattern; general, symmetric or skew-symmetric. Symmetric matrices are expanded.
/// Throws std::invalid_argument with one line that gives the mistake and its line number.
[[nodiscard]] SparseMatrix parse_matrix_market(std::string_view text);

}  // namespace gtune
