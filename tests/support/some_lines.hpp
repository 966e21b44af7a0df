#pragma once

#include "model/line_profile.hpp"

namespace gtune::test {

/// A made-up profile: two lines of a kernel's own file, one of a header elsewhere, and samples
/// without a line.
inline LineProfile some_lines(const std::string& file = "toy.cu") {
  const std::string function = "toy(int, const float*, float*)";
  LineProfile profile{1024, 3, 1000, 5, {}};
  profile.lines = {{file,
                    5,
                    function,
                    {{"long_scoreboard", 450}, {"lg_throttle", 100}, {"wait", 50}},
                    {{"LDG", 500}, {"STG", 80}, {"FMUL", 20}},
                    7,
                    {{0x140, "LDG.E", 480, "long_scoreboard"}, {0x160, "STG.E", 80, "wait"}}},
                   {file,
                    3,
                    function,
                    {{"wait", 180}, {"selected", 20}},
                    {{"IADD3", 150}, {"ISETP", 50}},
                    4,
                    {{0x110, "IADD3", 150, "wait"}}},
                   {"/usr/local/cuda/include/cuda_fp16.hpp",
                    1234,
                    function,
                    {{"selected", 100}},
                    {{"HADD2", 100}},
                    2,
                    {{0x180, "HADD2.F32", 60, "selected"}}},
                   {"", 0, function, {{"branch_resolving", 60}}, {}, 1, {{0x20, "", 60, "wait"}}}};
  return profile;
}

}  // namespace gtune::test
