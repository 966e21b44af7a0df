#include "explain/lines_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explain/annotated_source.hpp"
#include "explain/sample_shares.hpp"
#include "explain/stall_words.hpp"
#include "explain/stalls_report.hpp"
#include "report/heading.hpp"
#include "report/quantity.hpp"
#include "report/spec_columns.hpp"
#include "spec/problem_text.hpp"

namespace gtune {
namespace {

// What text shows; JSON and CSV have every stored line.
constexpr std::size_t k_lines_in_text = 15;
constexpr double k_least_in_text = 0.005;
constexpr double k_least_stall_in_text = 0.01;  // that is explained
constexpr std::size_t k_instructions_in_text = 8;
constexpr std::size_t k_stalls_in_text = 2;
constexpr std::size_t k_opcodes_in_text = 3;
constexpr std::size_t k_kinds_of_kernel = 6;
constexpr std::size_t k_longest_code = 60;

/// A share that text shows with the same number of decimals in every row.
Cell share_cell(double share) { return Cell(share).said(fmt::format("{:.1f} %", 100 * share)); }

NamedValues ranked_values(const SampleCounts& counts) {
  NamedValues values;
  for (const auto& [name, samples] : ranked(counts)) {
    values.set(name, static_cast<std::int64_t>(samples));
  }
  return values;
}

/// The lines that text shows.
Table top_lines(const LineProfile& profile, const SourceTexts& texts) {
  Table table({text_column("share"), text_column("line"), text_column("stall reasons"),
               text_column("at instructions"), text_column("code")});
  for (const LineSamples& line : profile.lines) {
    const double share = share_of(line.samples(), profile.samples);
    if (table.rows().size() == k_lines_in_text || share < k_least_in_text) break;
    table.row({share_cell(share), place_text(line.file, line.line),
               shares_text(line.stalls, k_stalls_in_text),
               shares_text(line.opcodes, k_opcodes_in_text),
               short_code(texts.line(line.file, line.line), k_longest_code)});
  }
  return table;
}

/// An instruction with the line it is of.
struct PlacedInstruction {
  const LineSamples* line;
  const InstructionSamples* instruction;
};

std::vector<PlacedInstruction> hottest_instructions(const LineProfile& profile) {
  std::vector<PlacedInstruction> all;
  for (const LineSamples& line : profile.lines) {
    for (const InstructionSamples& each : line.hottest) all.push_back({&line, &each});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.instruction->samples > b.instruction->samples;
  });
  return all;
}

void add_instructions(Document& out, const LineProfile& profile) {
  Table shown({text_column("share"), text_column("address"), text_column("instruction"),
               text_column("stall reason"), text_column("line")});
  Table data({json_column("file"), json_column("line"), json_column("function"),
              json_column("offset"), json_column("opcode"), json_column("samples"),
              json_column("stall")});
  for (const auto& [line, each] : hottest_instructions(profile)) {
    data.row({line->file, line->line, line->function, each->offset, each->opcode, each->samples,
              each->stall});
    if (shown.rows().size() == k_instructions_in_text) continue;
    shown.row({share_cell(share_of(each->samples, profile.samples)),
               fmt::format("{:#06x}", each->offset), each->opcode, each->stall,
               place_text(line->file, line->line)});
  }
  out.table(shown.title("the instructions with the most samples:")).table(data.key("instructions"));
}

/// Every stored line, for JSON and CSV.
Table all_lines(const KernelSpec& spec, const ExplainedLines& each, const SourceTexts& texts) {
  const BestRow& row = each.answer.row;
  Table table({csv_column("device"), size_columns(spec), csv_column("name"), data_column("file"),
               data_column("line"), data_column("function"), data_column("samples"),
               data_column("share"), json_column("stalls"), csv_column("stall"),
               csv_column("stall_share"), csv_column("second_stall"),
               csv_column("second_stall_share"), data_column("instructions"),
               json_column("opcodes"), csv_column("opcode"), data_column("code")});
  for (const LineSamples& line : each.profile.lines) {
    const RankedCounts stalls = ranked(line.stalls);
    const RankedCounts opcodes = ranked(line.opcodes);
    const auto name_at = [](const RankedCounts& counts, std::size_t i) {
      return i < counts.size() ? Cell(counts[i].first) : Cell();
    };
    const auto share_at = [&](std::size_t i) {
      return i < stalls.size() ? Cell(share_of(stalls[i].second, line.samples())) : Cell();
    };
    table.row({row.device.name, row.problem, each.name, line.file, line.line, line.function,
               line.samples(), share_of(line.samples(), each.profile.samples),
               ranked_values(line.stalls), name_at(stalls, 0), share_at(0), name_at(stalls, 1),
               share_at(1), line.instructions, ranked_values(line.opcodes), name_at(opcodes, 0),
               texts.line(line.file, line.line)});
  }
  return table.key("lines");
}

/// Explains the stall reasons of the shown lines.
void add_meanings(Document& out, const LineProfile& profile) {
  Table table({text_column(), text_column()});
  const std::uint64_t all = total_of(all_stalls(profile));
  for (const auto& [reason, samples] : ranked(all_stalls(profile))) {
    const std::string_view words = words_of_stall(reason);
    if (share_of(samples, all) < k_least_stall_in_text || words.empty()) continue;
    table.row({reason, words});
  }
  out.table(table.title("what a warp does, by stall reason:"));
}

/// "515518 of a launch, one every 8192 cycles of an SM".
std::string samples_text(const LineProfile& profile) {
  return fmt::format(
      "{} of {}, one every {} cycles of an SM", profile.samples,
      profile.launches == 1 ? "a launch" : std::to_string(profile.launches) + " launches",
      profile.period_cycles);
}

void add_kinds(Document& out, const LineProfile& profile) {
  out.line("stalls", shares_text(all_stalls(profile), k_kinds_of_kernel));
  const std::string opcodes = shares_text(all_opcodes(profile), k_kinds_of_kernel);
  out.line("at instructions",
           opcodes.empty() ? "not known: the worker found no nvdisasm that prints JSON" : opcodes);
}

void add_summary(Document& out, const KernelSpec& spec, const ExplainedLines& each) {
  const LineProfile& profile = each.profile;
  const Config& config = each.measured.config;
  out.line("explains", each.name + (config.empty() ? "" : "  " + config_text(spec, config)));
  out.data("name", each.name).data("config", config);
  out.fact("time", "median_ms",
           Cell(each.measured.timing->median_ms)
               .said(quantity_text(each.measured.timing->median_ms, "ms")));
  out.fact("samples", "samples", Cell(profile.samples).said(samples_text(profile)));
  out.data("dropped", profile.dropped)
      .data("launches", profile.launches)
      .data("period_cycles", profile.period_cycles);
  add_kinds(out, profile);
}

Document part_of(const KernelSpec& spec, const ExplainedLines& each, const SourceTexts& texts) {
  const BestRow& row = each.answer.row;
  Document out(heading(spec, row.problem, row.device.name, row.device.replayed, row.mode));
  out.data("device", row.device.name)
      .data("replayed", row.device.replayed)
      .data("timing", row.mode.text())
      .data("problem", row.problem);
  if (!is_own_and_exact(each.answer)) out.line("source", source_text(each.answer));
  add_summary(out, spec, each);
  add_stalls(out, each.stalls);
  out.table(top_lines(each.profile, texts)).table(all_lines(spec, each, texts));
  add_instructions(out, each.profile);
  for (Table& table : annotated_source(each.profile, texts)) out.table(std::move(table));
  add_meanings(out, each.profile);
  return out;
}

}  // namespace

Document profile_report(const LineProfile& profile, const std::vector<StallFinding>& stalls,
                        const SourceTexts& texts) {
  Document out;
  out.line("samples", samples_text(profile));
  add_kinds(out, profile);
  add_stalls(out, stalls);
  for (Table& table : annotated_source(profile, texts)) out.table(std::move(table));
  out.table(top_lines(profile, texts).title("the lines with the most samples:"));
  add_instructions(out, profile);
  add_meanings(out, profile);
  return out;
}

Document lines_report(const KernelSpec& spec, const std::vector<ExplainedLines>& all,
                      const SourceTexts& texts) {
  std::vector<Document> parts;
  for (const ExplainedLines& each : all) parts.push_back(part_of(spec, each, texts));
  return Document().data("kernel", spec.name).parts(std::move(parts), "explanations");
}

}  // namespace gtune
