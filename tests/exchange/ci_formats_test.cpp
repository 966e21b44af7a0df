// Formats for CI: whatever a name contains, the file is well-formed and renders as text.
#include <gtest/gtest.h>

#include "exchange/junit.hpp"
#include "exchange/markdown.hpp"

namespace gtune {
namespace {

TEST(Junit, HasACountAndAnOutcomeForEachCase) {
  const std::string text =
      junit_text("all", {{"sgemm", "M=1", JunitCase::Outcome::passed, 1.25, "", "", "said"},
                         {"sgemm", "M=2", JunitCase::Outcome::failed, 2, "SLOWER", "+2 %", ""},
                         {"copy", "n=3", JunitCase::Outcome::skipped, 0, "", "not settled", ""}});
  EXPECT_EQ(text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"all\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" "
            "time=\"3.250\">\n"
            "  <testcase classname=\"sgemm\" name=\"M=1\" time=\"1.250\">\n"
            "    <system-out>said</system-out>\n"
            "  </testcase>\n"
            "  <testcase classname=\"sgemm\" name=\"M=2\" time=\"2.000\">\n"
            "    <failure type=\"SLOWER\" message=\"+2 %\"/>\n"
            "  </testcase>\n"
            "  <testcase classname=\"copy\" name=\"n=3\" time=\"0.000\">\n"
            "    <skipped message=\"not settled\"/>\n"
            "  </testcase>\n"
            "</testsuite>\n");
}

TEST(Junit, EscapesNamesAndReplacesWhatXmlDoesNotAllow) {
  const std::string hostile =
      "]]></x>&amp;\"'\x01\x1B[31m\xEF\xBF\xBE\xEF\xBF\xBF\xFF\xED\xA0\x80\n\xE2\x80\xAE";
  const std::string text = junit_text(
      hostile, {{hostile, hostile, JunitCase::Outcome::failed, 0, hostile, hostile, hostile}});
  EXPECT_NE(text.find("]]&gt;&lt;/x&gt;&amp;amp;&quot;&apos;"), std::string::npos) << text;
  for (const char bad : {'\x01', '\x1B', '\xFF'}) {
    EXPECT_EQ(text.find(bad), std::string::npos) << text;
  }
  EXPECT_EQ(text.find("\xEF\xBF\xBE"), std::string::npos);
  EXPECT_EQ(text.find("</x>"), std::string::npos);
}

TEST(Markdown, TableOfCells) {
  EXPECT_EQ(markdown_table({{"a"}, {"b", true}}, {{"x", "1"}, {"y", "2"}}),
            "| a | b |\n|---|---:|\n| x | 1 |\n| y | 2 |\n");
}

TEST(Markdown, TextRendersAsItself) {
  EXPECT_EQ(markdown_text("M=4096, N=2.5 (warm)"), "M=4096, N=2.5 (warm)");
  EXPECT_EQ(markdown_text("a|b"), "a&#124;b");
  EXPECT_EQ(markdown_text("<img>"), "&#60;img&#62;");
  EXPECT_EQ(markdown_text("@me #1 `x` [y](z) **b**\n|"),
            "&#64;me &#35;1 &#96;x&#96; &#91;y&#93;(z) &#42;&#42;b&#42;&#42; &#124;");
  EXPECT_EQ(markdown_text("https://x www.y"), "https&#58;//x www&#46;y");
}

}  // namespace
}  // namespace gtune
