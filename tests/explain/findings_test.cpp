// Every finding appears for a stored example that has it, but not for others or without the metrics
// that it needs.
#include "explain/findings.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "explain/changes_table.hpp"
#include "explain/stored_subject.hpp"
#include "model/statistics.hpp"
#include "spec/device_table.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "store/database.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

const KernelSpec& sgemm() {
  static const KernelSpec spec = read_spec(GTUNE_SOURCE_DIR "/tuner_configs/sgemm.toml",
                                           {{fs::path(GTUNE_SOURCE_DIR) / "kernels"}});
  return spec;
}

const std::map<std::string, std::string> k_units = {
    {"gld_requested_bytes", "byte"}, {"async_requested_bytes", "byte"},
    {"dram_bytes", "byte"},          {"gld_transactions", "sector"},
    {"gst_transactions", "sector"},  {"local_load_transactions", "sector"},
    {"bank_conflicts", ""},          {"local_store_transactions", "sector"},
    {"bank_conflicts_atomic", ""},   {"duration", "nanosecond"}};

/// A kernel near the limit of the FMA units; no other finding applies.
struct Example {
  DeviceFacts device = typical_device("sm_90");
  Config config = {{"BM", 128},      {"BN", 256},   {"BK", 32},        {"TM", 16},   {"TN", 8},
                   {"LANE_ROWS", 4}, {"STAGES", 3}, {"MIN_BLOCKS", 1}, {"SPLIT", 0}, {"K_LANES", 1},
                   {"K_WARPS", 1},   {"UNROLL", 1}, {"KEEP_A", 0}};
  ResourceUsage usage{238, 0, 0, 0, 0, 149040, 0, 1, 0.125, "registers"};
  double ms = 2.53;
  std::map<std::string, double> metrics = {
      {"dram_throughput", 15},        {"l1_utilization", 45},
      {"tensor_pipe_utilization", 0}, {"dram_bytes", 6e8},
      {"l2_throughput", 40},          {"fma_pipe_utilization", 85},
      {"sm_efficiency", 99},          {"issue_slot_utilization", 88},
      {"achieved_occupancy", 12.4},   {"gld_efficiency", 12.5},
      {"gld_requested_bytes", 4e3},   {"async_requested_bytes", 32 * 9e7},  // by cp.async, all but
      {"gst_efficiency", 100},        {"gld_transactions", 9e7},            // a flag
      {"gst_transactions", 2e6},      {"bank_conflicts", 1e5},
      {"local_load_transactions", 0}, {"local_store_transactions", 0},
      {"stall_memory_dependency", 5}, {"warp_execution_efficiency", 100},
      {"branch_efficiency", 100}};

  Example() {
    device.limits.fma_tflops = 66.9;
    device.limits.dram_gbps = 4260;
  }
  /// Leaves both arithmetic and memory idle.
  void slow_down() {
    metrics["fma_pipe_utilization"] = 30;
    metrics["issue_slot_utilization"] = 35;
    metrics["l2_throughput"] = 20;
    metrics["l1_utilization"] = 20;
    ms = 8;
  }
};

/// Puts examples into a database and reads them back, as `gtune explain` does.
class Stored {
 public:
  Stored() {
    char name[] = "/tmp/gtune_report_XXXXXX";
    m_folder = ::mkdtemp(name);
  }
  ~Stored() {
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
  }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;

