#include "report/inventory_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/one_line.hpp"
#include "model/words.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

constexpr std::size_t shown_of_an_id = 12;  // "GPU-" and the first group of digits

/// Names may come from someone else's file.
std::string quoted(const std::string& name) { return shell_word(one_line(name)); }

std::string rows_text(std::int64_t runs, std::int64_t measurements) {
  return counted(static_cast<std::size_t>(runs), "run") + ", " +
         counted(static_cast<std::size_t>(measurements), "measurement");
}

/// The name, with the start of the GPU's id if another device has the same name.
std::string device_text(const StoredDevice& device, const std::vector<StoredDevice>& all) {
  const auto same_name = std::count_if(all.begin(), all.end(), [&](const StoredDevice& each) {
    return each.name == device.name && each.replayed == device.replayed;
  });
  std::string text = quoted(device.name);
  if (same_name > 1) text += " " + one_line(device.uuid).substr(0, shown_of_an_id);
  return text + (device.replayed ? " (replayed from a recording)" : "");
}

Table device_table(const std::vector<StoredDevice>& devices) {
  Table table({json_column("name"), json_column("uuid"), json_column("replayed"), text_column(),
               column("measurements", "measurements")});
  table.title("devices").key("devices");
  for (const StoredDevice& each : devices) {
    table.row({each.name, each.uuid, each.replayed, device_text(each, devices), each.measurements});
  }
  return table;
}

Table kernel_table(const std::vector<StoredKernel>& kernels) {
  Table table({json_column("name"), text_column(), column("source", "source_hash"),
               json_column("spec_hash"), column("", "current"), column("problems", "problems"),
               column("runs", "runs"), column("not ended", "interrupted"),
               column("measurements", "measurements"), column("last used", "last_used")});
  table.title("kernels").key("kernels");
  for (const StoredKernel& each : kernels) {
    table.row({each.name, quoted(each.name),
               Cell(each.source_hash).said(fmt::format("{:.12}", each.source_hash)), each.spec_hash,
               Cell(each.current).said(each.current ? "" : "old"), each.problems, each.runs,
               each.interrupted, each.measurements, each.last_used});
  }
  return table;
}

}  // namespace

Document inventory_report(const Inventory& all, const std::filesystem::path& path,
                          std::uint64_t bytes) {
  Document out(shell_word(path.string()));
  out.data("database", path.string());
  out.fact("schema", "schema", all.schema);
  out.fact("size", "bytes",
           Cell(bytes).said(Cell(Quantity{static_cast<double>(bytes), "byte"}).text()));
  if (!all.first.empty()) out.line("measured", fmt::format("from {} to {}", all.first, all.last));
  out.data("first_measurement", all.first).data("last_measurement", all.last);
  Document by_status;
  std::string said;
  for (const auto& [status, count] : all.by_status) {
    by_status.data(status, count);
    said += fmt::format("{}{} {}", said.empty() ? "" : ", ", count, status);
  }
  out.line("measurements", said.empty() ? "none" : said);
  return out.part(std::move(by_status), "measurements_by_status")
      .table(device_table(all.devices))
      .table(kernel_table(all.kernels));
}

Document pruned_report(const Pruned& pruned, bool dry_run) {
  Document out;
  for (const StoredKernel& kernel : pruned.kernels) {
    out.note(fmt::format("{} {:.12}, last used {}: {}", quoted(kernel.name), kernel.source_hash,
                         kernel.last_used, rows_text(kernel.runs, kernel.measurements)));
  }
  return out.note(fmt::format("{} {}, {}", dry_run ? "would remove" : "removed",
                              counted(pruned.kernels.size(), "older kernel version"),
                              rows_text(pruned.runs, pruned.measurements)));
}

}  // namespace gtune
