#include "answer/device_limit.hpp"

#include <gtest/gtest.h>

#include "spec/spec_reader.hpp"
#include "store/records.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {
namespace {

/// n * n FLOPs on n bytes.
KernelSpec spec_of_pairs() {
  const TemporaryFolder files;
  files.write("k.cu", "");
  return read_spec(files.write("k.toml",
                               "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n"
                               "[problem]\nn = 1000\n[params]\nB = [1]\n"
                               "[launch]\ngrid = [1]\nblock = [32]\n"
                               "[[args]]\nname = \"x\"\ntype = \"f32\"\ncount = \"n\"\n"
                               "direction = \"out\"\n"
                               "[work]\nflops = \"n*n\"\nbytes = \"n\"\n"
                               "[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\n"
                               "rtol = 0.0\n"),
                   {});
}

/// A device of 1 TFLOP/s and 1 GB/s.
BestRow some_row() {
  BestRow row;
  row.device.limits.fma_tflops = 1;
  row.device.limits.dram_gbps = 1;
  return row;
}

TEST(DeviceLimit, IsThatOfTheSlowerUnit) {
  const KernelSpec spec = spec_of_pairs();
  // Reads alone may be a tenth faster than copies, by which the limit is measured.
  EXPECT_DOUBLE_EQ(least_ms_of_work(spec, {{"n", 100}}, some_row()), 0.9 * 100 / 1e6);
  EXPECT_DOUBLE_EQ(least_ms_of_work(spec, {{"n", 1'000'000}}, some_row()), 1e12 / 1e9);
}

TEST(DeviceLimit, DoesNotHoldIfAMeasurementIsFaster) {
  const KernelSpec spec = spec_of_pairs();
  BestRow row = some_row();
  row.gflops = 2000;
  row.gbps = 0.5;
  EXPECT_DOUBLE_EQ(least_ms_of_work(spec, {{"n", 1'000'000}}, row), 0.9);
  row.gbps = 2;
  EXPECT_EQ(least_ms_of_work(spec, {{"n", 1'000'000}}, row), 0);
}

TEST(DeviceLimit, OfDeviceMemoryDoesNotHoldForDataInL2) {
  BestRow row = some_row();
  row.mode.order = LaunchOrder::warm;
  EXPECT_DOUBLE_EQ(least_ms_of_work(spec_of_pairs(), {{"n", 100}}, row), 1e4 / 1e9);
}

TEST(DeviceLimit, IsNotKnownWithoutLimits) {
  EXPECT_EQ(least_ms_of_work(spec_of_pairs(), {{"n", 100}}, BestRow()), 0);
}

}  // namespace
}  // namespace gtune::test
