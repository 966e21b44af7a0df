#include "answer/scaled_time.hpp"

#include <gtest/gtest.h>

#include "model/statistics.hpp"
#include "spec/spec_reader.hpp"
#include "store/records.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

KernelSpec spec_with_work(const std::string& work) {
  const TemporaryFolder files;
  files.write("k.cu", "");
  return read_spec(files.write("k.toml",
                               "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n"
                               "[problem]\nn = 1000\n[params]\nB = [1]\n"
                               "[launch]\ngrid = [1]\nblock = [32]\n"
                               "[[args]]\nname = \"x\"\ntype = \"f32\"\ncount = \"n\"\n"
                               "direction = \"out\"\n" +
                                   work +
                                   "[check]\nreference = { entry = \"k\", grid = [1], block = [32] "
                                   "}\nrtol = 0.0\n"),
                   {});
}

/// 1000 took 2 ms.
BestRow some_row() {
  BestRow row;
  row.problem = {{"n", 1000}};
  row.best.measurement.timing = summarise({2});
  return row;
}

TEST(ScaledTime, FollowsTheOnlyWorkThatTheSpecStates) {
  const Problem twice = {{"n", 2000}};
  EXPECT_DOUBLE_EQ(scaled_ms(spec_with_work("[work]\nflops = \"n*n\"\n"), twice, some_row()), 8);
  EXPECT_DOUBLE_EQ(scaled_ms(spec_with_work("[work]\nbytes = \"n\"\n"), twice, some_row()), 4);
  EXPECT_EQ(scaled_ms(spec_with_work(""), twice, some_row()), 0);
}

TEST(ScaledTime, FollowsTheWorkThatIsNearerToItsLimit) {
  const KernelSpec spec = spec_with_work("[work]\nflops = \"n*n\"\nbytes = \"n\"\n");
  BestRow row = some_row();
  row.device.limits.fma_tflops = 1;
  row.device.limits.dram_gbps = 1000;
  row.gflops = 600;  // 60 % of its limit
  row.gbps = 500;
  EXPECT_DOUBLE_EQ(scaled_ms(spec, {{"n", 2000}}, row), 8);
  row.gbps = 700;
  EXPECT_DOUBLE_EQ(scaled_ms(spec, {{"n", 2000}}, row), 4);
}

}  // namespace
}  // namespace gtune::test
