#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "model/error.hpp"
#include "space/enumeration.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Every combination that `satisfies` accepts, in lexicographic order.
std::vector<Config> brute_force(const KernelSpec& spec, const Problem& problem) {
  std::vector<Config> valid;
  std::vector<std::size_t> at(spec.params.size(), 0);
  for (;;) {
    Config config;
    for (std::size_t p = 0; p < at.size(); ++p) {
      config.set(spec.params[p].name, spec.params[p].values[at[p]]);
    }
    if (satisfies(spec, {problem, config, device()})) valid.push_back(config);
    std::size_t p = at.size();
    while (p > 0 && ++at[p - 1] == spec.params[p - 1].values.size()) at[--p] = 0;
    if (p == 0) return valid;
  }
}

void expect_same_as_brute_force(const KernelSpec& spec) {
  const Problem problem = problem_of(spec);
  const Enumeration result = enumerate(spec, problem, device());
  const std::vector<Config> expected = brute_force(spec, problem);
  ASSERT_EQ(result.space.size(), expected.size()) << spec.text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(result.space.config(i).text(), expected[i].text()) << spec.text;
    ASSERT_EQ(result.space.index_of(expected[i]), i);
  }
  EXPECT_EQ(result.combinations, result.space.size() + excluded_in_all(result)) << spec.text;
}

TEST(Enumerate, WhatDoesNotExistMakesNoConfigurations) {
  const KernelSpec spec =
      spec_of(spec_text("TMA = [false, true]\n"
                        "STAGES = { values = [2, 3, 4], when = \"TMA\" }\n"
                        "SPREAD = { values = \"1:2\", when = \"STAGES > 2\" }",
                        "few = \"STAGES < 4\""));
  expect_same_as_brute_force(spec);
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  std::vector<std::string> valid;
  for (std::size_t i = 0; i < result.space.size(); ++i) {
    valid.push_back(existing_values(spec, result.space.config(i)).text());
  }
  EXPECT_EQ(valid, (std::vector<std::string>{"TMA=0", "TMA=1,STAGES=2", "TMA=1,STAGES=3,SPREAD=1",
                                             "TMA=1,STAGES=3,SPREAD=2"}));
  EXPECT_EQ(result.excluded.front().constraint, "STAGES.when");
}

/// A parameter that depends on a parameter that does not exist does not exist either, whatever its
/// value.
TEST(Enumerate, ExistenceIsPassedOn) {
  const KernelSpec spec =
      spec_of(spec_text("A = [0, 1]\nB = { values = [7, 8], when = \"A\" }\n"
                        "C = { values = [1, 2], when = \"B == 7\" }"));
  EXPECT_EQ(enumerate(spec, problem_of(spec), device()).space.size(), 4U);
  EXPECT_EQ(existing_values(spec, {{"A", 0}, {"B", 7}, {"C", 1}}).text(), "A=0");
  EXPECT_EQ(existing_values(spec, {{"A", 1}, {"B", 8}, {"C", 1}}).text(), "A=1,B=8");
}

TEST(Enumerate, KeepsTheSpecsOrderWhateverTheConstraints) {
  const KernelSpec spec = spec_of(spec_text("A = [3, 1, 2]\nB = [4, 8]\nC = [1, 2, 3]",
                                            "late = \"C >= 2\"\nboth = \"B / 4 + C <= 4\""));
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  EXPECT_EQ(result.combinations, 18U);
  ASSERT_EQ(result.space.size(), 9U);
  EXPECT_EQ(result.space.config(0).text(), "A=3,B=4,C=2");
  EXPECT_EQ(result.space.config(1).text(), "A=3,B=4,C=3");
  EXPECT_EQ(result.space.config(2).text(), "A=3,B=8,C=2");
  EXPECT_EQ(result.space.config(3).text(), "A=1,B=4,C=2");
  ASSERT_EQ(result.excluded.size(), 3U);
  EXPECT_EQ(result.excluded[0].constraint, "late");
  EXPECT_EQ(result.excluded[0].combinations, 6U);
  EXPECT_EQ(result.excluded[1].constraint, "both");
  EXPECT_EQ(result.excluded[1].combinations, 3U);
  EXPECT_EQ(result.excluded[2].constraint, "launch");
  EXPECT_EQ(result.excluded[2].combinations, 0U);
}

TEST(Enumerate, ExcludesWhatCannotBeEvaluated) {
  const KernelSpec spec =
      spec_of(spec_text("A = [0, 1, 2]\nB = [6, 7]", "divides = \"B % A == 0\""));
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  EXPECT_EQ(result.space.size(), 3U);
  EXPECT_EQ(result.excluded[0].combinations, 3U);
}

