#pragma once

#include "tune/environment.hpp"

namespace gtune {

enum class ProblemRole { measured, awkward };

/// Compiles one kernel and waits for it. Throws Interrupted.
[[nodiscard]] CompileResult compile_now(CompilePool& pool, const std::function<bool()>& interrupted,
                                        KernelRequest request);
/// Opens `problem` at the worker: buffers and reference result. `config`: any valid one, for
/// arguments that depend on it.
void open_problem(Environment& environment, const Problem& problem, const Config& config,
                  ProblemRole role, std::uint64_t seed);

}  // namespace gtune
