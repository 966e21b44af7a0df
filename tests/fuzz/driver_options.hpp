#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gtune::fuzz {

/// The command line of a fuzz program.
struct DriverOptions {
  std::string name;  // of the target
  std::uint64_t seed = 1;
  std::uint64_t inputs = 1000000;  // made from the corpus, which itself comes first
  double seconds = 0;              // 0: unlimited
  std::filesystem::path faults = ".";
  std::vector<std::filesystem::path> corpus;
};

/// Ends the program with a usage text if the command line is wrong.
[[nodiscard]] DriverOptions driver_options(int argc, char** argv);

}  // namespace gtune::fuzz
