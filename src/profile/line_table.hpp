#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "profile/cupti_library.hpp"

namespace gtune {

/// Where an instruction comes from. For a function that was inlined, the line is in that function.
struct SourceLine {
  std::string file;  // empty: not known
  int line = 0;      // 0: not known
};

/// The source lines of a cubin that was compiled with -lineinfo. Needs CUPTI, but no GPU.
class LineTable {
 public:
  /// `cubin` must outlive the object. Throws UserError if there is no CUPTI.
  explicit LineTable(std::span<const std::byte> cubin) : m_cubin(cubin) {}

  /// `function`: mangled. `offset`: of the instruction, in the function.
  [[nodiscard]] SourceLine line_of(const std::string& function, std::uint64_t offset) const;

 private:
  CuptiLibrary m_cupti;
  std::span<const std::byte> m_cubin;
};

}  // namespace gtune
