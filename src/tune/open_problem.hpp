#pragma once

#include "tune/environment.hpp"

namespace gtune {

/// The compile of a problem's reference kernel. Absent if the spec has none, if it runs on the
/// host, or if open_problem() will refuse it.
[[nodiscard]] std::optional<KernelRequest> request_for_reference(const Environment& env,
                                                                 const Case& opened);

/// searched: opened by all workers. The others are opened only by the lead, for measurements on one
/// device: measured again, or an awkward size on which a winner is checked.
enum class ProblemRole { searched, measured, awkward };

/// Compiles kernels side by side, equal ones once, and waits for all. Results are in the order of
/// the requests. Throws Interrupted.
[[nodiscard]] std::vector<CompileResult> compile_side_by_side(
    CompilePool& pool, const std::function<bool()>& interrupted,
    const std::vector<KernelRequest>& requests);
/// Compiles one kernel and waits for it. Throws Interrupted.
[[nodiscard]] CompileResult compile_now(CompilePool& pool, const std::function<bool()>& interrupted,
                                        KernelRequest request);
/// Opens the problem at the workers: buffers and reference result. The configuration in `opened`
/// can be any valid one; it is used for arguments that depend on it.
void open_problem(const Environment& environment, const Case& opened, ProblemRole role,
                  const RunSettings& settings);

}  // namespace gtune
