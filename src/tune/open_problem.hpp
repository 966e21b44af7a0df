#pragma once

#include "tune/environment.hpp"

namespace gtune {

/// searched: by all workers. The others by the lead alone, for what is measured on one device:
/// measured again, or an awkward size that a winner is checked on.
enum class ProblemRole { searched, measured, awkward };

/// Compiles one kernel and waits for it. Throws Interrupted.
[[nodiscard]] CompileResult compile_now(CompilePool& pool, const std::function<bool()>& interrupted,
                                        KernelRequest request);
/// Opens the problem at the workers: buffers and reference result. The configuration: any valid
/// one, for arguments that depend on it.
void open_problem(const Environment& environment, const Case& opened, ProblemRole role,
                  std::uint64_t seed);

}  // namespace gtune
