#include "authoring/conditional_text.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

/// The tokens that are read, separated by blanks.
std::string read(std::string_view text, DefinedMacros macros = DefinedMacros()) {
  std::string all;
  for (const std::string& token : read_conditional_text(text, macros).tokens) {
    all += (all.empty() ? "" : " ") + token;
  }
  return all;
}

/// "yes" if the condition holds, "no" if not, with "?" if that is an assumption.
std::string verdict(const std::string& condition) {
  DefinedMacros macros("sm_90a");
  macros.define("TILE 16");
  macros.define("EMPTY");
  macros.define("TWICE(x) (2 * x)");
  macros.define("NEXT (TILE + 1)");
  macros.define("LOOP LOOP");
  const ConditionVerdict found = macros.evaluate({1, "if", condition});
  return std::string(found.holds ? "yes" : "no") + (found.is_assumed ? "?" : "");
}

TEST(ConditionalText, HasTheBranchesWhoseConditionsHold) {
  EXPECT_EQ(read("a\n#if 0\nb\n#else\nc\n#endif\nd"), "a c d");
  EXPECT_EQ(read("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"), "b");
  EXPECT_EQ(read("#if 1\na\n#elif 1\nb\n#endif"), "a");
  EXPECT_EQ(read("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif"), "c");
  EXPECT_EQ(read("#ifdef __CUDACC__\na\n#endif\n#ifndef __CUDACC_RTC__\nb\n#endif"), "a b");
  EXPECT_EQ(read("#define A 2\n#if A == 2\na\n#endif\n#undef A\n#ifdef A\nb\n#endif"), "a");
  EXPECT_EQ(read("#if 0\n#define A\n#endif\n#ifdef A\na\n#endif"), "");
  EXPECT_EQ(read("#if 1 \\\n && 0\na\n#endif /* #else */\nb // #else\n"), "b");
}

TEST(ConditionalText, UnbalancedDirectivesEndWithTheText) {
  EXPECT_EQ(read("#endif\na\n#else\nb\n#elif 1\nc"), "a b c");
  EXPECT_EQ(read("#if 0\na\n#if 1\nb"), "");
  EXPECT_EQ(read("#\n#if\na\n#endif"), "a");
}

TEST(ConditionalText, ConditionsHaveTheTextThatDependsOnThem) {
  DefinedMacros macros;
  const ConditionalText text =
      read_conditional_text("a\n#ifdef X\nb c\n#else\nd\n#endif\n#if 1\n#endif\n", macros);
  ASSERT_EQ(text.conditions.size(), 2U);
  const SourceCondition& first = text.conditions[0];
  EXPECT_EQ(first.text, "#ifdef X");
  EXPECT_EQ(first.line, 2U);
  EXPECT_TRUE(first.has_text && first.verdict.is_assumed && !first.verdict.holds);
  EXPECT_EQ(first.begin, 1U);
  EXPECT_EQ(first.end, 2U);
  EXPECT_EQ(first.skipped, (Tokens{"b", "c"}));
  EXPECT_FALSE(text.conditions[1].has_text);
}

TEST(ConditionalText, AnIncludeGuardIsNoAssumption) {
  DefinedMacros macros;
  const ConditionalText text =
      read_conditional_text("#ifndef A_H\n#define A_H\na\n#endif\n", macros);
  ASSERT_EQ(text.conditions.size(), 1U);
  EXPECT_FALSE(text.conditions[0].verdict.is_assumed);
}

TEST(ConditionalText, ConditionsKeepTheirTextWhenMacrosGrow) {
  DefinedMacros macros;
  const ConditionalText text = read_conditional_text(
      "#define K(n) __global__ void n##_k()\nK(a) { }\n#ifdef X\n#else\nb\n#endif\nK(c) { }",
      macros);
  EXPECT_EQ(text.tokens, (Tokens{"__global__", "void", "a_k", "(", ")", "{", "}", "b", "__global__",
                                 "void", "c_k", "(", ")", "{", "}"}));
  ASSERT_EQ(text.conditions.size(), 1U);
  EXPECT_EQ(text.conditions[0].begin, 7U);
  EXPECT_EQ(text.conditions[0].end, 8U);
}

TEST(DefinedMacros, DecideConditionsAsCDoes) {
  for (const char* holds :
       {"1", "TILE == 16", "NEXT > TILE", "defined TILE && defined(EMPTY)", "__CUDA_ARCH__ >= 900",
        "defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000", "!defined(_WIN32)", "true",
        "TILE == 16 || TWICE(3)", "__cplusplus >= 201103L"}) {
    EXPECT_EQ(verdict(holds), "yes") << holds;
  }
  for (const char* fails : {"0", "TILE % 3 == 0", "defined(_MSC_VER)", "false",
                            "0 && CUDART_VERSION > 9000", "__HIPCC__"}) {
    EXPECT_EQ(verdict(fails), "no") << fails;
  }
}

TEST(DefinedMacros, WhatTheyDoNotDecideIsAnAssumption) {
  EXPECT_EQ(verdict("UNDEFINED"), "no?");
  EXPECT_EQ(verdict("defined(UNDEFINED) || UNDEFINED > 3"), "no?");
  for (const char* unknown : {"CUDART_VERSION >= 11000", "__has_include(<x.h>)", "TWICE(2) > 4",
                              "LOOP", "", "1 +", "1 / 0", "'a' == 97"}) {
    EXPECT_EQ(verdict(unknown), "yes?") << unknown;
  }
  DefinedMacros macros;
  macros.assume("MODE", 2);
  EXPECT_TRUE(macros.evaluate({1, "if", "MODE == 2"}).is_assumed);
  EXPECT_TRUE(macros.evaluate({1, "ifdef", "MODE"}).holds);
  EXPECT_FALSE(macros.evaluate({1, "ifndef", "MODE"}).holds);
}

}  // namespace
}  // namespace gtune
