#include "model/one_line.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

TEST(OneLine, OrdinaryTextStaysAsItIs) {
  for (const char* text :
       {"", "NVIDIA H200", "J\xc3\xbcrgen", "\xe2\x89\xa4 5 \xc2\xb5s", "\xf0\x9f\x98\x80"}) {
    EXPECT_EQ(one_line(text), text);
    EXPECT_EQ(printable_lines(text), text);
  }
}

TEST(OneLine, WhatATerminalTakesForACommandBecomesASpace) {
  EXPECT_EQ(one_line("a\x1b[2Jb\x07\x7f"), "a [2Jb  ");
  EXPECT_EQ(one_line("a\r\nb\tc"), "a  b c");
  EXPECT_EQ(one_line("a\xc2\x9b"
                     "2Jb"),
            "a 2Jb");  // C1: CSI as one character
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a b");
}

TEST(OneLine, WhatTurnsTheWritingBecomesAQuestionMark) {
  for (const char* turn : {"\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9",
                           "\xe2\x80\x8f", "\xe2\x80\xa8"}) {
    EXPECT_EQ(one_line(std::string("a") + turn + "b"), "a?b");
  }
  EXPECT_EQ(one_line("a\xe2\x80\xa9"
                     "b\xe2\x80\xaf"
                     "c"),
            "a?b\xe2\x80\xaf"
            "c");
}

TEST(OneLine, BytesThatAreNoUtf8BecomeQuestionMarks) {
  EXPECT_EQ(one_line("a\xff\xfe"
                     "b"),
            "a??b");
  EXPECT_EQ(one_line("a\x9b"
                     "2J"),
            "a?2J");                      // C1 in an older character set
  EXPECT_EQ(one_line("\xc0\x9b"), "??");  // ESC in an overlong form
  EXPECT_EQ(one_line("\xe0\x80\x9b"), "???");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???");       // half of a surrogate pair
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "????");  // beyond Unicode
  EXPECT_EQ(one_line("ends in \xe2\x80"), "ends in ??");
}

TEST(OneLine, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(one_line("12345", 5), "12345");
  EXPECT_EQ(one_line("123456", 5), "12345...");
  EXPECT_EQ(one_line("1234\xc3\xbc", 5), "1234...");
  EXPECT_EQ(one_line("12\xf0\x9f\x98\x80 and more", 5), "12...");
  EXPECT_EQ(one_line("1\xf0\x9f\x98\x80 and more", 5), "1\xf0\x9f\x98\x80...");
  EXPECT_EQ(one_line(std::string(100000, 'x'), 80).size(), 83U);
}

TEST(OneLine, LinesAndTabsStayWhereTextHasSeveral) {
  EXPECT_EQ(printable_lines("a\tb\n\x1b[2Jc\r\n"), "a\tb\n [2Jc \n");
}

}  // namespace
}  // namespace gtune
