#pragma once

#include <string>
#include <vector>

#include "authoring/spec_places.hpp"
#include "model/case.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

struct DataFileMistake {
  std::string place;
  std::string line;
};

/// The spec's data files that do not fit their buffers in this case, and why.
[[nodiscard]] std::vector<DataFileMistake> data_file_mistakes(const KernelSpec& spec,
                                                              const SpecPlaces& places,
                                                              const Case& of);

}  // namespace gtune
