// Tunes a kernel for each of a list of problems and measures what was found beside the vendor's
// own, in turn, on the same buffers, with the L2 cache flushed before every sample.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "duel.hpp"
#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "tuned.hpp"

namespace gtune::bench {
namespace {

using nlohmann::json;

struct Options {
  std::string kernel = "sgemm";
  std::vector<std::string> shapes;
  std::string program = "build/gtune";
  std::string sources = ".";
  std::string json_file;
  std::vector<std::string> pass_on;  // options for gtune
  bool accuracy = false;
};

std::vector<std::string> usual_shapes(const std::string& kernel) {
  if (kernel == "copy") return {"16777216", "67108864", "268435456", "1073741824", "4294967296"};
  if (kernel == "transpose") {
    return {"4096x4096", "8192x8192", "16384x16384", "1048576x32", "32x1048576", "4095x4097"};
  }
  return {"256x256x256",    "512x512x512",    "1000x1000x1000", "1024x1024x1024", "2048x2048x2048",
          "2560x2560x2560", "4096x4096x4096", "4095x4097x4093", "8192x8192x8192", "4096x64x4096",
          "64x4096x4096",   "4096x4096x64",   "4096x4096x256",  "128x128x8192",   "8192x1024x1024",
          "16384x256x512",  "3072x768x3072",  "1024x1024x65536"};
}

/// "4096x64x4096": the spec's first sizes in its order; the others keep their defaults.
Problem problem_of(const KernelSpec& spec, const std::string& shape) {
  std::map<std::string, std::vector<std::int64_t>> given;
  std::istringstream parts(shape);
  std::string part;
  while (std::getline(parts, part, 'x')) {
    if (given.size() == spec.sizes.size()) {
      throw UserError(ExitCode::usage, "--shapes " + shape + ": expected at most " +
                                           std::to_string(spec.sizes.size()) +
                                           " sizes with x between them");
    }
    const ProblemSize& size = spec.sizes[given.size()];
    given[size.name] = parse_sizes(size, part);
  }
  return expand_problems(spec, given).front();
}

json side_json(const Side& side) {
  json out = {{"name", side.name}, {"median_ms", side.median_ms}};
  if (side.sm_clock_mhz) out["sm_clock_mhz"] = *side.sm_clock_mhz;
  if (side.max_error) out["max_error_of_tolerance"] = *side.max_error;
  return out;
}

/// Ratios of the times: above 1, ours is faster.
class Summary {
 public:
  void add(const std::string& rival, double ratio) { m_logs[rival].push_back(std::log(ratio)); }
  [[nodiscard]] std::map<std::string, double> geometric_means() const {
    std::map<std::string, double> means;
    for (const auto& [rival, logs] : m_logs) {
      double sum = 0;
      for (const double each : logs) sum += each;
      means[rival] = std::exp(sum / static_cast<double>(logs.size()));
    }
    return means;
  }

