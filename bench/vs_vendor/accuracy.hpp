#pragma once

#include <string>
#include <vector>

namespace gtune::bench {

/// How far a product C = A B is from the same in float64.
struct Accuracy {
  std::string name;
  double frobenius = 0;   // |C - truth| / |truth|, Frobenius norms
  double max_scaled = 0;  // the largest |C - truth| / (|A| |B|) of an element
};

/// What became of an element that is no ordinary float: one row of A has it, all else is from
/// [0, 1).
struct SpecialCase {
  std::string what;
  std::vector<std::string> names;  // who computed it
  std::vector<float> results;      // the row's first element of C
  std::vector<long> not_finite;    // elements of C
};

}  // namespace gtune::bench