TEST(Enumerate, ExcludesLaunchesOfNothing) {
  const KernelSpec spec = spec_of(spec_text("A = [0, 1, 64]", "", "", "A / 2"));
  const Enumeration result = enumerate(spec, problem_of(spec), device());
  ASSERT_EQ(result.space.size(), 1U);
  EXPECT_EQ(result.space.config(0).text(), "A=64");
  EXPECT_EQ(result.excluded[0].constraint, "launch");
  EXPECT_EQ(result.excluded[0].combinations, 2U);
}

TEST(Enumerate, AConstraintWithoutParametersExcludesAllOrNothing) {
  const std::string params = "A = [1, 2]\nB = [1, 2, 3]";
  const KernelSpec none = spec_of(spec_text(params, "never = \"M < 10\"\nzero = \"M / 0 > 1\""));
  const Enumeration empty = enumerate(none, problem_of(none), device());
  EXPECT_EQ(empty.space.size(), 0U);
  EXPECT_EQ(empty.excluded[0].combinations, 6U);
  const KernelSpec all = spec_of(spec_text(params, "always = \"M > 10 && dev_cc == 90\""));
  EXPECT_EQ(enumerate(all, problem_of(all), device()).space.size(), 6U);
}

TEST(Enumerate, NarrowsToTheValuesAskedFor) {
  const KernelSpec spec = spec_of(spec_text("A = [1, 2, 4]\nB = [1, 2, 4, 8]", "c = \"A <= B\""));
  const Enumeration result = enumerate(spec, problem_of(spec), device(), {{"B", {8, 2}}});
  EXPECT_EQ(result.combinations, 6U);
  ASSERT_EQ(result.space.size(), 5U);
  EXPECT_EQ(result.space.dimensions()[1].values, (std::vector<std::int64_t>{2, 8}));
  EXPECT_EQ(result.space.config(0).text(), "A=1,B=2");
  EXPECT_EQ(result.combinations, result.space.size() + excluded_in_all(result));
  EXPECT_THROW((void)enumerate(spec, problem_of(spec), device(), {{"B", {3}}}), UserError);
  EXPECT_THROW((void)enumerate(spec, problem_of(spec), device(), {{"X", {1}}}), UserError);
}

TEST(Enumerate, RefusesWhatIsTooLarge) {
  std::string params;
  for (int i = 0; i < 70; ++i) params += "P" + std::to_string(i) + " = [1, 2]\n";
  const KernelSpec spec = spec_of(spec_text(params));
  EXPECT_THROW((void)enumerate(spec, problem_of(spec), device()), UserError);
}

/// A condition over the parameters P0, P1, ... with operators that are easy and hard for intervals.
std::string random_condition(std::mt19937& random, int params) {
  const auto pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  const auto operand = [&] {
    return pick(4) == 0 ? std::to_string(pick(12)) : "P" + std::to_string(pick(params));
  };
  const std::array<std::string, 9> operators = {"+", "-", "*", "/", "%", "&", "<<", "<", "=="};
  std::string term = operand();
  for (int i = pick(4); i >= 0; --i) {
    term = "(" + term + " " + operators[static_cast<std::size_t>(pick(9))] + " " + operand() + ")";
  }
  const std::array<std::string, 6> compare = {"<=", ">=", "!=", "==", "<", "&&"};
  return term + " " + compare[static_cast<std::size_t>(pick(6))] + " " + operand();
}

TEST(Enumerate, AgreesWithBruteForceOnRandomSpecs) {
  std::mt19937 random(7);
  const auto pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  for (int round = 0; round < 80; ++round) {
    const int count = 1 + pick(5);
    std::string params;
    for (int p = 0; p < count; ++p) {
      params += "P" + std::to_string(p) + " = [";
      std::vector<int> values(12);
      std::iota(values.begin(), values.end(), -2);
      std::shuffle(values.begin(), values.end(), random);
      for (int v = pick(5); v >= 0; --v)
        params += std::to_string(values[static_cast<std::size_t>(v)]) + ",";
      params += "]\n";
    }
    std::string constraints;
    for (int c = pick(4); c > 0; --c) {
      std::string text = random_condition(random, count);
      if (pick(2) == 0) text += " && " + random_condition(random, count);
      if (pick(3) == 0) text = "(" + text + ") || " + random_condition(random, count);
      constraints += "c" + std::to_string(c) + " = \"" + text + "\"\n";
    }
    const std::string block = pick(2) == 0 ? "32" : random_condition(random, count) + " ? 64 : 0";
    expect_same_as_brute_force(spec_of(spec_text(params, constraints, "", block)));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gtune
