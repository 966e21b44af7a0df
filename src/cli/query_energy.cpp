#include "cli/query_energy.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "model/error.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

std::vector<ConfigEnergy> stored_energies(const Database& database, const KernelIdentity& identity,
                                          const KernelSpec& spec, const EnergyQuery& query) {
  BestFilter filter;
  if (!query.device.empty()) filter.device_name = query.device;
  if (!query.sizes.any()) return database.load_energies(identity, filter);
  std::vector<ConfigEnergy> energies;
  for (const Problem& problem : query.sizes.problems(spec)) {
    filter.problem = problem;
    for (ConfigEnergy& energy : database.load_energies(identity, filter)) {
      energies.push_back(std::move(energy));
    }
  }
  return energies;
}

void note_missing(const KernelSpec& spec, const EnergyQuery& query,
                  const std::vector<EnergyAnswer>& answers) {
  if (!query.sizes.any()) return;
  for (const Problem& problem : query.sizes.problems(spec)) {
    const bool found = std::any_of(answers.begin(), answers.end(), [&](const EnergyAnswer& each) {
      return each.problem == problem;
    });
    if (!found) spdlog::info("note: no stored energy of {}", problem_text(spec, problem));
  }
}

}  // namespace

Document query_energy(const KernelSpec& spec, const KernelIdentity& identity,
                      const EnergyQuery& query) {
  std::vector<EnergyAnswer> answers;
  const Results results = open_results(query.wanted, identity, [&](const Database& database) {
    answers = energy_answers(stored_energies(database, identity, spec, query), query.wanted.mode);
    return !answers.empty();
  });
  if (answers.empty()) {
    throw UserError(ExitCode::nothing_stored,
                    "no energy of " + spec.name +
                        " is stored for this query: " + query.wanted.tuned_by +
                        options_of(query.wanted.mode) + " --objective energy measures it");
  }
  note_sources(results, spec.name);
  note_missing(spec, query, answers);
  return energy_answer_report(spec, answers, query.question);
}

}  // namespace gtune
