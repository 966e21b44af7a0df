#include <fmt/format.h>

#include "cli/db_commands.hpp"
#include "cli/output.hpp"
#include "model/checked_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "store/inventory.hpp"
#include "system/shell_word.hpp"

namespace gtune {
namespace {

struct InfoOptions {
  std::string database;
  bool json = false;
};

nlohmann::json info_json(const Inventory& all, const std::filesystem::path& path) {
  nlohmann::json out = {{"database", path.string()},
                        {"schema", all.schema},
                        {"bytes", std::filesystem::file_size(path)},
                        {"measurements_by_status", all.by_status},
                        {"first_measurement", all.first},
                        {"last_measurement", all.last},
                        {"kernels", nlohmann::json::array()},
                        {"devices", nlohmann::json::array()}};
  for (const StoredKernel& kernel : all.kernels) {
    out["kernels"].push_back({{"name", kernel.name},
                              {"source_hash", kernel.source_hash},
                              {"spec_hash", kernel.spec_hash},
                              {"last_used", kernel.last_used},
                              {"current", kernel.current},
                              {"problems", kernel.problems},
                              {"runs", kernel.runs},
                              {"interrupted", kernel.interrupted},
                              {"measurements", kernel.measurements}});
  }
  for (const StoredDevice& device : all.devices) {
    out["devices"].push_back({{"name", device.name},
                              {"uuid", device.uuid},
                              {"replayed", device.replayed},
                              {"measurements", device.measurements}});
  }
  return out;
}

std::string info_text(const Inventory& all, const std::filesystem::path& path) {
  std::string out = fmt::format("{}\n  schema {}, {} bytes\n", shell_word(path.string()),
                                all.schema, std::filesystem::file_size(path));
  if (!all.first.empty()) out += fmt::format("  measured from {} to {}\n", all.first, all.last);
  out += "  measurements ";
  for (const auto& [status, count] : all.by_status) out += fmt::format(" {} {}", status, count);
  out += "\n";
  for (const StoredDevice& device : all.devices) {
    out += fmt::format("  device  {}{}: {} measurements\n", shell_word(one_line(device.name)),
                       device.replayed ? " (replayed from a recording)" : "", device.measurements);
  }
  for (const StoredKernel& kernel : all.kernels) {
    out += fmt::format(
        "  kernel  {} {:.12}{}: {} problems, {} runs ({} not ended), {} measurements, last used "
        "{}\n",
        shell_word(one_line(kernel.name)), kernel.source_hash, kernel.current ? "" : " (old)",
        kernel.problems, kernel.runs, kernel.interrupted, kernel.measurements, kernel.last_used);
  }
  return out;
}

int info(const InfoOptions& options) {
  Database database(chosen_database(options.database), OpenMode::read_only);
  const Inventory all = take_inventory(database);
  print_out(options.json ? json_text(info_json(all, database.path()), 2) + '\n'
                         : info_text(all, database.path()));
  return 0;
}

}  // namespace

void add_db_info(CLI::App& db, CommandContext& context) {
  CLI::App* command = db.add_subcommand("info", "What a database holds, in numbers");
  auto options = context.keep<InfoOptions>();
  add_database_option(*command, options->database);
  command->add_flag("--json", options->json, "Print as JSON");
  command->callback([&context, options] { context.action = [options] { return info(*options); }; });
}

}  // namespace gtune