  /// Findings of the example when `beside` were measured too.
  [[nodiscard]] std::vector<Finding> findings(const Example& example,
                                              const std::vector<Example>& beside = {}) {
    const KernelIdentity identity = identity_of_sgemm();
    const Problem problem = expand_problems(sgemm(), {}).front();
    const fs::path file = m_folder / (std::to_string(m_files++) + ".db");
    {
      Database database(file, OpenMode::create);
      const MeasurementKey key{database.upsert_device(example.device),
                               database.upsert_toolchain({"580", "13.0", "13.0", "13.0", "0.1.0"}),
                               database.upsert_kernel(identity),
                               database.upsert_problem(identity.name, problem),
                               {}};
      RunInfo info;
      info.key = key;
      const RunId run = database.begin_run(info);
      for (const Example& each : beside) insert(database, run, key, each);
      RunResult result;
      result.winner = insert(database, run, key, example);
      database.finish_run(run, result);
    }
    const Database database(file, OpenMode::read_only);
    const BestRow best = database.query_best(identity).at(0);
    const Measurement& measured = best.best.measurement;
    const Subject subject{"best", best.device, measured,
                          find_static_facts(sgemm(), best.problem, best.device, measured),
                          database.load_comparable_metrics(best.best.id)};
    const auto speeds = database.load_speeds(identity);
    return find_findings(subject,
                         {sgemm(), {best.problem, measured.config, best.device}, speeds, nullptr},
                         counted_subjects(database, sgemm(), best));
  }

 private:
  static KernelIdentity identity_of_sgemm() {
    KernelIdentity identity{"sgemm", "aa", "bb", {}, {}};
    for (const ProblemSize& size : sgemm().sizes) identity.problem_names.push_back(size.name);
    for (const Parameter& each : sgemm().params) identity.parameter_names.push_back(each.name);
    return identity;
  }

  static MeasurementId insert(Database& database, RunId run, const MeasurementKey& key,
                              const Example& example) {
    Measurement measured;
    measured.config = example.config;
    measured.resources = example.usage;
    measured.timing = summarise({example.ms});
    measured.timing->sm_clock_mhz = 1980;
    const MeasurementId id = database.insert_measurement(run, key, measured);
    std::vector<Metric> metrics;
    for (const auto& [name, value] : example.metrics) {
      const auto unit = k_units.find(name);
      metrics.push_back({name, value, unit == k_units.end() ? "percent" : unit->second, ""});
    }
    database.insert_metrics(id, metrics);
    return id;
  }

  fs::path m_folder;
  int m_files = 0;
};

const Finding* find_rule(const std::vector<Finding>& findings, const std::string& rule) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& each) { return each.rule == rule; });
  return found == findings.end() ? nullptr : &*found;
}

struct RuleExample {
  std::string rule;
  void (*make)(Example&);           // turns the default example into one that has it
  std::vector<std::string> needed;  // metrics
};

