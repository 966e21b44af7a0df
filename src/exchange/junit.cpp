#include "exchange/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/one_line.hpp"

namespace gtune {
namespace {

/// `text` between quotes or tags. one_line removes control characters and invalid UTF-8; U+FFFE and
/// U+FFFF, which XML does not allow either, are replaced here.
std::string escaped(const std::string& text) {
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    switch (line[i]) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '\xEF':
        if (line.compare(i, 3, "\xEF\xBF\xBE") == 0 || line.compare(i, 3, "\xEF\xBF\xBF") == 0) {
          out += '?';
          i += 2;
          break;
        }
        [[fallthrough]];
      default:
        out += line[i];
    }
  }
  return out;
}

std::string case_text(const JunitCase& each) {
  std::string text = fmt::format(R"(  <testcase classname="{}" name="{}" time="{:.3f}">)",
                                 escaped(each.suite), escaped(each.name), each.seconds) +
                     "\n";
  if (each.outcome == JunitCase::Outcome::failed) {
    text += fmt::format("    <failure type=\"{}\" message=\"{}\"/>\n", escaped(each.kind),
                        escaped(each.message));
  }
  if (each.outcome == JunitCase::Outcome::skipped) {
    text += fmt::format("    <skipped message=\"{}\"/>\n", escaped(each.message));
  }
  if (!each.output.empty()) {
    text += fmt::format("    <system-out>{}</system-out>\n", escaped(each.output));
  }
  return text + "  </testcase>\n";
}

}  // namespace

std::string junit_text(const std::string& name, const std::vector<JunitCase>& cases) {
  const auto count = [&](JunitCase::Outcome outcome) {
    return std::count_if(cases.begin(), cases.end(),
                         [&](const JunitCase& each) { return each.outcome == outcome; });
  };
  double seconds = 0;
  for (const JunitCase& each : cases) seconds += each.seconds;
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      escaped(name), cases.size(), count(JunitCase::Outcome::failed),
      count(JunitCase::Outcome::skipped), seconds);
  for (const JunitCase& each : cases) text += case_text(each);
  return text + "</testsuite>\n";
}

}  // namespace gtune
