#include "gate/gate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "exchange/junit.hpp"
#include "exchange/markdown.hpp"
#include "model/statistics.hpp"
#include "report/quantity.hpp"

namespace gtune {
namespace {

/// "+1.25", and "0.00" for what rounds to it.
std::string percent_number(double share) {
  const std::string text = fmt::format("{:+.2f}", share * 100);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

/// "+1.25 %"
std::string percent_text(double share) { return percent_number(share) + " %"; }

std::string change_text(const CheckedProblem& checked) {
  return checked.change ? percent_text(checked.change->estimate) : "";
}

/// "+0.98 to +1.53 %"
std::string interval_text(const CheckedProblem& checked) {
  if (!checked.change) return "";
  return percent_number(checked.change->low) + " to " + percent_text(checked.change->high);
}

std::string time_text(const std::optional<double>& ms) {
  return ms ? quantity_text(*ms, "ms") : "";
}

/// Each note once, with the number of its problems unless it holds for all.
std::vector<std::string> all_notes(const GateResult& result) {
  std::map<std::string, std::size_t> counts;
  std::vector<std::string> order;
  for (const CheckedProblem& checked : result.problems) {
    for (const std::string& note : checked.notes) {
      if (++counts[note] == 1) order.push_back(note);
    }
  }
  for (std::string& note : order) {
    const std::size_t count = counts[note];
    if (count == result.problems.size()) continue;
    note += fmt::format(" ({} of {} problems)", count, result.problems.size());
  }
  return order;
}

std::string compared_with(const GateResult& result) {
  return result.against.empty() ? "the times in " + result.file
                                : result.against + ", measured in turn";
}

std::string terms_text(const GateResult& result) {
  return fmt::format(
      "changes under {:.3g} % are ignored, {:.3g} % is detected; {:.3g} % "
      "intervals over rounds",
      result.terms.threshold * 50, result.terms.threshold * 100, confidence(result.terms) * 100);
}

std::string device_text(const GateResult& result) {
  return result.device + (result.replayed ? " (replayed from a recording)" : "");
}

Cell share_cell(const CheckedProblem& checked, double TimeChange::*member) {
  return checked.change ? Cell((*checked.change).*member) : Cell();
}

Cell time_cell(const std::optional<double>& ms) { return Cell(ms).said(time_text(ms)); }

template <typename T>
Cell list_of(const std::vector<T>& values) {
  std::vector<Cell> cells;
  for (const T& value : values) cells.emplace_back(value);
  return cells;
}

Table problems_table(const GateResult& result) {
  Table table({column("kernel", "kernel"), text_column("problem"), json_column("spec"),
               json_column("problem"), json_column("config"), json_column("timing"),
               column("before", "before_ms"), column("now", "now_ms"), column("change", "change"),
               text_column("interval"), json_column("change_low"), json_column("change_high"),
               column("rounds", "rounds"), column("verdict", "verdict"), json_column("reason"),
               json_column("notes")});
  table.key("problems");
  for (const CheckedProblem& each : result.problems) {
    const ReferenceTime& of = each.reference;
    table.row({of.kernel, each.sizes, of.spec.empty() ? Cell() : Cell(of.spec), of.problem,
               of.config, of.mode.text(), time_cell(each.before_ms), time_cell(each.now_ms),
               share_cell(each, &TimeChange::estimate).said(change_text(each)), interval_text(each),
               share_cell(each, &TimeChange::low), share_cell(each, &TimeChange::high), each.rounds,
               to_string(each.verdict), each.reason.empty() ? Cell() : Cell(each.reason),
               list_of(each.notes)});
  }
  return table;
}

JunitCase junit_case(const CheckedProblem& checked) {
  JunitCase each;
  each.suite = checked.reference.kernel;
  each.name = checked.sizes.empty() ? checked.reference.kernel : checked.sizes;
  each.seconds = checked.seconds;
  each.kind = to_string(checked.verdict);
  if (checked.change) {
    each.output =
        fmt::format("{}: {} ({}), {} before, {} now, {} rounds", each.kind, change_text(checked),
                    interval_text(checked), time_text(checked.before_ms), time_text(checked.now_ms),
                    checked.rounds);
  }
  for (const std::string& note : checked.notes) {
    each.output += (each.output.empty() ? "" : "; ") + note;
  }
  const std::string change = change_text(checked) + " (" + interval_text(checked) + ")";
  switch (checked.verdict) {
    case GateVerdict::slower:
      each.outcome = JunitCase::Outcome::failed;
      each.message = change;
      break;
    case GateVerdict::failed:
      each.outcome = JunitCase::Outcome::failed;
      each.message = checked.reason;
      break;
    case GateVerdict::unsure:
      each.outcome = JunitCase::Outcome::skipped;
      each.message = checked.reason + (checked.change ? ": " + change : "");
      break;
    case GateVerdict::same:
    case GateVerdict::faster:
      break;
  }
  return each;
}

}  // namespace

Document gate_report(const GateResult& result) {
  Document out;
  out.data("file", result.file)
      .data("device", result.device)
      .data("replayed", result.replayed)
      .data("against", result.against.empty() ? Cell() : Cell(result.against))
      .data("threshold", result.terms.threshold)
      .data("confidence", confidence(result.terms))
      .line("on", device_text(result))
      .line("compared with", compared_with(result))
      .line("verdicts", terms_text(result))
      .note("")
      .table(problems_table(result));
  bool first = true;
  const auto remark = [&](const std::string& line) {
    if (first) out.note("");
    first = false;
    out.note(line);
  };
  for (const CheckedProblem& each : result.problems) {
    if (!each.reason.empty()) remark(each.name() + ": " + each.reason);
  }
  for (const std::string& note : all_notes(result)) remark("note: " + note);
  return out.note("").fact("", "summary", result.summary());
}

Document saved_report(const std::string& file, const std::string& device,
                      const std::vector<SavedProblem>& saved) {
  Table table({column("kernel", "kernel"), text_column("problem"), json_column("problem"),
               column("configuration", "config"), json_column("timing"),
               column("time", "median_ms"), text_column("rounds"), text_column("spread"),
               json_column("rounds_ms")});
  table.key("problems");
  for (const auto& [entry, sizes, config] : saved) {
    const std::vector<double>& rounds = entry.rounds_ms;
    const auto [least, most] = std::minmax_element(rounds.begin(), rounds.end());
    const double middle = median(rounds);
    table.row({entry.kernel, sizes, entry.problem, Cell(entry.config).said(config),
               entry.mode.text(), time_cell(middle), rounds.size(),
               fmt::format("{:.2f} %", (*most - *least) / middle * 100), list_of(rounds)});
  }
  Document out;
  return out.fact("saved to", "file", file)
      .fact("measured on", "device", device)
      .note("")
      .table(std::move(table));
}

std::string gate_markdown(const GateResult& result) {
  std::string text = "### gtune: " + markdown_text(result.summary()) + "\n\n";
  text += markdown_text(device_text(result)) + "; compared with " +
          markdown_text(compared_with(result)) + "; " + terms_text(result) + ".\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const CheckedProblem& each : result.problems) {
    const bool plain = each.verdict == GateVerdict::same;
    const std::string verdict(to_string(each.verdict));
    const std::string change =
        each.change ? change_text(each) + " (" + interval_text(each) + ")" : "";
    rows.push_back({plain ? verdict : "**" + verdict + "**", markdown_text(each.reference.kernel),
                    markdown_text(each.sizes), time_text(each.before_ms), time_text(each.now_ms),
                    change, std::to_string(each.rounds), markdown_text(each.reason)});
  }
  text += markdown_table({{"verdict"},
                          {"kernel"},
                          {"problem"},
                          {"before", true},
                          {"now", true},
                          {"change", true},
                          {"rounds", true},
                          {"reason"}},
                         rows);
  const std::vector<std::string> notes = all_notes(result);
  if (!notes.empty()) text += '\n';
  for (const std::string& note : notes) text += "- " + markdown_text(note) + '\n';
  return text;
}

std::string gate_junit(const GateResult& result) {
  std::vector<JunitCase> cases;
  for (const CheckedProblem& each : result.problems) cases.push_back(junit_case(each));
  return junit_text("gtune baseline check " + result.file, cases);
}

}  // namespace gtune