const RuleExample k_cases[] = {
    {"dram_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["dram_throughput"] = 88;
     },
     {"dram_throughput"}},
    {"l2_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["l2_throughput"] = 75;
     },
     {"l2_throughput"}},
    {"l1_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["l1_utilization"] = 80;
     },
     {"l1_utilization"}},
    {"atomics_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["atomic_hotspot"] = 80;
       e.metrics["atomic_utilization"] = 1.7;
     },
     {"atomic_hotspot"}},
    {"texture_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["texture_utilization"] = 95;
     },
     {"texture_utilization"}},
    {"alu_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["alu_pipe_utilization"] = 75;
     },
     {"alu_pipe_utilization"}},
    {"fp64_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["fp64_pipe_utilization"] = 75;
     },
     {"fp64_pipe_utilization"}},
    {"xu_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["xu_pipe_utilization"] = 75;
     },
     {"xu_pipe_utilization"}},
    {"lsu_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["lsu_pipe_utilization"] = 75;
     },
     {"lsu_pipe_utilization"}},
    {"issue_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["issue_slot_utilization"] = 75;
     },
     {"issue_slot_utilization"}},
    {"tensor_bound",
     [](Example& e) {
       e.slow_down();
       e.metrics["tensor_pipe_utilization"] = 70;
     },
     {"tensor_pipe_utilization"}},
    {"latency_bound", [](Example& e) { e.slow_down(); }, {"dram_throughput"}},
    {"occupancy_registers",
     [](Example& e) { e.slow_down(); },
     {"achieved_occupancy", "issue_slot_utilization"}},
    {"occupancy_shared_memory",
     [](Example& e) {
       e.slow_down();
       e.usage.occupancy_limit = "shared memory";
     },
     {"achieved_occupancy", "issue_slot_utilization"}},
    {"occupancy_block_size",
     [](Example& e) {
       e.slow_down();
       e.usage.occupancy_limit = "block size";
       e.usage.theoretical_occupancy = 0.66;
       e.metrics["achieved_occupancy"] = 60;
     },
     {"achieved_occupancy", "issue_slot_utilization"}},
    {"tail_wave",
     [](Example& e) {
       e.slow_down();
       e.config.set("SPLIT", 1);  // 512 blocks, one on each SM at a time
       e.device.sm_count = 100;
     },
     {}},
    {"few_waves",
     [](Example& e) {
       e.slow_down();
       e.config.set("SPLIT", 1);
       e.config.set("BM", 256);  // 256 blocks
       e.device.sm_count = 100;
       e.usage.blocks_per_sm = 3;
     },
     {}},
    {"uncoalesced_loads",
     [](Example& e) {
       e.slow_down();
       e.metrics["gld_requested_bytes"] = 4 * 9e7;
       e.metrics["async_requested_bytes"] = 0;
     },
     {"gld_requested_bytes", "async_requested_bytes", "gld_transactions", "gst_transactions"}},
    {"uncoalesced_stores",
     [](Example& e) {
       e.slow_down();
       e.metrics["gst_efficiency"] = 25;
       e.metrics["gst_transactions"] = 5e7;
     },
     {"gst_efficiency", "gld_transactions", "gst_transactions"}},
    {"bank_conflicts",
     [](Example& e) {
       e.metrics["l1_utilization"] = 80;
       e.metrics["bank_conflicts"] = 3e8;
     },
     {"bank_conflicts"}},
    {"shared_atomics",
     [](Example& e) {
       e.metrics["l1_utilization"] = 80;
       e.metrics["bank_conflicts"] = 3e8;
       e.metrics["bank_conflicts_atomic"] = 3e8;
     },
     {"bank_conflicts_atomic"}},
    {"launch_bound",
     [](Example& e) {
       e.ms = 0.004;
       e.metrics["duration"] = 2400;
     },
     {"duration"}},
    {"spills",
     [](Example& e) {
       e.usage.spill_store_bytes = e.usage.spill_load_bytes = 64;
       e.metrics["local_load_transactions"] = 4e7;
       e.metrics["local_store_transactions"] = 2e7;
     },
     {}},
    {"divergence",
     [](Example& e) { e.metrics["warp_execution_efficiency"] = 60; },
     {"warp_execution_efficiency"}},
};

class EveryFinding : public testing::TestWithParam<RuleExample> {};

TEST_P(EveryFinding, FiresWhereItIsAndNeedsItsMetrics) {
  Stored stored;
  EXPECT_EQ(find_rule(stored.findings(Example()), GetParam().rule), nullptr);
  Example example;
  GetParam().make(example);
  const auto findings = stored.findings(example);
  const Finding* found = find_rule(findings, GetParam().rule);
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->evidence.empty());
  EXPECT_FALSE(found->bound.empty());
  EXPECT_FALSE(found->advice.empty());
  ASSERT_TRUE(found->cost);
  EXPECT_GE(*found->cost, 0.05);
  EXPECT_LE(*found->cost, 1);
  for (const std::string& metric : GetParam().needed) {
    Example without = example;
    without.metrics.erase(metric);
    EXPECT_EQ(find_rule(stored.findings(without), GetParam().rule), nullptr) << metric;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryFinding, testing::ValuesIn(k_cases),
                         [](const auto& test) { return test.param.rule; });

TEST(Findings, OfTheDocsAllHaveAnExample) {
  std::set<std::string> tested = {"fma_bound"};                        // below
  tested.insert({"transfer_bound", "kernels_bound", "serial_steps"});  // in run_rules_test.cpp
  for (const RuleExample& each : k_cases) tested.insert(each.rule);
  std::set<std::string> documented;
  std::ifstream docs(GTUNE_SOURCE_DIR "/docs/explain.md");
  for (std::string line; std::getline(docs, line);) {
    if (line == "## Source lines") break;  // its table is of stall reasons
    if (!line.starts_with("| `")) continue;
    std::istringstream names(line.substr(2, line.find('|', 2) - 2));
    for (std::string name; names >> name;) {
      documented.insert(name.substr(1, name.find('`', 1) - 1));
    }
  }
  EXPECT_EQ(documented, tested);
}

