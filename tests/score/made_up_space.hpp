#pragma once

#include "exchange/recorded_space.hpp"

namespace gtune::test {

/// For a run that is not interrupted.
inline bool never() { return false; }

enum class Failing { none, every_fifth };

/// Configurations P = 1, 2, ..., `count`. Each takes P ms, and 2 ms to evaluate.
inline RecordedSpace made_up_space(int count, Failing failing = Failing::every_fifth) {
  std::vector<RecordedRow> rows;
  for (int p = 1; p <= count; ++p) {
    RecordedRow row;
    row.values = {p};
    if (failing == Failing::none || p % 5 != 0) row.cost_ms = p;
    row.evaluation_ms = 2;
    rows.push_back(row);
  }
  return make_recorded_space("made up", {"P"}, rows);
}

}  // namespace gtune::test
