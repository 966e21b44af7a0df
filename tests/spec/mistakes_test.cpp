// All mistakes of a spec at once, each with its place, and none that follows from another.
#include "spec_file.hpp"

namespace gtune {
namespace {

SpecReading reading_of(const std::string& text) {
  const TestFolder folder;
  folder.write("k.cu", "// empty");
  return read_all_mistakes(text, folder.path() / "k.toml", {});
}

std::string all_lines(const SpecReading& reading) {
  std::string lines;
  for (const SpecMistake& mistake : reading.mistakes) lines += mistake.in("k") + "\n";
  return lines;
}

const std::string good = spec_text("BM = [32, 64]", "few = \"BM <= 64\"", "twice = \"2 * BM\"");

std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(SpecMistakes, OfAGoodSpecThereAreNoneAndItIsRead) {
  const SpecReading reading = reading_of(good);
  EXPECT_EQ(all_lines(reading), "");
  ASSERT_TRUE(reading.spec);
  EXPECT_EQ(reading.spec->constraints.size(), 1U);
  EXPECT_TRUE(reading.unread.empty());
}

TEST(SpecMistakes, OneOfEachPartIsThereByPlace) {
  const SpecReading reading = reading_of(R"([kernel]
source = "nowhere.cu"
entry = "k<"
colour = 1
[problem]
M = 0
N = { default = "P" }
[params]
BM = [32, 32]
BN = []
[let]
half = "BM / "
quarter = "half / 2"
[constraints]
one = "BX > 1"
two = "quarter > 1"
three = 3
[launch]
grid = ["M"]
block = ["BM"]
[[args]]
name = "A"
type = "f31"
count = "M"
[[args]]
name = "B"
type = "f32"
count = "BM *"
direction = "in"
[work]
flops = "BM"
)");
  EXPECT_FALSE(reading.spec);
  std::vector<std::size_t> lines;
  for (const SpecMistake& mistake : reading.mistakes) lines.push_back(mistake.place.line);
  EXPECT_EQ(lines, (std::vector<std::size_t>{1, 2, 3, 4, 6, 7, 9, 10, 12, 15, 17, 23, 28, 31}))
      << all_lines(reading);
  EXPECT_TRUE(reading.unread.empty());  // [check] is missing, which is the first mistake
}

TEST(SpecMistakes, APartThatRestsOnABrokenOneIsNotLookedAt) {
  const SpecReading reading = reading_of(with(good, "[params]\nBM = [32, 64]", ""));
  EXPECT_EQ(all_lines(reading), "k:1:1: the spec has no table [params]; expected one\n");
  EXPECT_EQ(reading.unread, (std::vector<std::string>{"[let]", "[constraints]", "[launch]",
                                                      "[[args]]", "[check]"}));
}

TEST(SpecMistakes, AMisspeltKeyIsNotMissingAsWell) {
  const auto lines = [&](const std::string& part, const std::string& other) {
    return all_lines(reading_of(with(good, part, other)));
  };
  EXPECT_EQ(lines("entry =", "entri ="),
            "k:3:1: unknown key 'entri' in [kernel]; did you mean 'entry'?\n");
  EXPECT_EQ(lines("[launch]", "[launhc]"),
            "k:13:2: unknown key 'launhc' in the spec; did you mean 'launch'?\n");
  EXPECT_EQ(lines("count =", "coutn ="),
            "k:20:1: unknown key 'coutn' in argument 'A'; did you mean 'count'?\n");
  EXPECT_EQ(lines("name = \"A\"", "nane = \"A\""),
            "k:18:1: unknown key 'nane' in this argument; did you mean 'name'?\n");
  EXPECT_EQ(lines("direction =", "directon ="),
            "k:21:1: unknown key 'directon' in argument 'A'; did you mean 'direction'?\n");
  EXPECT_EQ(lines("entry =", "first ="),
            "k:1:1: [kernel] has no 'entry'\n"
            "k:3:1: unknown key 'first' in [kernel]; expected one of name, help, source, entry, "
            "compiler, options, macros\n");
}

TEST(SpecMistakes, AListOfValuesHasItsPlaceOnce) {
  EXPECT_EQ(all_lines(reading_of(with(good, "[32, 64]", "\"8:1\""))),
            "k:8:6: parameter 'BM': '8:1' runs backwards; expected the smaller value first\n");
}

TEST(SpecMistakes, TheFirstIsWhatOthersThrow) {
  const std::string bad = with(good, "BM <= 64", "BQ <= 64");
  const SpecReading reading = reading_of(bad);
  ASSERT_EQ(reading.mistakes.size(), 1U) << all_lines(reading);
  try {
    (void)spec_of(bad);
    FAIL() << "it was read";
  } catch (const SpecError& error) {
    EXPECT_EQ(error.mistake().line, reading.mistakes[0].line);
    EXPECT_EQ(error.mistake().place, reading.mistakes[0].place);
  }
}

TEST(SpecMistakes, AWrongNameKeepsNothingElseFromBeingRead) {
  for (const char* name : {"a-b", "3d", "tune"}) {
    const std::string named = "[kernel]\nname = \"" + std::string(name) + "\"";
    const SpecReading reading = reading_of(with(good, "[kernel]", named));
    EXPECT_EQ(reading.mistakes.size(), 1U) << all_lines(reading);
    EXPECT_TRUE(reading.spec) << name;
    const SpecReading worse = reading_of(with(with(good, "[kernel]", named), "BM <= 64", "BQ"));
    EXPECT_EQ(worse.mistakes.size(), 2U) << all_lines(worse);
    EXPECT_FALSE(worse.spec) << name;
  }
}

TEST(SpecMistakes, WhatIsNoTomlHasOne) {
  const SpecReading reading = reading_of("[kernel\n");
  ASSERT_EQ(reading.mistakes.size(), 1U);
  EXPECT_EQ(reading.mistakes[0].place.line, 1U);
}

TEST(SpecMistakes, EachArgumentBaselineAndAwkwardSizeIsReadByItself) {
  const SpecReading baselines = reading_of(good + R"(also = [{ M = 0 }, { Q = 1 }]
[[baselines]]
name = "one"
[[baselines]]
name = "two"
entry = "r"
params = { BX = 1 }
)");
  EXPECT_EQ(baselines.mistakes.size(), 2U) << all_lines(baselines);
  const SpecReading awkward = reading_of(good + "also = [{ M = 0 }, { Q = 1 }, { M = 1 }]\n");
  EXPECT_EQ(awkward.mistakes.size(), 2U) << all_lines(awkward);
}

TEST(SpecMistakes, AnUnknownFillIsOneMistake) {
  const SpecReading reading = reading_of(
      with(good, "direction = \"out\"", "direction = \"inout\"\nfill = { unifrom = [0, 1] }"));
  EXPECT_EQ(reading.mistakes.size(), 1U) << all_lines(reading);
}

TEST(SpecMistakes, EachOptionAndMacroIsReadByItself) {
  const SpecReading reading =
      reading_of(with(good, "[kernel]",
                      "[kernel]\noptions = [\"-DBM=1\", 3, \"--fancy\", \"-I\", \"nowhere\"]\n"
                      "macros = { A = \"Q1\", B = 2, C = \"1 +\" }"));
  ASSERT_EQ(reading.mistakes.size(), 6U) << all_lines(reading);
}

}  // namespace
}  // namespace gtune
