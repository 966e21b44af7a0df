#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "answer/answer.hpp"

namespace gtune {

struct KernelSpec;

/// Answers for each problem, on one device name, or on each if it is empty. `of_architecture`: see
/// Question.
[[nodiscard]] std::vector<std::vector<Answer>> find_answers_of(
    const Database& database, const KernelIdentity& identity, const SizeRules& rules,
    const std::vector<Problem>& problems, const std::string& device,
    const std::optional<DeviceFacts>& of_architecture = std::nullopt);

/// The best stored configuration for each problem, or the expected best if it was not tuned, on one
/// device name, or on each if it is empty. If only some problems have an answer, a note names the
/// others. `of_architecture`: see Question. `bundled`: a database to ask if this one has no answer,
/// or only one guessed from recordings.
[[nodiscard]] std::vector<Answer> asked_answers(
    const Database& database, const KernelIdentity& identity, const SizeRules& rules,
    const std::vector<Problem>& problems, const std::string& device,
    const std::optional<DeviceFacts>& of_architecture = std::nullopt,
    const std::optional<std::filesystem::path>& bundled = std::nullopt);

/// Whether all answers come from replayed recordings of other sizes. Bundled measurements are
/// preferred to these.
[[nodiscard]] bool are_guessed_from_recordings(const std::vector<Answer>& answers);

/// The best of every stored problem on every GPU, by GPU model and size.
[[nodiscard]] std::vector<Answer> all_answers(const Database& database,
                                              const KernelIdentity& identity,
                                              const std::string& device);

/// Of all answers, one for each problem and GPU model, by model_rank; recordings apart.
[[nodiscard]] std::vector<Answer> answers_of_models(std::vector<Answer> all);

/// A hint such as "; tuned are n=1024; n=4096"; empty if nothing is tuned.
[[nodiscard]] std::string tuned_sizes(const Database& database, const KernelIdentity& identity,
                                      const KernelSpec& spec);

/// Why there is no answer, and what to do. `tuned_by`: the command that tunes the kernel.
/// `mode`: the timing mode that was asked for.
[[nodiscard]] std::string nothing_asked_line(const Database& database,
                                             const KernelIdentity& identity, const KernelSpec& spec,
                                             const std::string& device, const std::string& tuned_by,
                                             const std::optional<TimingMode>& mode);

}  // namespace gtune
