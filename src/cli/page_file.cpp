#include "cli/page_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/current_identity.hpp"
#include "cli/own_source_texts.hpp"
#include "model/error.hpp"
#include "model/one_line.hpp"
#include "profile/familiar_metrics.hpp"
#include "store/inventory.hpp"

namespace gtune {
namespace {

/// More would make a page of a large sweep slow to open.
constexpr std::size_t most_detailed_of_one = 16;
constexpr std::size_t most_detailed_of_many = 4;

std::string database_text(const Database& database, bool bundled,
                          const MeasurementOrigins& origins) {
  std::string text = (bundled ? "From the bundled results, " : "From the database ") +
                     database.path().filename().string();
  for (const auto& file : origins.also_files()) text += ", with " + file.filename().string();
  return text + ".";
}

std::vector<MetricMeaning> metric_meanings() {
  std::vector<MetricMeaning> all;
  for (const FamiliarMetric& each : familiar_metrics()) {
    all.push_back({std::string(each.name), std::string(each.help)});
  }
  return all;
}

/// A kernel's part of an overview; absent, with the reason, if nothing of it can be shown.
std::optional<KernelRecord> find_part(const Results& results, KernelFinder& kernels,
                                      const std::string& name, const std::string& device,
                                      std::string& why) {
  try {
    const auto spec = kernels.find(name);
    if (!spec) {
      why = "no bundled kernel has this name: name its spec, gtune report FILE.toml";
      return std::nullopt;
    }
    const KernelIdentity identity = current_identity(*spec);
    std::vector<BestRow> rows = stored_rows(results.database, identity, {std::nullopt}, device);
    if (rows.empty()) {
      why = "no result of the present source and spec" +
            (device.empty() ? "" : " on " + one_line(device));
      return std::nullopt;
    }
    return load_kernel_record({results.database, spec, identity, "gtune " + name, results.bundled(),
                               &results.origins, texts_reader(*spec)},
                              std::move(rows), most_detailed_of_many);
  } catch (const UserError& error) {
    if (error.code() != ExitCode::usage) throw;
    why = error.what();
    return std::nullopt;
  }
}

}  // namespace

std::vector<BestRow> stored_rows(const Database& database, const KernelIdentity& identity,
                                 const std::vector<std::optional<Problem>>& problems,
                                 const std::string& device) {
  std::vector<BestRow> rows;
  for (const auto& problem : problems) {
    BestFilter filter{problem, std::nullopt};
    if (!device.empty()) filter.device_name = device;
    for (BestRow& row : database.query_best(identity, filter)) rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const BestRow& a, const BestRow& b) {
    if (a.device.name != b.device.name) return a.device.name < b.device.name;
    return a.problem.values() < b.problem.values();
  });
  return rows;
}

PageContents kernel_page(const RecordSource& source, std::vector<BestRow> rows) {
  PageContents contents;
  contents.metrics = metric_meanings();
  contents.database = database_text(source.database, source.bundled,
                                    source.origins ? *source.origins : MeasurementOrigins());
  contents.kernels.push_back(load_kernel_record(source, std::move(rows), most_detailed_of_one));
  return contents;
}

PageContents overview_page(Results& results, KernelFinder& kernels, const std::string& device) {
  PageContents contents;
  contents.metrics = metric_meanings();
  contents.is_overview = true;
  contents.database = database_text(results.database, results.bundled(), results.origins);
  for (const StoredKernel& stored : take_inventory(results.database).kernels) {
    if (!stored.current) continue;
    std::string why;
    auto part = find_part(results, kernels, stored.name, device, why);
    if (part) {
      contents.kernels.push_back(std::move(*part));
    } else {
      contents.unshown.push_back({stored.name, why});
    }
  }
  if (contents.kernels.empty()) {
    throw UserError(
        ExitCode::nothing_stored,
        fmt::format("no stored result in {} to report: {}", results.database.path().string(),
                    contents.unshown.empty() ? "tune a kernel first, such as gtune sgemm"
                                             : one_line(contents.unshown.front().name) + ": " +
                                                   contents.unshown.front().why));
  }
  return contents;
}

}  // namespace gtune