TEST(Findings, OfAKernelAtItsLimitThereIsOne) {
  Stored stored;
  const auto findings = stored.findings(Example());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "fma_bound");
  // 2 * 4096^3 operations at 66.9 TFLOP/s, as a share of 2.53 ms.
  EXPECT_NEAR(findings[0].cost.value(), 1 - 2.0544 / 2.53, 1e-3);
  Example without;
  without.metrics.erase("fma_pipe_utilization");
  EXPECT_TRUE(stored.findings(without).empty());
  Example idle;
  idle.slow_down();
  EXPECT_EQ(find_rule(stored.findings(idle), "fma_bound"), nullptr);
}

/// Waits for bank conflicts, of which `share` are left.
Example with_conflicts(std::int64_t tile_n, double ms, double share) {
  Example example;
  example.config.set("TN", tile_n);
  example.ms = ms;
  example.metrics["l1_utilization"] = 80;
  example.metrics["bank_conflicts"] = share * 3e8;
  return example;
}

TEST(Findings, NameTheParametersThatWereMeasuredToReduceThem) {
  Stored stored;
  const auto findings = stored.findings(with_conflicts(8, 2.53, 1),
                                        {with_conflicts(4, 2.6, 0.1), with_conflicts(2, 2.9, 0.9)});
  const Finding* found = find_rule(findings, "bank_conflicts");
  ASSERT_NE(found, nullptr);
  ASSERT_TRUE(found->changes);
  EXPECT_EQ(found->changes->compared, 2U);
  ASSERT_EQ(found->changes->helpful.size(), 1U) << "0.9 of the cause is no clear fall";
  const ParameterChange& change = found->changes->helpful[0];
  EXPECT_EQ(change.parameter, "TN");
  EXPECT_EQ(change.to, 4);
  EXPECT_NEAR(change.after / change.before, 0.1, 1e-9);
  EXPECT_EQ(time_change_text(change), "2.8 % more time (this configuration)");
}

TEST(Findings, CompareNoParameterThatDoesNotExistInTheConfiguration) {
  Stored stored;
  Example other = with_conflicts(8, 2.6, 0.1);
  other.config.set("K_LANES", 4);  // exists only without stages
  const auto findings = stored.findings(with_conflicts(8, 2.53, 1), {other});
  const Finding* found = find_rule(findings, "bank_conflicts");
  ASSERT_NE(found, nullptr);
  ASSERT_TRUE(found->changes);
  EXPECT_TRUE(found->changes->helpful.empty());
}

TEST(Findings, CompareOnlyConfigurationsWithMetrics) {
  Stored stored;
  Example without = with_conflicts(4, 2.6, 0.1);
  without.metrics.clear();
  const auto findings = stored.findings(with_conflicts(8, 2.53, 1), {without});
  const Finding* found = find_rule(findings, "bank_conflicts");
  ASSERT_NE(found, nullptr);
  ASSERT_TRUE(found->changes);
  EXPECT_EQ(found->changes->compared, 0U);
  EXPECT_TRUE(found->changes->helpful.empty());
}

TEST(Findings, NeedNoMetricWhereStaticFactsSay) {
  Stored stored;
  Example example;
  example.metrics.clear();
  EXPECT_TRUE(stored.findings(example).empty());
  example.usage.spill_store_bytes = 8;
  const auto findings = stored.findings(example);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "spills");
  EXPECT_FALSE(findings[0].cost);
}

