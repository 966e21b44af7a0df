#include "spec/problem_sizes.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes sizes_from(std::string_view option, std::string_view text, std::int64_t minimum,
                 std::int64_t maximum = largest_size) {
  ProblemSize size;
  size.name = option.substr(2);
  size.minimum = minimum;
  size.maximum = maximum;
  return parse_sizes(size, text);
}

std::string sizes_error(const std::string& text, std::int64_t minimum = 1) {
  try {
    (void)sizes_from("--M", text, minimum);
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(ProblemSizes, AreListsAndRanges) {
  EXPECT_EQ(sizes_from("--M", "4096", 1), (Sizes{4096}));
  EXPECT_EQ(sizes_from("--M", "1024,4096,1024", 1), (Sizes{1024, 4096}));
  EXPECT_EQ(sizes_from("--M", "1:5", 1), (Sizes{1, 2, 3, 4, 5}));
  EXPECT_EQ(sizes_from("--M", "512:2048:512", 1), (Sizes{512, 1024, 1536, 2048}));
  EXPECT_EQ(sizes_from("--M", "512:2000:512", 1), (Sizes{512, 1024, 1536}));
  EXPECT_EQ(sizes_from("--M", "512:8192:*2", 1), (Sizes{512, 1024, 2048, 4096, 8192}));
  EXPECT_EQ(sizes_from("--M", "7,1:9:*3,7:7:1", 1), (Sizes{7, 1, 3, 9}));
  EXPECT_EQ(sizes_from("--K", "0:2:1", 0), (Sizes{0, 1, 2}));
  EXPECT_EQ(sizes_from("--M", "1099511627776", 1), (Sizes{largest_size}));
  EXPECT_EQ(sizes_from("--M", "1:1099511627776:*1048576", 1).size(), 3U);
}

TEST(ProblemSizes, SayWhatIsWrong) {
  EXPECT_EQ(sizes_error(""), "--M: no size given; expected a number, a list or a range");
  EXPECT_EQ(sizes_error("0"), "--M: '0' is too small; expected at least 1");
  EXPECT_EQ(sizes_error("-1"), "--M: '-1' is too small; expected at least 1");
  EXPECT_EQ(sizes_error("-1", 0), "--M: '-1' is too small; expected at least 0");
  EXPECT_EQ(sizes_error("abc"), "--M: 'abc' is not a whole number; expected a size");
  EXPECT_EQ(sizes_error("1.5"), "--M: '1.5' is not a whole number; expected a size");
  EXPECT_EQ(sizes_error(" 5"), "--M: ' 5' is not a whole number; expected a size");
  EXPECT_EQ(sizes_error("1024,,5"), "--M: '1024,,5' has an empty entry; expected a size");
  EXPECT_EQ(sizes_error("99999999999999999999"),
            "--M: '99999999999999999999' is too large; expected 1 to 1099511627776");
  EXPECT_EQ(sizes_error("-99999999999999999999"),
            "--M: '-99999999999999999999' is too small; expected 1 to 1099511627776");
  EXPECT_EQ(sizes_error("1099511627777"),
            "--M: '1099511627777' is too large; expected 1 to 1099511627776");
  EXPECT_EQ(
      sizes_error("1:5:1:1"),
      "--M: '1:5:1:1' is not a range; expected FIRST:LAST, FIRST:LAST:STEP or FIRST:LAST:*FACTOR");
  EXPECT_EQ(sizes_error("5:1:1"), "--M: '5:1:1' runs backwards; expected the smaller size first");
  EXPECT_EQ(sizes_error("1:5:0"), "--M: '1:5:0' never ends; expected a step of at least 1");
  EXPECT_EQ(sizes_error("1:5:-1"), "--M: '1:5:-1' never ends; expected a step of at least 1");
  EXPECT_EQ(sizes_error("1:5:*1"), "--M: '1:5:*1' never ends; expected a factor of at least 2");
  EXPECT_EQ(sizes_error("0:5:*2", 0), "--M: '0:5:*2' never ends; expected to start above 0");
  EXPECT_EQ(sizes_error("1:5:*"), "--M: '1:5:*' has an empty entry; expected a step");
  EXPECT_EQ(sizes_error("1:10001:1"),
            "--M: '1:10001:1' gives more than 10000 sizes; expected fewer");
  EXPECT_EQ(sizes_from("--F", "33", 1, 33), Sizes{33});
  EXPECT_THROW((void)sizes_from("--F", "1:34", 1, 33), UserError);
  EXPECT_EQ(sizes_from("--M", "1:10000:1", 1).size(), 10000U);
}

TEST(ProblemSizes, MakeEveryCombinationAndTheDefaults) {
  const KernelSpec spec = spec_of(spec_text("A = [1]"));
  ASSERT_EQ(expand_problems(spec, {}).size(), 1U);
  EXPECT_EQ(expand_problems(spec, {})[0].text(), "M=4096,N=4096");
  const auto problems = expand_problems(spec, {{"M", {1, 2}}});
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[1].text(), "M=2,N=2");
  const auto both = expand_problems(spec, {{"M", {1, 2}}, {"N", {5, 6}}});
  ASSERT_EQ(both.size(), 4U);
  EXPECT_EQ(both[1].text(), "M=1,N=6");
  EXPECT_EQ(both[2].text(), "M=2,N=5");
  EXPECT_EQ(expand_problems(spec, {{"N", {5}}})[0].text(), "M=4096,N=5");
}

TEST(ProblemSizes, ThatFollowFromOthersNeedNotBeGiven) {
  const KernelSpec spec = spec_of(spec_text("A = [1]"));
  EXPECT_EQ(sizes_to_give(spec, {{"M", 4096}, {"N", 4096}}).text(), "M=4096");
  EXPECT_EQ(sizes_to_give(spec, {{"M", 7}, {"N", 4096}}).text(), "M=7,N=4096");
}

TEST(ProblemSizes, WithChoicesTakeNoOthers) {
  std::string text = spec_text("A = [1]");
  text.replace(text.find("[params]"), 0, "T = { default = 2, choices = [1, 2, 4] }\n");
  const KernelSpec spec = spec_of(text);
  const ProblemSize& size = *spec.find_size("T");
  EXPECT_EQ(parse_sizes(size, "4,1"), (Sizes{4, 1}));
  EXPECT_THROW((void)parse_sizes(size, "1:4:1"), UserError);
  try {
    (void)parse_sizes(size, "3");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "--T: '3' is not a choice; expected 1, 2 or 4");
  }
  EXPECT_EQ(expand_problems(spec, {})[0].text(), "M=4096,N=4096,T=2");
  EXPECT_TRUE(same_choices(spec, {{"M", 1}, {"N", 1}, {"T", 2}}, {{"M", 9}, {"N", 9}, {"T", 2}}));
  EXPECT_FALSE(same_choices(spec, {{"M", 1}, {"N", 1}, {"T", 2}}, {{"M", 1}, {"N", 1}, {"T", 4}}));
}

TEST(ProblemSizes, RefuseUnknownNamesAndBadDefaults) {
  std::string text = spec_text("A = [1]");
  const KernelSpec spec = spec_of(text);
  try {
    (void)expand_problems(spec, {{"m", {1}}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "kernel 'k' has no problem size 'm'; did you mean 'M'?");
  }
  text.replace(text.find("\"M\""), 3, "\"M-7\"");
  const KernelSpec smaller = spec_of(text);
  EXPECT_EQ(expand_problems(smaller, {{"M", {8}}})[0].text(), "M=8,N=1");
  EXPECT_THROW((void)expand_problems(smaller, {{"M", {7}}}), UserError);
  EXPECT_THROW((void)expand_problems(spec, {{"M", Sizes(1000, 1)}, {"N", Sizes(1000, 1)}}),
               UserError);
}

}  // namespace
}  // namespace gtune
