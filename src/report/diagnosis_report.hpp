#pragma once

#include "report/diagnosis.hpp"
#include "report/document.hpp"

namespace gtune {

/// A line for each check of the machine and of its GPUs. JSON also holds the facts.
[[nodiscard]] Document diagnosis_report(const Diagnosis& diagnosis);

}  // namespace gtune
