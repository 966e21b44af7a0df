// The limits that a first run measures. Skipped, visibly, if there is no device.
#include <gtest/gtest.h>

#include "gpu/needs_gpu.hpp"
#include "model/checked_json.hpp"
#include "support/build_under_test.hpp"
#include "support/run_program.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Limits : public NeedsGpu {
 protected:
  void SetUp() override {
    NeedsGpu::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    m_facts = json::parse(run_program({test::gtune_binary(), "devices", "--json"}).out).at(0);
    m_limits = measured();
  }

  [[nodiscard]] json measured() const {
    const ProgramResult result =
        run_program({test::gtune_binary(), "copy", "--bytes", "1048576", "--device", "0",
                     "--budget", "5", "--profile", "off", "--json", "--fresh"},
                    {"GTUNE_DB=" + (m_folder.path() / "gtune.db").string(),
                     "GTUNE_CACHE=" + (m_folder.path() / "cache").string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out).at("device");
  }
  [[nodiscard]] double limit(const char* name) const { return m_limits.at(name).get<double>(); }
  [[nodiscard]] double fact(const char* name) const { return m_facts.at(name).get<double>(); }
  /// Cycles per second of all SMs together.
  [[nodiscard]] double sm_hertz() const {
    return fact("sm_count") * fact("max_sm_clock_mhz") * 1e6;
  }

  static constexpr double k_rounding = 1.02;  // of clocks

  TemporaryFolder m_folder;
  json m_facts;
  json m_limits;
};

TEST_F(Limits, MemoriesAreFasterTheNearerTheyAre) {
  EXPECT_GT(limit("l1_gbps"), 1.5 * limit("l2_gbps"));
  EXPECT_GT(limit("l2_gbps"), limit("dram_gbps"));
}

TEST_F(Limits, AreReachedButNotExceeded) {
  // Two transfers per clock of the memory.
  const double dram = 2 * fact("max_memory_clock_mhz") * 1e6 * fact("memory_bus_bits") / 8;
  EXPECT_LT(limit("dram_gbps") * 1e9, dram * k_rounding);
  EXPECT_GT(limit("dram_gbps") * 1e9, dram * 0.6);
  // An SM's L1 delivers at most 128 bytes per cycle, and its FMA units 2 x 128 operations.
  EXPECT_LT(limit("l1_gbps") * 1e9, 128 * sm_hertz() * k_rounding);
  EXPECT_GT(limit("l1_gbps") * 1e9, 128 * sm_hertz() * 0.6);
  EXPECT_LT(limit("l2_gbps") * 1e9, 128 * sm_hertz());
  EXPECT_LT(limit("fma_tflops") * 1e12, 2 * 128 * sm_hertz() * k_rounding);
}

TEST_F(Limits, TensorCoresAreFasterThanFmaUnits) {
  if (m_limits.at("arch") < "sm_80") GTEST_SKIP() << "its tensor cores do not compute in TF32";
  EXPECT_GT(limit("tensor_tflops"), limit("fma_tflops"));
  if (m_limits.at("arch") == "sm_90") {  // 2048 operations per cycle and SM
    EXPECT_LT(limit("tensor_tflops") * 1e12, 2048 * sm_hertz() * k_rounding);
    EXPECT_GT(limit("tensor_tflops") * 1e12, 2048 * sm_hertz() * 0.7);
  }
}

TEST_F(Limits, AreNotMeasuredAgain) { EXPECT_EQ(measured(), m_limits); }

}  // namespace
}  // namespace gtune::test