 private:
  std::map<std::string, std::vector<double>> m_logs;
};

std::string speed_text(const KernelSpec& spec, const Problem& problem, double ms) {
  if (const auto flops = work_flops(spec, problem)) {
    return fmt::format("{:8.2f} TFLOP/s", *flops / ms * 1e-9);
  }
  return fmt::format("{:8.0f} GB/s", work_bytes(spec, problem).value_or(0) / ms * 1e-6);
}

void print_row(const KernelSpec& spec, const Problem& problem, const std::string& shape,
               const Tuned& tuned, const std::vector<Side>& sides) {
  std::string line = fmt::format("{:<18}{}", shape, speed_text(spec, problem, sides[0].median_ms));
  for (std::size_t i = 1; i < sides.size(); ++i) {
    line +=
        fmt::format("  {} {} x{:.3f}", sides[i].name, speed_text(spec, problem, sides[i].median_ms),
                    sides[i].median_ms / sides[0].median_ms);
  }
  fmt::print("{}  {:.0f} MHz, tuned in {:.1f} s ({} tried): {}\n", line,
             sides[0].sm_clock_mhz.value_or(0), tuned.seconds, tuned.tried, tuned.config.text());
  std::fflush(stdout);
}

int compare(const Options& options) {
  const std::filesystem::path sources = options.sources;
  const std::vector<std::filesystem::path> folders = {sources / "kernels"};
  const KernelSpec spec =
      read_spec(sources / "tuner_configs" / (options.kernel + ".toml"), folders);
  json rows = json::array();
  Summary summary;
  json device;
  std::optional<Arena> arena;  // after the first tuning, whose mistakes are the clearer ones
  for (const std::string& shape :
       options.shapes.empty() ? usual_shapes(spec.name) : options.shapes) {
    const Problem problem = problem_of(spec, shape);
    const Tuned tuned = tune(options.program, spec.name, problem, options.pass_on);
    if (!arena) arena.emplace(spec, options.program);
    device = {{"name", arena->device().name}, {"driver", arena->device().driver_version}};
    const std::vector<Side> sides = arena->duel(problem, tuned.config);
    print_row(spec, problem, shape, tuned, sides);
    json row = {{"shape", shape},
                {"config", tuned.config.text()},
                {"tuning_s", tuned.seconds},
                {"tried", tuned.tried},
                {"sides", json::array()}};
    for (const Side& side : sides) row["sides"].push_back(side_json(side));
    rows.push_back(std::move(row));
    for (std::size_t i = 1; i < sides.size(); ++i) {
      summary.add(sides[i].name, sides[i].median_ms / sides[0].median_ms);
    }
    // After each shape: a run that is stopped has something to show.
    if (options.json_file.empty()) continue;
    std::ofstream(options.json_file) << json{{"kernel", spec.name},
                                             {"device", device},
                                             {"passed_on", options.pass_on},
                                             {"shapes", rows},
                                             {"geometric_means", summary.geometric_means()}}
                                            .dump(1)
                                     << '\n';
  }
  for (const auto& [rival, mean] : summary.geometric_means()) {
    fmt::print("geometric mean against {}: {:.3f}\n", rival, mean);
  }
  return 0;
}

void print_special_cases(Arena& arena, const Problem& problem, const Config& config) {
  fmt::print("one element of A in {}: what that row of C begins with, elements not finite\n",
             problem.text());
  for (const SpecialCase& each : arena.special_cases(problem, config)) {
    std::string line = fmt::format("{:<24}", each.what);
    for (std::size_t i = 0; i < each.names.size(); ++i) {
      line +=
          fmt::format("  {} {:>14.8g} ({})", each.names[i], each.results[i], each.not_finite[i]);
    }
    fmt::print("{}\n", line);
  }
}

/// A matrix product's error, in the configuration that was found for each shape, on several kinds
/// of inputs.
int compare_accuracy(const Options& options) {
  const std::filesystem::path sources = options.sources;
  const std::vector<std::filesystem::path> folders = {sources / "kernels"};
  const KernelSpec spec =
      read_spec(sources / "tuner_configs" / (options.kernel + ".toml"), folders);
  fmt::print("against float64, x 1e-8: relative Frobenius error (largest scaled error)\n");
  json rows = json::array();
  std::optional<Arena> arena;
  for (const std::string& shape : options.shapes) {
    const Problem problem = problem_of(spec, shape);
    const Tuned tuned = tune(options.program, spec.name, problem, options.pass_on);
    if (!arena) arena.emplace(spec, options.program);
    for (const Inputs inputs : {Inputs::normal, Inputs::uniform, Inputs::scaled}) {
      std::string line = fmt::format("{:<18} {:<8}", shape, to_string(inputs));
      json row = {{"shape", shape}, {"inputs", to_string(inputs)}, {"config", tuned.config.text()}};
      for (const Accuracy& each : arena->accuracy(problem, tuned.config, inputs)) {
        line += fmt::format("  {} {:7.2f} ({:.2f})", each.name, each.frobenius * 1e8,
                            each.max_scaled * 1e8);
        row[each.name] = {{"frobenius", each.frobenius}, {"max_scaled", each.max_scaled}};
      }
      fmt::print("{}  {}\n", line, tuned.config.text());
      std::fflush(stdout);
      rows.push_back(std::move(row));
    }
    if (&shape == &options.shapes.back()) print_special_cases(*arena, problem, tuned.config);
    if (options.json_file.empty()) continue;
    std::ofstream(options.json_file)
        << json{{"kernel", spec.name},
                {"device",
                 {{"name", arena->device().name}, {"driver", arena->device().driver_version}}},
                {"errors", rows}}
               .dump(1)
        << '\n';
  }
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app("Tunes a kernel for each shape and measures it beside the vendor's own.");
  Options options;
  app.add_option("kernel", options.kernel, "sgemm, sgemm_tf32x3, transpose or copy")
      ->capture_default_str();
  app.add_option("--shapes", options.shapes, "Sizes with x between them: 4096x64x4096,...")
      ->delimiter(',');
  app.add_option("--gtune", options.program, "The program")->capture_default_str();
  app.add_option("--sources", options.sources, "Folder of kernels/ and tuner_configs/")
      ->capture_default_str();
  app.add_option("--json", options.json_file, "Write the results there as well");
  app.add_option("--pass", options.pass_on, "An option for gtune (repeatable): --pass=--budget=9s")
      ->allow_extra_args(false);
  app.add_flag("--accuracy", options.accuracy,
               "Instead of times, errors of a matrix product for the --shapes");
  CLI11_PARSE(app, argc, argv);
  return options.accuracy ? compare_accuracy(options) : compare(options);
}

}  // namespace
}  // namespace gtune::bench

int main(int argc, char** argv) {
  try {
    return gtune::bench::run(argc, argv);
  } catch (const gtune::UserError& error) {
    std::fprintf(stderr, "vs_vendor: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vs_vendor: %s\n", error.what());
    return 1;
  }
}
