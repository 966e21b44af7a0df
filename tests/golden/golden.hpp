#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "report/document.hpp"

namespace gtune::test {

/// Compares `text` with a file, which scripts/update_golden.sh rewrites.
inline void expect_file(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("GTUNE_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  std::ifstream in(file, std::ios::binary);
  ASSERT_TRUE(in) << file << " is missing: run scripts/update_golden.sh";
  std::ostringstream expected;
  expected << in.rdbuf();
  EXPECT_EQ(expected.str(), text) << file << " differs: if that is meant, run "
                                  << "scripts/update_golden.sh and read its diff";
}

/// Compares with tests/golden/expected/NAME.
inline void expect_golden(const std::string& name, const std::string& text) {
  expect_file(std::filesystem::path(GTUNE_SOURCE_DIR) / "tests/golden/expected" / name, text);
}

/// Compares a report's text and JSON, and its CSV if it has one.
inline void expect_golden(const std::string& name, const Document& report) {
  expect_golden(name + ".txt", text_of(report));
  expect_golden(name + ".json", json_of(report));
  if (const std::string csv = csv_of(report); !csv.empty()) expect_golden(name + ".csv", csv);
}

}  // namespace gtune::test
