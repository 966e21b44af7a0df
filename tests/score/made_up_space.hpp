#pragma once

#include "exchange/recorded_space.hpp"

namespace gtune::test {

/// Of a run that nobody interrupts.
inline bool never() { return false; }

enum class Failing { none, every_fifth };

/// `count` configurations of P = 1, 2, 3, ..., which take P ms and 2 ms to try.
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
