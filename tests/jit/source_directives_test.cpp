#include "jit/source_directives.hpp"

#include <gtest/gtest.h>

#include "jit/header_macros.hpp"

namespace gtune {
namespace {

using Identifiers = std::set<std::string>;

TEST(SourceIdentifiers, AreThoseOfTheCodeAndOfDirectives) {
  EXPECT_EQ(read_identifiers("#if A\nint b2 = 0xC + 1e5f; // D\n#endif /* E */", {}),
            (Identifiers{"if", "A", "int", "b2", "endif"}));
  EXPECT_EQ(read_identifiers("a\\\nb ## c #d \\\n e", {}), (Identifiers{"ab", "c", "d", "e"}));
}

TEST(SourceIdentifiers, LiteralsAndHeaderNamesHaveNone) {
  EXPECT_EQ(read_identifiers("\"a\" 'b' R\"(c\nd)\" e", {}), (Identifiers{"R", "e"}));
  EXPECT_EQ(read_identifiers("#include <a.h>\n#include \"b.h\"\n", {}), Identifiers{"include"});
  EXPECT_EQ(read_identifiers("_Pragma (\"unroll A\") \"b\"", {}),
            (Identifiers{"_Pragma", "unroll", "A"}));
}

/// "LINE NAME REST|" of each directive, by default under today's standard.
std::string directives_in(std::string_view text, Reading reading = {}) {
  std::string out;
  for (const Directive& each : read_directives(text, reading)) {
    out += std::to_string(each.line) + " " + each.name + " " + each.rest + "|";
  }
  return out;
}

TEST(SourceDirectives, CommentsAreBlanks) {
  EXPECT_EQ(directives_in("/* a */ # /**/ include /* b */ \"x.h\" // c\n"), "1 include \"x.h\" |");
  EXPECT_EQ(directives_in("/* a\n b */ #include <x.h>"), "1 include <x.h>|");
  EXPECT_EQ(directives_in("/*\n#include <x.h>\n*/ // #include <y.h>\n"), "");
}

TEST(SourceDirectives, SplicesAreUndoneAndLinesCountedAsInTheFile) {
  EXPECT_EQ(directives_in("a\n\\\n#inc\\\nlude \"x\\\r\n.h\"\n#define A\n"),
            "3 include \"x.h\"|6 define A|");
  EXPECT_EQ(directives_in("// goes on \\\n#include <x.h>\n"), "");
  // NVRTC does not splice if a blank follows the backslash.
  EXPECT_EQ(directives_in("// ends here \\ \n#include <x.h>\n"), "2 include <x.h>|");
}

TEST(SourceDirectives, DigraphsAndOtherBlanksBeginOne) {
  EXPECT_EQ(directives_in("%:include <x.h>\n\v\f\r#\tinclude\f<y.h>\n"),
            "1 include <x.h>|2 include <y.h>|");
  EXPECT_EQ(directives_in(std::string_view("#\0include <x.h>\n", 16)), "1 include <x.h>|");
}

TEST(SourceDirectives, TrigraphsAreReadWhereTheyAreAsked) {
  const std::string_view text = "?\?=inc?\?/\nlude <x.h>\n";
  EXPECT_EQ(directives_in(text), "");
  EXPECT_EQ(directives_in(text, {.trigraphs = true}), "1 include <x.h>|");
}

TEST(SourceDirectives, LiteralsHideWhatLooksLikeAComment) {
  EXPECT_EQ(directives_in("f(\"/*\", '\"', \"\\\"/*\");\n#include <x.h>\n"), "2 include <x.h>|");
  // A literal without an end ends with its line.
  EXPECT_EQ(directives_in("#if 0\ndon't /*\n#endif\n#include <x.h>\n"),
            "1 if 0|3 endif |4 include <x.h>|");
  EXPECT_EQ(directives_in("x = 1'000 /*'\n#include <x.h>\n*/;\n"), "");
  EXPECT_EQ(directives_in("x = 1'000 /*'\n#include <x.h>\n*/;\n", {.digit_separators = false}),
            "2 include <x.h>|");
}

TEST(SourceDirectives, RawStringsGoOnOverLines) {
  const std::string_view text = "a = u8R\"x(\n#include <a.h>\n)\" )x\";\n#include <b.h>\n";
  EXPECT_EQ(directives_in(text), "4 include <b.h>|");
  EXPECT_EQ(directives_in(text, {.raw_strings = false}), "2 include <a.h>|4 include <b.h>|");
  EXPECT_EQ(directives_in("fR\"(\n#include <a.h>\n"), "2 include <a.h>|");
}

TEST(SourceDirectives, HeaderNamesKeepWhatIsElsewhereAComment) {
  EXPECT_EQ(directives_in("#include <a//b>\n#if __has_include(<c/*d>)\n"),
            "1 include <a//b>|2 if __has_include(<c/*d>)|");
  EXPECT_EQ(directives_in("#if a </*>*/ b\n"), "1 if a <  b|");
}

TEST(SourceDirectives, EveryReadingIsOneThatChangesTheText) {
  EXPECT_EQ(readings_of("int a;").size(), 1U);
  EXPECT_EQ(readings_of("1'0").size(), 2U);
  EXPECT_EQ(readings_of("?\?= R\"(1'0)\"").size(), 8U);
}

TEST(SourceDirectives, QuestionsAreFoundInConditionsAndDefinitions) {
  const auto questions = [](std::string_view text) {
    std::vector<std::string> texts;
    for (const HeaderQuestion& each :
         questions_in(read_directives(text, {}).front(), question_words())) {
      texts.push_back(each.text);
    }
    return texts;
  };
  EXPECT_EQ(questions("#if defined(__has_include) && __has_include( \"x.h\") && B"),
            (std::vector<std::string>{" \"x.h\") && B"}));
  EXPECT_TRUE(questions("#ifdef __has_include").empty());
  EXPECT_TRUE(questions("#if !defined __has_include || 1").empty());
  EXPECT_EQ(questions("#define HAS __has_include"), (std::vector<std::string>{""}));
  EXPECT_EQ(questions("#define HAS(x) __has_include(x)"), (std::vector<std::string>{"x)"}));
}

TEST(SourceDirectives, AMacroPassesAQuestionOnByItsOneParameter) {
  const auto macro = [](std::string_view text) {
    const Directive directive = read_directives(text, {}).front();
    return macro_that_passes_on(directive, questions_in(directive, question_words()).front());
  };
  EXPECT_EQ(macro("#define HAS( x ) 1 && __has_include( x ) && 2"), "HAS");
  EXPECT_FALSE(macro("#define HAS(x, y) __has_include(x)"));
  EXPECT_FALSE(macro("#define HAS(x) __has_include(y)"));
  EXPECT_FALSE(macro("#define HAS(x) __has_include(x y)"));
  EXPECT_FALSE(macro("#define HAS(x) __has_include"));
  EXPECT_FALSE(macro("#define HAS (x) __has_include(x)"));
}

std::string headers_of(const std::string& text, const std::string& name,
                       const std::vector<std::string>& defined = {}) {
  HeaderMacros macros(defined);
  for (const Directive& each : read_directives(text, {})) macros.define(each);
  const auto headers = macros.headers_of(name);
  if (!headers) return "unknown";
  std::string out;
  for (const HeaderName& each : *headers) out += (each.quoted ? "\"" : "<") + each.name + " ";
  return out;
}

TEST(HeaderMacros, EveryDefinitionCounts) {
  EXPECT_EQ(headers_of("#define H \"b.h\"\n#define H \"a.h\"\n", "H"), "\"a.h \"b.h ");
  EXPECT_EQ(headers_of("#define H G\n#define G <a.h>\n", "H"), "<a.h ");
}

TEST(HeaderMacros, ParametersAreReplaced) {
  EXPECT_EQ(headers_of("#define STD(name) <cuda/std/name>\n", "STD( cassert )"),
            "<cuda/std/cassert ");
}

TEST(HeaderMacros, WhatMayBeSomethingElseIsUnknown) {
  EXPECT_EQ(headers_of("", "H"), "unknown");
  EXPECT_EQ(headers_of("#define H \"a.h\"\n#define H 3\n", "H"), "unknown");
  EXPECT_EQ(headers_of("#define H \"a.h\"\n", "H", {"H"}), "unknown");
  EXPECT_EQ(headers_of("#define H <a.h>\n", "H", {"a"}), "unknown");
  EXPECT_EQ(headers_of("#define a b\n#define H <a.h>\n", "H"), "unknown");
  EXPECT_EQ(headers_of("#define H(a) #a\n", "H(x.h)"), "unknown");
  EXPECT_EQ(headers_of("#define H(a) \"a.h\"\n", "H(x)"), "unknown");
  EXPECT_EQ(headers_of("#define H H\n", "H"), "unknown");
  EXPECT_EQ(headers_of("#define H __FILE__\n", "H"), "unknown");
}

TEST(HeaderMacros, ManyDefinitionsOfEachOtherEnd) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += "#define H H /*" + std::to_string(i) + "*/" + std::string(i % 7 + 1U, ' ') + "\n" +
            "#define H(a" + std::to_string(i) + ") H\n#define H \"x" + std::to_string(i) + ".h\"\n";
  }
  EXPECT_EQ(headers_of(text, "H"), "unknown");
}

}  // namespace
}  // namespace gtune
