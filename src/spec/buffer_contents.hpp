#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "spec/kernel_spec.hpp"

namespace gtune {

/// A file with the contents of a buffer, or with the right result of an output.
struct DataFile {
  const BufferPlan& buffer;
  bool is_result = false;
  const std::filesystem::path& file;
  std::string part = {};  // of a sparse matrix
};

/// The files that the spec names for these arguments of its kernel. Refers to both.
[[nodiscard]] std::vector<DataFile> data_files(const KernelSpec& spec,
                                               const std::vector<ArgumentPlan>& arguments);

/// Reads the spec's files for these arguments of the kernel. Throws UserError if a file cannot be
/// read, has another type or size, or the files together are too large.
[[nodiscard]] std::vector<BufferContents> read_contents(const KernelSpec& spec,
                                                        const std::vector<ArgumentPlan>& arguments);

}  // namespace gtune
