#include "explain/stalls_report.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "explain/changes_table.hpp"
#include "model/value_word.hpp"

namespace gtune {
namespace {

enum class Shares { shown, left_out };

/// "transpose.cu:109 (56 %), ..."
std::string places_text(const std::vector<StalledLine>& lines, Shares shares) {
  std::string text;
  for (const StalledLine& each : lines) {
    text += (text.empty() ? "" : ", ") + place_text(each.file, each.line);
    if (shares == Shares::shown) text += fmt::format(" ({:.0f} %)", 100 * each.share);
  }
  return text;
}

Table places_data(const std::vector<StalledLine>& lines, std::string key) {
  Table table({json_column("file"), json_column("line"), json_column("share")});
  for (const StalledLine& each : lines) table.row({each.file, each.line, each.share});
  return table.key(std::move(key));
}

std::string effect_text(const ParameterChange& effect) {
  return fmt::format("{} -> {}: {:.0f} % -> {:.0f} % of the samples, {}", value_text(effect.from),
                     value_text(effect.to), 100 * effect.before, 100 * effect.after,
                     time_change_text(effect));
}

Document stall_part(std::size_t number, const StallFinding& stall) {
  Document out(
      stall.waits_for.empty()
          ? fmt::format("{}. {:.0f} % of the samples: {}", number, 100 * stall.share, stall.stall)
          : fmt::format("{}. {:.0f} % of the samples wait for {} ({})", number, 100 * stall.share,
                        stall.waits_for, stall.stall));
  out.data("stall", stall.stall).data("share", stall.share).data("waits_for", stall.waits_for);
  if (!stall.lines.empty()) out.line("at", places_text(stall.lines, Shares::shown));
  if (!stall.issued_by.empty()) {
    out.line("which are at", places_text(stall.issued_by, Shares::left_out));
  }
  out.table(places_data(stall.lines, "lines")).table(places_data(stall.issued_by, "issued_by"));
  if (!stall.advice.empty()) out.fact("change", "advice", stall.advice);
  for (const ParameterChange& each : stall.effects) out.line(each.parameter, effect_text(each));
  out.table(changes_table(stall.effects).key("effects"));
  return out;
}

}  // namespace

std::string place_text(const std::string& file, int line) {
  if (file.empty()) return "(no line known)";
  const std::filesystem::path path = file;
  const std::string name = path.is_absolute() ? path.filename().string() : file;
  return name + ":" + std::to_string(line);
}

void add_stalls(Document& out, const std::vector<StallFinding>& stalls) {
  std::vector<Document> parts;
  for (const StallFinding& each : stalls) parts.push_back(stall_part(parts.size() + 1, each));
  if (!parts.empty()) out.note("what its warps wait for:");
  out.parts(std::move(parts), "stalls");
}

}  // namespace gtune