TEST(Findings, LoadsAndAsyncCopiesAreLookedAtTogether) {
  Stored stored;
  Example example;
  example.slow_down();
  EXPECT_EQ(find_rule(stored.findings(example), "uncoalesced_loads"), nullptr);
  example.metrics["async_requested_bytes"] *= 0.25;
  const auto findings = stored.findings(example);
  const Finding* found = find_rule(findings, "uncoalesced_loads");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->summary.find("25 %"), std::string::npos) << found->summary;
  // Unknown async copies may exist, except on a chip without such copies.
  example.metrics.erase("async_requested_bytes");
  EXPECT_EQ(find_rule(stored.findings(example), "uncoalesced_loads"), nullptr);
  example.device.cc_major = 7;
  EXPECT_NE(find_rule(stored.findings(example), "uncoalesced_loads"), nullptr);
}

TEST(Findings, SpillsThatHardlyRunAreNone) {
  Stored stored;
  Example example;
  example.usage.spill_store_bytes = 8;
  example.metrics["local_store_transactions"] = 100;
  EXPECT_EQ(find_rule(stored.findings(example), "spills"), nullptr);
}

TEST(Findings, CostNoMoreThanWhatOtherUnitsLeave) {
  Stored stored;
  Example example;
  example.metrics["l1_utilization"] = 80;
  example.metrics["bank_conflicts"] = 3e8;  // 45 % of the cycles, next to 88 % of the issue slots
  const auto findings = stored.findings(example);
  EXPECT_NEAR(find_rule(findings, "bank_conflicts")->cost.value(), 1 - 0.88 * 0.99, 1e-9);
  example.metrics["issue_slot_utilization"] = 98;
  EXPECT_EQ(find_rule(stored.findings(example), "bank_conflicts"), nullptr);
}

TEST(Findings, AreNotWhatWaitsForABusierUnit) {
  Stored stored;
  Example example;
  example.metrics["bank_conflicts"] = 3e8;
  example.metrics["l1_utilization"] = 45;  // the FMA pipe: 85
  EXPECT_EQ(find_rule(stored.findings(example), "bank_conflicts"), nullptr);
  example.metrics["l1_utilization"] = 80;
  EXPECT_NE(find_rule(stored.findings(example), "bank_conflicts"), nullptr);
}

TEST(Findings, OfOccupancyAreOfKernelsThatNoUnitBounds) {
  Stored stored;
  Example example;
  example.slow_down();
  EXPECT_NE(find_rule(stored.findings(example), "occupancy_registers"), nullptr);
  example.metrics["dram_throughput"] = 65;
  EXPECT_EQ(find_rule(stored.findings(example), "occupancy_registers"), nullptr);
}

TEST(Findings, OfOccupancyNeedBlocksThatCouldUseIt) {
  Stored stored;
  Example example;
  example.slow_down();
  example.config.set("SPLIT", 1);  // 512 blocks
  example.usage.blocks_per_sm = 8;
  const auto findings = stored.findings(example);
  EXPECT_EQ(find_rule(findings, "occupancy_registers"), nullptr);
  const Finding* few = find_rule(findings, "few_waves");
  ASSERT_NE(few, nullptr);
  EXPECT_NEAR(few->cost.value(), 1 - 512.0 / (8 * example.device.sm_count), 1e-9);
}

TEST(Findings, OfTheLastWaveAreNotOfUnitsThatAllSmsShare) {
  Stored stored;
  Example example;
  example.slow_down();
  example.config.set("SPLIT", 1);
  example.device.sm_count = 100;
  EXPECT_NE(find_rule(stored.findings(example), "tail_wave"), nullptr);
  example.metrics["l2_throughput"] = 70;  // what some SMs do not use, the others do
  EXPECT_EQ(find_rule(stored.findings(example), "tail_wave"), nullptr);
}

TEST(Findings, OfUncoalescedLoadsCountWhatDeviceMemoryMoves) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["async_requested_bytes"] = 0;
  example.metrics["gld_requested_bytes"] = 16 * 9e7;  // half of each sector
  example.metrics["gst_transactions"] = 0;
  example.metrics["dram_bytes"] = 1e9;  // the others are in L2
  EXPECT_NEAR(find_rule(stored.findings(example), "uncoalesced_loads")->cost.value(), 0.5, 1e-9);
  example.metrics["issue_slot_utilization"] = example.metrics["fma_pipe_utilization"] = 20;
  example.metrics["dram_bytes"] = 64 * 9e7;  // pieces of 64 bytes
  EXPECT_NEAR(find_rule(stored.findings(example), "uncoalesced_loads")->cost.value(), 0.7432, 1e-4);
}

