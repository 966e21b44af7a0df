#include "model/line_profile.hpp"

#include <gtest/gtest.h>

#include "model/foreign_json.hpp"
#include "model/possible_measurement.hpp"
#include "support/some_lines.hpp"

namespace gtune {
namespace {

using nlohmann::json;

using test::some_lines;

TEST(LineProfile, ComesBackFromItsJson) {
  const json written = some_lines();
  const auto read = parse_foreign_json(written.dump()).get<LineProfile>();
  EXPECT_EQ(json(read), written);
  ASSERT_EQ(read.lines.size(), 4U);
  EXPECT_EQ(read.samples, 1000U);
  EXPECT_EQ(read.launches, 3);
  EXPECT_EQ(read.dropped, 5U);
  const LineSamples& line = read.lines[0];
  EXPECT_EQ(line.file, "toy.cu");
  EXPECT_EQ(line.line, 5);
  EXPECT_EQ(line.function, "toy(int, const float*, float*)");
  EXPECT_EQ(line.samples(), 600U);
  EXPECT_EQ(line.stalls.at("long_scoreboard"), 450U);
  EXPECT_EQ(line.opcodes.at("STG"), 80U);
  EXPECT_EQ(line.instructions, 7U);
  ASSERT_EQ(line.hottest.size(), 2U);
  EXPECT_EQ(line.hottest[0].offset, 0x140U);
  EXPECT_EQ(line.hottest[0].opcode, "LDG.E");
  EXPECT_EQ(line.hottest[0].stall, "long_scoreboard");
}

TEST(LineProfile, EachNameIsWrittenOnce) {
  const std::string text = json(some_lines()).dump();
  const std::size_t first = text.find("toy(int");
  ASSERT_NE(first, text.npos);
  EXPECT_EQ(text.find("toy(int", first + 1), text.npos);
}

TEST(LineProfile, AnotherFormIsRefused) {
  const json good = some_lines();
  const auto with = [&](const char* place, const json& value) {
    json bad = good;
    bad[json::json_pointer(place)] = value;
    return bad;
  };
  for (const json& bad :
       {with("/lines/0/file", 7), with("/lines/0/stalls", {0}), with("/lines/0/stalls/1", -1),
        with("/lines/0/line", 1e20), with("/lines/0/hottest/0", {1}), with("/names", "none"),
        with("/samples", "many"), json::array(), json(3)}) {
    EXPECT_ANY_THROW((void)bad.get<LineProfile>()) << bad;
  }
  json hottest = good;
  while (hottest["lines"][0]["hottest"].size() <= k_most_hottest) {
    hottest["lines"][0]["hottest"].push_back(hottest["lines"][0]["hottest"][0]);
  }
  EXPECT_THROW((void)hottest.get<LineProfile>(), std::invalid_argument);
  EXPECT_THROW((void)with("/lines/0/file", 2'000'000'000).get<LineProfile>(),
               std::invalid_argument);
  json many = good;
  for (std::size_t i = 0; i <= k_most_lines; ++i) many["lines"].push_back(many["lines"][0]);
  EXPECT_THROW((void)many.get<LineProfile>(), std::invalid_argument);
}

TEST(LineProfile, LongTextsAreShortenedBeforeEachLineCopiesThem) {
  json written = some_lines();
  for (const char* texts : {"files", "functions", "names"}) {
    for (json& text : written[texts]) text = text.get<std::string>() + std::string(100'000, 'x');
  }
  const auto read = written.get<LineProfile>();
  EXPECT_LT(read.lines[0].file.size(), 2100U);
  EXPECT_LT(read.lines[0].function.size(), 2100U);
  EXPECT_LT(read.lines[0].hottest[0].opcode.size(), 210U);
  EXPECT_LT(read.lines[0].stalls.begin()->first.size(), 210U);
}

TEST(LineProfile, WhatCannotHaveBeenSampledIsImpossible) {
  EXPECT_FALSE(why_impossible(some_lines()));
  const auto broken = [](auto change) {
    LineProfile profile = some_lines();
    change(profile);
    return why_impossible(profile).has_value();
  };
  EXPECT_TRUE(broken([](LineProfile& p) { p.samples = 959; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.samples = std::uint64_t{1} << 60; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.period_cycles = 0; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.launches = -1; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.lines[0].line = -1; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.lines[0].opcodes["LDG"] += 1; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.lines[0].opcodes["LDG"] = ~std::uint64_t{0}; }));
  EXPECT_TRUE(broken([](LineProfile& p) { p.lines[0].hottest[0].samples = 601; }));
  // Their sum would wrap around to a small number.
  EXPECT_TRUE(broken([](LineProfile& p) {
    p.lines[0].stalls = {{"a", ~std::uint64_t{0}}, {"b", 2}};
  }));
}

}  // namespace
}  // namespace gtune
