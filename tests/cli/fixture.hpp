#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/checked_json.hpp"
#include "support/run_program.hpp"

namespace gtune::test {

/// A test with its own folder, a made-up recording of the toy kernel, and the real program.
class CliTest : public ::testing::Test {
 protected:
  CliTest();
  ~CliTest() override;

  /// `gtune ARGUMENTS` with this test's cache and database.
  [[nodiscard]] ProgramResult gtune(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& environment = {},
                                    int limit_s = 300) const;
  /// Arguments that tune the toy kernel on the recording, followed by `more`.
  [[nodiscard]] std::vector<std::string> toy(const std::vector<std::string>& more = {}) const;
  /// Runs the toy tuning with --json and returns what it prints.
  nlohmann::json tune_toy(const std::vector<std::string>& more = {},
                          const std::vector<std::string>& environment = {}) const;
  [[nodiscard]] std::vector<std::string> environment() const;
  /// Stores a run on a made-up device and size. Its winner has this BLOCK.
  void store_winner(const std::string& device, int cc, std::int64_t n, std::int64_t block,
                    const std::string& uuid = "") const;

  /// Marks all stored devices as real GPUs instead of replays.
  void take_for_measured() const;

  /// Stores a run of the toy kernel with a warm L2 cache, in which BLOCK 64 is the best.
  void store_with_warm_l2() const;

  std::filesystem::path folder;
  std::filesystem::path database;
  std::filesystem::path recording;
};

inline const std::string data = std::string(GTUNE_SOURCE_DIR) + "/tests/cli/data";

/// Expects one line on standard error without signs of a crash, and nothing on standard output.
void expect_one_clear_line(const ProgramResult& result);

}  // namespace gtune::test