TEST(Findings, CostNoMoreThanTheRooflineLeaves) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["gst_efficiency"] = 25;
  example.metrics["gst_transactions"] = 5e7;  // 27 % of all sectors are wasted
  EXPECT_NEAR(find_rule(stored.findings(example), "uncoalesced_stores")->cost.value(), 0.268, 1e-3);
  example.ms = 2.4;  // the roofline of the FMA units is at 2.0544 ms
  const auto near_the_roof = stored.findings(example);
  const Finding* found = find_rule(near_the_roof, "uncoalesced_stores");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->cost.value(), 1 - 2.0544 / 2.4, 1e-3);
  EXPECT_NE(found->bound.find("the work takes at least 2.05 ms of 2.40 ms"), std::string::npos)
      << found->bound;
}

TEST(Findings, ConflictsOfAtomicsAreNotThoseOfRows) {
  Stored stored;
  Example example;
  example.metrics["l1_utilization"] = 80;
  example.metrics["bank_conflicts"] = 3.1e8;
  example.metrics["bank_conflicts_atomic"] = 3e8;
  const auto findings = stored.findings(example);
  EXPECT_EQ(find_rule(findings, "bank_conflicts"), nullptr);
  EXPECT_NE(find_rule(findings, "shared_atomics"), nullptr);
}

TEST(Findings, ContendedAtomicsAreNotTakenForLatency) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["atomic_hotspot"] = 80;
  EXPECT_EQ(find_rule(stored.findings(example), "latency_bound"), nullptr);
}

TEST(Findings, OfLatencyShowTheBusiestUnit) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["alu_pipe_utilization"] = 50;
  const auto findings = stored.findings(example);
  const Finding* found = find_rule(findings, "latency_bound");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->evidence.back().name, "alu_pipe_utilization");
}

TEST(Findings, LeaveDeviceMemoryATenthMoreThanItsLimit) {
  Stored stored;
  Example example;
  example.slow_down();
  example.device.limits.fma_tflops.reset();  // only traffic is known
  example.metrics["gst_efficiency"] = 3;
  example.metrics["gst_transactions"] = 5e9;
  example.metrics["fma_pipe_utilization"] = 5;
  example.metrics["issue_slot_utilization"] = 5;
  const auto findings = stored.findings(example);
  const Finding* found = find_rule(findings, "uncoalesced_stores");
  ASSERT_NE(found, nullptr);
  EXPECT_LT(found->cost.value(), 1);
}

TEST(Findings, ComeByWhatTheyMayCostAndCausesFirst) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["gld_efficiency"] = 12.5;
  example.metrics["warp_execution_efficiency"] = 80;
  const auto findings = stored.findings(example);
  ASSERT_GE(findings.size(), 3U);
  const auto rank = [](const Finding& finding) {
    const bool is_trusted = !finding.record || !is_weak(*finding.record);
    const double cost = finding.cost.value();
    const double ahead = finding.rule.ends_with("_bound") ? 0 : cost >= 0.2 ? 1 : 0.25;
    return std::pair(is_trusted, cost + ahead);
  };
  for (std::size_t i = 1; i < findings.size(); ++i) {
    EXPECT_GE(rank(findings[i - 1]), rank(findings[i])) << findings[i].rule;
  }
  EXPECT_EQ(findings.front().rule, "occupancy_registers");
  EXPECT_LT(findings.front().cost.value(), find_rule(findings, "latency_bound")->cost.value());
}

