#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "model/error.hpp"
#include "spec/spec_context.hpp"
#include "spec/spec_file.hpp"
#include "spec/spec_text.hpp"
#include "spec/toml_text.hpp"

namespace gtune {
namespace {

std::string refusal_of(const std::string& text) {
  const TestFolder folder;
  folder.write("k.cu", "");
  const auto file = folder.path() / "k.toml";
  try {
    static_cast<void>(parse_spec(text, file, {}));
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    const std::string line = error.what();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_LT(line.size(), 1000U);
    return line.substr(std::min(line.size(), folder.path().string().size() + 1));
  }
  return "no error";
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// Lines "PREFIX0REST", "PREFIX1REST", ...
std::string lines_of(const std::string& prefix, const std::string& rest, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += prefix + std::to_string(i) + rest + "\n";
  return out;
}

TEST(TomlText, AKeyOfAMillionPartsIsRefusedWithItsLine) {
  const std::string parts = repeated("a.", 999'999) + "a";
  const std::string line = ": a key has more than 32 parts; no spec needs that";
  EXPECT_EQ(refusal_of("[kernel]\n[" + parts + "]"), "k.toml:2:65" + line);
  EXPECT_EQ(refusal_of(parts + " = 1"), "k.toml:1:64" + line);
  EXPECT_EQ(refusal_of("x = {" + parts + " = 1}"), "k.toml:1:69" + line);
  EXPECT_EQ(refusal_of(repeated("\"#=[\" . ", 1000) + "a = 1"), "k.toml:1:255" + line);
  EXPECT_EQ(refusal_of(repeated("'a' \t.", 1000) + "a = 1"), "k.toml:1:192" + line);
}

TEST(TomlText, DeepArraysAndTablesAreRefused) {
  const std::string line = ": arrays and tables nest more than 32 deep; no spec needs that";
  EXPECT_EQ(refusal_of("x = " + repeated("[", 500'000)), "k.toml:1:37" + line);
  EXPECT_EQ(refusal_of("x = \"\"\"\n]\"]\"\"\"\"\ny = " + repeated("{a=", 500'000)),
            "k.toml:3:101" + line);
  EXPECT_EQ(refusal_of("x = [\n" + repeated("[ # ]\n", 40)), "k.toml:33:1" + line);
}

// toml++ 3.3 has undefined behaviour for some characters where it looks for whitespace.
TEST(TomlText, ACharacterOutsideAsciiStandsInQuotesOrInAComment) {
  const std::string line = ": a character outside ASCII; expected it in quotes or in a comment";
  EXPECT_EQ(refusal_of("[kernel]\nname = \u0222"), "k.toml:2:8" + line);
  EXPECT_EQ(refusal_of("name = “copy”"), "k.toml:1:8" + line);
  EXPECT_EQ(refusal_of("a\u00A0= 1"), "k.toml:1:2" + line);
  EXPECT_EQ(refusal_of("help = \"\"\"a \\ \n\n  \u3001b\"\"\""),
            "k.toml:3:3: the line after a backslash begins with a character outside ASCII; begin "
            "it with another");
  EXPECT_EQ(refusal_of("help = \"\\\u0222\""),
            "k.toml:1:10: an escape of a character outside ASCII; write \\\\ for a backslash");

  const std::string text =
      "\uFEFF# \u0222\na = \"\u0222\\t\u3001\"\nb = '\\\u0222'\nc = \"\"\"\u0222 \\\n "
      "x\u0222\"\"\"\n";
  EXPECT_EQ(parse_toml(text, "k.toml").find("a")->text, "\u0222\t\u3001");
}

TEST(TomlText, WhatASpecHasIsLetThrough) {
  const std::string text =
      "# a.b.c" + repeated(".x", 100) + repeated("[", 100) + "\n" + "[let]\nsum = \"" +
      repeated("1.5+", 100) + "1[[[\\\"" + repeated(".", 100) + "\" # " + repeated(".", 100) +
      "\nlist = [" + repeated("1.5,", 100) + "]\nraw = '\\" + "'\nlong = '''" +
      repeated("[.", 100) + "''" + "'''\n" + "a.b.\"c.d\".e = [[[{ f = 1 }]]]\n";
  EXPECT_NO_THROW(check_toml_text(text, "k.toml"));
  EXPECT_NO_THROW(static_cast<void>(parse_toml(text, "k.toml")));
}

// Work quadratic in the length would take minutes here.
TEST(SpecText, ANameOfAlmostAMebibyteIsRefusedAtOnce) {
  const std::string name = repeated("A", 1'000'000);
  EXPECT_EQ(
      refusal_of("[kernel]\nname = \"k\"\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = \"" +
                 name + "\"\n"),
      "k.toml:6:6: in the default of problem size 'n': the expression is too long");
}

TEST(SpecText, OnlyARegularFileOfAMebibyteIsRead) {
  const TestFolder folder;
  const auto error_of = [&](const std::filesystem::path& file) {
    try {
      return "read: " + std::to_string(read_spec_text(file).size());
    } catch (const UserError& error) {
      return std::string(error.what()).substr(file.string().size());
    }
  };
  const auto fifo = folder.path() / "fifo.toml";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(error_of(fifo), ": cannot be read: it is not a regular file; expected a spec in TOML");
  EXPECT_EQ(error_of("/dev/zero"),
            ": cannot be read: it is not a regular file; expected a spec in TOML");
  EXPECT_EQ(error_of(folder.path()),
            ": cannot be read: it is not a regular file; expected a spec in TOML");
  EXPECT_EQ(error_of(folder.path() / "none"),
            ": cannot be read: No such file or directory; expected a spec in TOML");
  const auto large = folder.write("large.toml", std::string(most_spec_bytes, '\n'));
  EXPECT_EQ(error_of(large), "read: 1048576");
  std::ofstream(large, std::ios::app) << '\n';
  EXPECT_EQ(error_of(large), ": cannot be read: it is larger than 1 MiB; expected a spec in TOML");
}

TEST(SpecBounds, ASourceIsARegularFileOfBoundedSize) {
  const TestFolder folder;
  const auto error_of = [&](const std::string& source) -> std::string {
    std::string text = spec_text("A1 = [1]");
    text.replace(text.find("k.cu"), 4, source);
    try {
      static_cast<void>(parse_spec(text, folder.path() / "k.toml", {}));
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  };
  ASSERT_EQ(mkfifo((folder.path() / "fifo.cu").c_str(), 0600), 0);
  EXPECT_NE(error_of("fifo.cu").find("there is no source"), std::string::npos);
  EXPECT_NE(error_of("/dev/zero").find("there is no source"), std::string::npos);
  folder.write("large.cu", "");
  std::filesystem::resize_file(folder.path() / "large.cu", (16U << 20U) + 1);
  EXPECT_NE(error_of("large.cu").find("16777217 bytes; expected at most 16777216"),
            std::string::npos);
}

TEST(SpecBounds, TablesOfTooManyNamesAreRefused) {
  const auto with = [](const std::string& params, const std::string& constraints,
                       const std::string& lets) {
    return refusal_of(spec_text("A1 = [1]\n" + params, constraints, lets));
  };
  EXPECT_EQ(with(lines_of("P", " = [1]", 1023), "", ""), "no error");
  EXPECT_NE(with(lines_of("P", " = [1]", 1024), "", "")
                .find("[params] has 1025 entries; expected "
                      "at most 1024"),
            std::string::npos);
  EXPECT_NE(with("", lines_of("c", " = \"1\"", 1025), "").find("[constraints] has"),
            std::string::npos);
  EXPECT_NE(with("", "", lines_of("l", " = 1", 1025)).find("[let] has"), std::string::npos);
}

TEST(SpecBounds, LetsThatNameEachOtherAreCounted) {
  std::string sum = "M";
  for (int i = 0; i < 2000; ++i) sum += "+" + std::to_string(i);
  std::string lets = "l0 = \"" + sum + "\"\n";
  for (int i = 1; i < 1000; ++i) {
    lets += "l" + std::to_string(i) + " = \"l" + std::to_string(i - 1) + " * 3\"\n";
  }
  EXPECT_NE(refusal_of(spec_text("A1 = [1]", "", lets))
                .find("the spec's expressions have more than 1000000 steps; expected shorter ones"),
            std::string::npos);
}

/// Time quadratic in the text's length would be minutes here.
TEST(SpecBounds, TheLargestSpecsAreReadInSeconds) {
  const auto start = std::chrono::steady_clock::now();
  const std::string head = spec_text("A1 = [1]") + "\n[kernel2]\nx = ";
  std::string strings = "[";
  while (head.size() + strings.size() < most_spec_bytes - 16) strings += "\"\xc3\xa9\",";
  EXPECT_NE(refusal_of(head + strings + "]"), "no error");
  EXPECT_NE(refusal_of(repeated("[[a]]\n", most_spec_bytes / 6)), "no error");
  EXPECT_NE(refusal_of(lines_of("[[a", "]]", most_spec_bytes / 12)), "no error");
  EXPECT_NE(refusal_of(lines_of("[a.b.c.d.e.f.g.h", "]", most_spec_bytes / 24)), "no error");
  std::string values = "P = [0";
  for (int i = 1; i < 65535; ++i) values += "," + std::to_string(i);
  EXPECT_EQ(refusal_of(spec_text(values + "]")), "no error");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace gtune
