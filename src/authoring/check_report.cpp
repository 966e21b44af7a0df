#include "authoring/check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/one_line.hpp"
#include "model/statistics.hpp"
#include "model/value_word.hpp"
#include "model/words.hpp"

namespace gtune {
namespace {

constexpr std::size_t most_faults = 5;  // listed

Document mistake_part(const CheckMistake& mistake) {
  const std::string line = mistake.at.empty() ? mistake.line : mistake.at + ": " + mistake.line;
  Document part(one_line(line));
  part.data("at", mistake.at).data("mistake", mistake.line).data("compiler", mistake.log);
  std::string_view rest = mistake.log;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    part.note(one_line(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return part;
}

Table compile_table(const std::vector<CheckedCompile>& compiles) {
  Table table({column("", "what"), column("problem", "problem"), json_column("entry"),
               json_column("ok"), column("compile", "compile_ms"), column("registers", "registers"),
               column("spilled", "spill_bytes"), column("shared", "shared_bytes"),
               column("blocks per SM", "blocks_per_sm"), column("", "cannot_launch")});
  table.title("compiled").key("compiles");
  for (const CheckedCompile& each : compiles) {
    const ResourceUsage& used = each.resources;
    const auto if_ok = [&](std::int64_t value) { return each.ok ? Cell(value) : Cell(); };
    table.row({each.what, each.problem, each.entry, each.ok,
               Cell(each.compile_ms)
                   .said(each.compile_ms ? fmt::format("{:.0f} ms", *each.compile_ms) : ""),
               if_ok(used.registers), if_ok(used.spill_store_bytes),
               if_ok(used.static_shared_bytes + used.dynamic_shared_bytes),
               if_ok(used.blocks_per_sm),
               Cell(each.cannot_launch).or_said(each.ok ? "" : "does not compile")});
  }
  return table;
}

/// Sorted compile times of the kernels that compile.
std::vector<double> compile_times(const SpecCheck& check) {
  std::vector<double> times;
  for (const CheckedCompile& each : check.compiles) {
    if (each.ok && each.compile_ms) times.push_back(*each.compile_ms);
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// ": 2048 threads per block; the device allows 1024 (BLOCK=2048)"
std::string why_excluded(const SpecCheck& check, const Exclusion& exclusion) {
  for (const ExclusionReason& reason : check.exclusion_reasons) {
    if (reason.constraint != exclusion.constraint) continue;
    const std::string values = reason.values.empty() ? "" : " (" + reason.values + ")";
    return ": " + one_line(reason.why + values);
  }
  return "";
}

Document space_part(const SpecCheck& check) {
  Document part(fmt::format("{} of {} combinations are valid", check.valid, check.combinations));
  part.data("combinations", check.combinations).data("valid", check.valid);
  Document excluded;
  Table table({text_column(), text_column()});
  for (const Exclusion& each : check.excluded) {
    excluded.data(each.constraint, each.combinations);
    if (each.combinations == 0) continue;
    table.row({each.combinations, "excluded by " + each.constraint + why_excluded(check, each)});
  }
  return part.table(std::move(table)).part(std::move(excluded), "excluded");
}

Document launch_part(const SpecCheck& check) {
  Document part;
  Table table({column("", "configurations"), column("", "reason"), json_column("example")});
  table.key("cannot_launch")
      .title(fmt::format("of {} valid configurations, these cannot be launched",
                         check.launches_tried));
  for (std::size_t i = 0; i < std::min(most_faults, check.launch_faults.size()); ++i) {
    const LaunchFault& fault = check.launch_faults[i];
    table.row({fault.count, fault.reason, fault.example});
  }
  part.table(std::move(table));
  if (check.launch_faults.size() > most_faults) {
    part.note(fmt::format("and {} more reasons", check.launch_faults.size() - most_faults));
  }
  return part.data("launch_reasons", check.launch_faults.size())
      .data("launches_tried", check.launches_tried);
}

void add_parameters(Document& out, const SpecCheck& check) {
  std::vector<Cell> idle;
  for (const std::string& name : check.idle_parameters) {
    out.note("parameter '" + name +
             "' changes neither the kernel nor its launch: measuring its values wastes time");
    idle.emplace_back(name);
  }
  out.data("idle_parameters", std::move(idle));
  Document unused;
  for (const UnusedValues& each : check.unused_values) {
    std::string values;
    std::vector<Cell> cells;
    for (const std::int64_t value : each.values) {
      values += (values.empty() ? "" : ", ") + value_text(value);
      cells.push_back(value_cell(value));
    }
    out.note(fmt::format("no valid configuration has {} = {}", each.parameter, values));
    unused.data(each.parameter, std::move(cells));
  }
  out.part(std::move(unused), "unused_values");
}

/// A run skips such configurations, so they are no mistakes.
void note_refused_launches(Document& out, const SpecCheck& check) {
  const auto refused = std::ranges::count_if(check.compiles, [](const CheckedCompile& each) {
    return each.cannot_launch && !each.timed_out;
  });
  if (refused == 0 || !check.passed()) return;
  out.note(fmt::format("{} of {} kernels cannot be launched, as the table says", refused,
                       check.compiles.size()));
}

void add_result(Document& out, const SpecCheck& check) {
  note_refused_launches(out, check);
  if (!check.unread.empty()) {
    out.note(fmt::format("not checked because of {}: {}",
                         check.mistakes.size() == 1 ? "this mistake" : "these mistakes",
                         fmt::join(check.unread, ", ")));
  }
  const auto late = std::ranges::count_if(check.compiles, &CheckedCompile::timed_out);
  if (check.passed() && late > 0) {
    const std::size_t all = check.compiles.size();
    const std::string which = std::cmp_equal(late, all)
                                  ? fmt::format("none of {} kernels was checked", all)
                                  : fmt::format("{} of {} kernels were not checked", late, all);
    out.note("no mistakes found in the spec, but " + which + ": they did not compile in time");
    return;
  }
  out.note(check.passed() ? "no mistakes found"
                          : counted(check.mistakes.size(), "mistake") + " found");
}

}  // namespace

Document check_report(const SpecCheck& check) {
  const std::string file = check.file.string();
  Document out;
  out.note(one_line(check.kernel.empty()
                        ? file
                        : fmt::format("{}  {}  {}", check.kernel, check.problem, check.arch)));
  out.data("file", file).data("kernel", check.kernel).data("problem", check.problem);
  out.data("arch", check.arch).data("passed", check.passed());
  std::vector<Document> mistakes;
  for (const CheckMistake& each : check.mistakes) mistakes.push_back(mistake_part(each));
  out.parts(std::move(mistakes), "mistakes");
  std::vector<Cell> unread;
  for (const std::string& table : check.unread) unread.emplace_back(table);
  out.data("unread", std::move(unread));
  if (!check.kernel.empty()) {
    out.table(compile_table(check.compiles));
    if (const std::vector<double> times = compile_times(check); !times.empty()) {
      const double median = times[times.size() / 2];
      out.note(fmt::format("a compile takes {:.0f} ms, {:.0f} at most", median, times.back()));
      out.data("median_compile_ms", median).data("longest_compile_ms", times.back());
    }
    out.part(space_part(check), "space").part(launch_part(check));
    add_parameters(out, check);
  }
  std::vector<Cell> notes;
  for (const std::string& note : check.notes) {
    out.note(one_line(note));
    notes.emplace_back(note);
  }
  out.data("notes", std::move(notes));
  add_result(out, check);
  return out;
}

}  // namespace gtune
