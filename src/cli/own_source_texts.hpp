#pragma once

#include <functional>

#include "explain/source_texts.hpp"
#include "model/named_values.hpp"

namespace gtune {

struct KernelSpec;

/// Reads the kernel's own files. `config`: any valid one. Empty, with a note, if they cannot be
/// found, for example without the nvcc that knows where headers are.
[[nodiscard]] SourceTexts own_source_texts(const KernelSpec& spec, const Config& config);

/// The same as a function for later. `spec` must outlive it.
[[nodiscard]] std::function<SourceTexts(const Config&)> texts_reader(const KernelSpec& spec);

}  // namespace gtune
