#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/checked_json.hpp"

// Where in its source a kernel waits: samples of the instructions that its warps were at.
namespace gtune {

/// Samples by the name of a stall reason ("long_scoreboard") or an opcode ("LDG").
using SampleCounts = std::map<std::string, std::uint64_t>;

[[nodiscard]] std::uint64_t total_of(const SampleCounts& counts);

struct InstructionSamples {
  std::uint64_t offset = 0;  // in its function, in bytes
  std::string opcode;        // "LDG.E.128"; empty: not known
  std::uint64_t samples = 0;
  std::string stall;  // the reason of most of them
};

/// The samples of one source line in one function.
struct LineSamples {
  /// The kernel's own files: relative to the folder of the kernel's source. Others: as the compiler
  /// names them. Empty: not known.
  std::string file;
  int line = 0;          // 0: not known
  std::string function;  // the kernel into which the line was compiled, as declared
  SampleCounts stalls;
  SampleCounts opcodes;                     // without modifiers; empty: not known
  std::uint64_t instructions = 0;           // that have samples
  std::vector<InstructionSamples> hottest;  // some of these, the one with the most samples first

  [[nodiscard]] std::uint64_t samples() const { return total_of(stalls); }
};

struct LineProfile {
  std::int64_t period_cycles = 0;  // of an SM, between two samples of one of its schedulers
  int launches = 0;
  std::uint64_t samples = 0;       // of the kernel, also on lines that are left out
  std::uint64_t dropped = 0;       // by the hardware
  std::vector<LineSamples> lines;  // the one with the most samples first
};

/// Bounds of a profile.
inline constexpr std::size_t k_most_lines = 200;
inline constexpr std::size_t k_most_hottest = 4;

/// The profile with all texts as single lines of bounded length: it may come from elsewhere.
[[nodiscard]] LineProfile presentable(LineProfile profile);

/// Lists each file, function and name once. Reading makes the texts presentable; it throws
/// nlohmann::json::exception or std::invalid_argument.
void to_json(nlohmann::json& out, const LineProfile& profile);
void from_json(const nlohmann::json& in, LineProfile& profile);

}  // namespace gtune
