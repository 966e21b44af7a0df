#include "explain/annotated_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "explain/sample_shares.hpp"

namespace gtune {
namespace {

/// Lines with a smaller share are only context.
constexpr double k_least_annotated = 0.01;
constexpr int k_context = 2;  // lines before and after
constexpr std::size_t k_longest_annotated = 100;

/// A line of one file, over all functions that it was compiled into.
struct HotLine {
  std::uint64_t samples = 0;
  SampleCounts stalls;
};
using HotLines = std::map<int, HotLine>;

std::map<std::string, HotLines> by_file(const LineProfile& profile) {
  std::map<std::string, HotLines> files;
  for (const LineSamples& line : profile.lines) {
    HotLine& hot = files[line.file][line.line];
    hot.samples += line.samples();
    for (const auto& [stall, samples] : line.stalls) hot.stalls[stall] += samples;
  }
  return files;
}

/// The first and last lines to show, in order and apart from each other.
std::vector<std::pair<int, int>> shown_ranges(const HotLines& hot, std::uint64_t all,
                                              int last_line) {
  std::vector<std::pair<int, int>> ranges;
  for (const auto& [number, line] : hot) {
    if (number < 1 || number > last_line || share_of(line.samples, all) < k_least_annotated)
      continue;
    const int first = std::max(1, number - k_context);
    const int last = std::min(last_line, number + k_context);
    if (!ranges.empty() && first <= ranges.back().second + 1) {
      ranges.back().second = last;
    } else {
      ranges.emplace_back(first, last);
    }
  }
  return ranges;
}

void add_line(Table& table, int number, const HotLines& hot, std::uint64_t all,
              const std::string& code) {
  std::string share, stall;
  if (const auto found = hot.find(number); found != hot.end()) {
    share = fmt::format("{:5.1f} %", 100 * share_of(found->second.samples, all));
    if (const RankedCounts stalls = ranked(found->second.stalls); !stalls.empty()) {
      stall = stalls.front().first;
    }
  }
  table.row({share, number, stall, short_code(code, k_longest_annotated)});
}

Table file_table(const std::string& name, const HotLines& hot, std::uint64_t all,
                 const std::vector<std::string>& lines) {
  Table table({text_column(), text_column(), text_column(), text_column()});
  table.title(name);
  bool is_first = true;
  for (const auto& [first, last] : shown_ranges(hot, all, static_cast<int>(lines.size()))) {
    if (!is_first) table.row({"", "", "", "..."});
    is_first = false;
    for (int number = first; number <= last; ++number) {
      add_line(table, number, hot, all, lines[static_cast<std::size_t>(number) - 1]);
    }
  }
  return table;
}

}  // namespace

std::vector<Table> annotated_source(const LineProfile& profile, const SourceTexts& texts) {
  std::vector<Table> tables;
  for (const auto& [name, hot] : by_file(profile)) {
    const std::vector<std::string>* lines = texts.find(name);
    if (lines != nullptr) tables.push_back(file_table(name, hot, profile.samples, *lines));
  }
  return tables;
}

}  // namespace gtune