TEST(Findings, TrafficThatTheWorkNeedsIsNotToBeSaved) {
  Stored stored;
  Example example;
  example.slow_down();
  example.metrics["dram_throughput"] = 88;
  example.metrics["dram_bytes"] = 2.1e8;  // the work needs 3 * 4096^2 * 4
  const auto needed = stored.findings(example);
  EXPECT_EQ(find_rule(needed, "dram_bound")->goal, Goal::none);
  example.metrics["dram_bytes"] = 2e9;
  const auto excess = stored.findings(example);
  const Finding* found = find_rule(excess, "dram_bound");
  EXPECT_EQ(found->goal, Goal::larger_tiles);
  EXPECT_NEAR(found->evidence.back().value, 2e9 / (3 * 4096.0 * 4096 * 4), 1e-6);
}

TEST(Findings, TensorCoresAreNotTakenForLatency) {
  Stored stored;
  Example example;
  example.slow_down();
  example.ms = 1;  // twice as fast as the FMA units can be
  EXPECT_EQ(find_rule(stored.findings(example), "latency_bound"), nullptr);
}

TEST(Findings, OfTensorCoresThatWaitAreOfLatency) {
  Stored stored;
  Example example;
  example.slow_down();
  example.ms = 1;
  example.metrics["tensor_pipe_utilization"] = 50;
  const auto findings = stored.findings(example);
  const Finding* found = find_rule(findings, "latency_bound");
  ASSERT_NE(found, nullptr);
  EXPECT_NEAR(found->cost.value(), 1 - 0.5 * 0.99, 1e-9);
  example.metrics["tensor_pipe_utilization"] = 80;
  const auto busy = stored.findings(example);
  EXPECT_EQ(find_rule(busy, "latency_bound"), nullptr);
  EXPECT_NE(find_rule(busy, "tensor_bound"), nullptr);
}

/// Device memory cannot reach its peak, and its bytes go through L2.
TEST(Findings, AtTheSpeedOfCopiesNameDeviceMemory) {
  Stored stored;
  Example example;
  example.slow_down();
  example.device.limits.fma_tflops = 1e6;                    // so that memory is the limit
  example.ms = 3 * 4096.0 * 4096 * 4 / (0.97 * 4260 * 1e6);  // 97 % of it
  example.metrics["dram_throughput"] = 76;
  example.metrics["l2_throughput"] = 88;
  example.metrics["dram_bytes"] = 2.1e8;
  example.metrics["gld_transactions"] = 1.2e7;
  example.metrics["gst_transactions"] = 1e6;
  example.metrics["l1_hit_rate"] = 45;
  const auto findings = stored.findings(example);
  EXPECT_EQ(find_rule(findings, "l2_bound"), nullptr);
  const Finding* found = find_rule(findings, "dram_bound");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->advice.find("little is left to gain"), std::string::npos) << found->advice;
  example.metrics["l1_hit_rate"] = 5;  // L2 serves much from itself
  EXPECT_NE(find_rule(stored.findings(example), "l2_bound"), nullptr);
}

TEST(Findings, AtTheSpeedOfCopiesBeginWithDeviceMemory) {
  Stored stored;
  Example example;
  example.device.limits.dram_gbps = 85;  // the bytes of the work in 93 % of the time
  example.device.limits.fma_tflops = 600;
  example.metrics["dram_throughput"] = 80;
  example.metrics["gld_requested_bytes"] = 0.4 * 32 * 9e7;  // a cause of a large cost
  example.metrics["async_requested_bytes"] = 0;
  const auto findings = stored.findings(example);
  ASSERT_GT(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "dram_bound");
  EXPECT_TRUE(findings[0].little_is_left);
  EXPECT_NE(find_rule(findings, "uncoalesced_loads"), nullptr);
}

TEST(Findings, NameTheIssueOfInstructionsIfItIsClearlyBusierThanTheirUnits) {
  Stored stored;
  Example example;
  example.metrics["fma_pipe_utilization"] = 65;
  example.metrics["issue_slot_utilization"] = 82;
  const auto by_issue = stored.findings(example);
  EXPECT_NE(find_rule(by_issue, "issue_bound"), nullptr);
  EXPECT_EQ(find_rule(by_issue, "fma_bound"), nullptr);
  example.metrics["issue_slot_utilization"] = 72;
  const auto by_pipe = stored.findings(example);
  EXPECT_EQ(find_rule(by_pipe, "issue_bound"), nullptr);
  EXPECT_NE(find_rule(by_pipe, "fma_bound"), nullptr);
}

