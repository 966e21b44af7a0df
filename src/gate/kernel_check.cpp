#include "gate/kernel_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spec/problem_text.hpp"
#include "system/utc_now.hpp"

namespace gtune {
namespace {

bool has_all_sizes(const KernelSpec& spec, const Problem& problem) {
  return std::all_of(spec.sizes.begin(), spec.sizes.end(),
                     [&](const ProblemSize& size) { return problem.find(size.name).has_value(); });
}

void note_change(std::vector<std::string>& notes, const std::string& what,
                 const std::string& before, const std::string& now) {
  if (before == now) return;
  const auto known = [](const std::string& text) { return text.empty() ? "unknown" : text; };
  notes.push_back(fmt::format("{} was {}, is {}", what, known(before), known(now)));
}

/// What has changed since the file was saved and may change times too.
std::vector<std::string> conditions_that_changed(const ReferenceTime& saved,
                                                 const Environment& env) {
  std::vector<std::string> notes;
  note_change(notes, "the GPU", saved.gpu_uuid, env.device().uuid);
  note_change(notes, "the driver", saved.toolchain.driver, env.toolchain.driver);
  note_change(notes, "the CUDA runtime", saved.toolchain.runtime, env.toolchain.runtime);
  note_change(notes, "the compiler's release", saved.toolchain.nvrtc, env.toolchain.nvrtc);
  note_change(notes, "gtune", saved.toolchain.gtune, env.toolchain.gtune);
  return notes;
}

/// A change that the kernel's files do not explain.
void note_unchanged_files(CheckedProblem& checked, const Environment& env) {
  const bool changed =
      checked.verdict == GateVerdict::slower || checked.verdict == GateVerdict::faster;
  const bool same_files = checked.reference.source_hash == env.identity.source_hash &&
                          checked.reference.spec_hash == env.identity.spec_hash;
  if (!changed || !same_files) return;
  checked.notes.emplace_back(
      "source and spec have not changed since the file was saved, so something else has (see gtune "
      "doctor)");
}

void report_rounds(const Environment& env, const Problem& problem, int done, int total) {
  Progress progress;
  progress.problem = problem;
  progress.stage = "rounds";
  progress.done = static_cast<std::uint64_t>(done);
  progress.total = static_cast<std::uint64_t>(total);
  env.observer.on_progress(progress);
}

/// The times of a pair of rounds, or why the earlier source gave none.
struct PairOfRounds {
  double before_ms = 0;
  double now_ms = 0;
  std::string no_before;
};

/// A B, then B A: a drift of the clock affects both alike. A failure of `now` is thrown.
PairOfRounds next_pair(FreshRounds& before, FreshRounds& now, bool before_first) {
  PairOfRounds pair;
  const auto take_before = [&] {
    try {
      pair.before_ms = before.next_ms();
    } catch (const RoundFailed& failure) {
      pair.no_before = failure.what();
    }
  };
  if (before_first) take_before();
  pair.now_ms = now.next_ms();
  if (!before_first) take_before();
  return pair;
}

void conclude(CheckedProblem& checked, const ChangeTest& test) {
  checked.verdict = test.verdict();
  checked.change = test.change();
  checked.before_ms = test.before_ms();
  checked.now_ms = test.now_ms();
  checked.rounds = test.rounds();
  if (checked.verdict == GateVerdict::unsure) {
    checked.reason = fmt::format("not settled after {} rounds", test.rounds());
  }
}

}  // namespace

void KernelCheck::report_progress(const FreshRounds& now, int rounds) const {
  report_rounds(m_now.environment(), now.problem(), rounds, m_terms.most_rounds);
}

void KernelCheck::compare(CheckedProblem& checked, FreshRounds& now) const {
  ChangeTest test(m_terms, checked.reference.rounds_ms);
  while (!test.ended()) {
    report_progress(now, test.rounds());
    test.add_to_stored(now.next_ms());
  }
  conclude(checked, test);
  note_unchanged_files(checked, m_now.environment());
}

void KernelCheck::compare_in_turn(CheckedProblem& checked, FreshRounds& now) const {
  const auto give_up = [&](const std::string& why) {
    checked.reason = "the earlier source cannot be measured: " + why;
  };
  std::optional<FreshRounds> before;
  std::string no_before = m_no_before;
  try {
    if (m_before != nullptr) {
      before.emplace(*m_before, RoundSettings{checked.reference.mode, m_launch_limit_ms},
                     checked.reference.problem, checked.reference.config);
    }
  } catch (const RoundFailed& failure) {
    no_before = failure.what();
  }
  if (!before) {
    static_cast<void>(now.next_ms());  // it must be right, even with nothing to compare
    return give_up(no_before);
  }
  ChangeTest test(m_terms);
  while (!test.ended()) {
    report_progress(now, test.rounds());
    const PairOfRounds pair = next_pair(*before, now, test.rounds() % 2 == 0);
    if (!pair.no_before.empty()) return give_up(pair.no_before);
    test.add_pair(pair.before_ms, pair.now_ms);
  }
  conclude(checked, test);
}

CheckedProblem KernelCheck::check(const ReferenceTime& reference) const {
  const Environment& env = m_now.environment();
  CheckedProblem checked = failed_problem(&env.spec, reference, "");
  checked.verdict = GateVerdict::unsure;
  const bool in_turn = m_before != nullptr || !m_no_before.empty();
  if (!in_turn) checked.notes = conditions_that_changed(reference, env);
  std::optional<FreshRounds> now;
  try {
    now.emplace(m_now, RoundSettings{reference.mode, m_launch_limit_ms}, reference.problem,
                reference.config);
    checked.reference.problem = now->problem();  // in the spec's order
    checked.reference.config = now->config();
    checked.sizes = sizes_text(&env.spec, checked.reference);
    in_turn ? compare_in_turn(checked, *now) : compare(checked, *now);
  } catch (const RoundFailed& failure) {
    checked.verdict = GateVerdict::failed;
    checked.reason = failure.what();
  }
  if (now) checked.seconds = now->seconds();
  return checked;
}

std::string sizes_text(const KernelSpec* spec, const ReferenceTime& reference) {
  const std::string timing = reference.mode.phrase();
  const bool known = spec != nullptr && has_all_sizes(*spec, reference.problem);
  std::string sizes = known ? problem_text(*spec, reference.problem) : reference.problem.text();
  return sizes + (sizes.empty() || timing.empty() ? "" : ", ") + timing;
}

CheckedProblem failed_problem(const KernelSpec* spec, const ReferenceTime& reference,
                              std::string reason) {
  CheckedProblem checked;
  checked.reference = reference;
  checked.sizes = sizes_text(spec, reference);
  checked.verdict = GateVerdict::failed;
  checked.reason = std::move(reason);
  return checked;
}

ReferenceTime measure_reference(const GateSession& session, const RoundSettings& settings,
                                const std::string& spec_file, const Problem& problem,
                                const Config& config, int rounds) {
  const Environment& env = session.environment();
  FreshRounds measured(session, settings, problem, config);
  ReferenceTime entry;
  entry.kernel = env.spec.name;
  entry.spec = spec_file;
  entry.problem = measured.problem();
  entry.config = measured.config();
  entry.mode = settings.mode;
  entry.source_hash = env.identity.source_hash;
  entry.spec_hash = env.identity.spec_hash;
  entry.gpu_uuid = env.device().uuid;
  entry.toolchain = env.toolchain;
  entry.created = utc_now();
  for (int done = 0; done < rounds; ++done) {
    report_rounds(env, measured.problem(), done, rounds);
    entry.rounds_ms.push_back(measured.next_ms());
  }
  return entry;
}

}  // namespace gtune