TEST(Findings, ThatSeldomHelpedComeLast) {
  RuleRecord record{"tail_wave", 50, 40, 29, 0.1, 0.05, 0, 0, 0};
  EXPECT_TRUE(is_weak(record));
  record.faster = 31;
  EXPECT_FALSE(is_weak(record));
  record.saved = -0.01;  // seldom, but then much, slower
  EXPECT_TRUE(is_weak(record));
  record.pairs = record.faster = 9;  // too few to tell
  EXPECT_FALSE(is_weak(record));
}

TEST(Findings, MovesOfRegistersComeFromMeasuredPairs) {
  Stored stored;
  Example example;
  example.slow_down();
  Example smaller = example;
  smaller.config.set("TM", 8);
  smaller.usage.registers = 140;
  smaller.ms = 8.4;
  const auto findings = stored.findings(example, {smaller});
  const auto& moves = find_rule(findings, "occupancy_registers")->moves;
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].parameter, "TM");
  EXPECT_EQ(moves[0].from, 16);
  EXPECT_EQ(moves[0].to, 8);
  EXPECT_EQ(moves[0].effect, "registers 238 -> 140");
  EXPECT_DOUBLE_EQ(moves[0].best_ms.value(), 8.4);
}

TEST(Findings, WithoutTheVeryPairMovesOfRegistersAreMeans) {
  Stored stored;
  Example example;
  example.slow_down();
  std::vector<Example> beside;
  for (const int split : {1, 2}) {
    for (const int tm : {16, 8}) {
      Example each = example;
      each.config.set("STAGES", 4);
      each.config.set("SPLIT", split);
      each.config.set("TM", tm);
      each.usage.registers = tm == 16 ? 230 : 130 + 10 * split;
      beside.push_back(each);
    }
  }
  const auto findings = stored.findings(example, beside);
  const auto& moves = find_rule(findings, "occupancy_registers")->moves;
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].effect, "registers 230 -> 145, the mean of 2 pairs");
}

TEST(Findings, MovesThatAreNoConfigurationAreNone) {
  Stored stored;
  Example example;
  example.slow_down();
  example.usage.occupancy_limit = "shared memory";
  example.config.set("BM", 32);
  example.config.set("LANE_ROWS", 4);
  example.config.set("TM", 8);
  const auto findings = stored.findings(example);
  for (const Move& move : find_rule(findings, "occupancy_shared_memory")->moves) {
    EXPECT_NE(move.parameter, "BM");  // 16 rows are for thin matrices
  }
}

TEST(Findings, MovesOfSharedMemoryComeFromTheLaunch) {
  Stored stored;
  Example example;
  example.slow_down();
  example.usage.occupancy_limit = "shared memory";
  example.config.set("STAGES", 4);
  const auto findings = stored.findings(example);
  const auto& moves = find_rule(findings, "occupancy_shared_memory")->moves;
  std::map<std::string, std::int64_t> to;
  for (const Move& move : moves) to[move.parameter] = move.to;
  EXPECT_EQ(to, (std::map<std::string, std::int64_t>{
                    {"BM", 64}, {"BN", 128}, {"BK", 16}, {"STAGES", 3}}));
}

TEST(Findings, DoNotBlameL2ForPassingOnWhatDeviceMemoryMoves) {
  Stored stored;
  Example streams;
  streams.slow_down();
  streams.metrics["dram_throughput"] = 88;
  streams.metrics["l2_throughput"] = 85;
  streams.metrics["dram_bytes"] = 32 * 9.2e7;  // all its sectors
  EXPECT_NE(find_rule(stored.findings(streams), "dram_bound"), nullptr);
  EXPECT_EQ(find_rule(stored.findings(streams), "l2_bound"), nullptr);
  streams.metrics["dram_bytes"] /= 2;
  EXPECT_NE(find_rule(stored.findings(streams), "l2_bound"), nullptr);
}

}  // namespace
}  // namespace gtune
