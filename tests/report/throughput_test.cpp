#include "report/throughput.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

std::string text_of(double gflops, double gbps) {
  DeviceFacts device;
  device.limits.fma_tflops = 60;
  device.limits.dram_gbps = 3000;
  return throughput_of_rates(gflops, gbps, device).text();
}

TEST(Throughput, TheRateWithTheGreaterShareIsShown) {
  EXPECT_EQ(text_of(54000, 300), "54.00 TFLOP/s, 90.0 % of the limit of FMA units");
  EXPECT_EQ(text_of(300, 2320.4), "2320 GB/s, 77.3 % of the limit of device memory");
}

TEST(Throughput, ASlowRateHasASmallerUnit) {
  EXPECT_EQ(text_of(0.06, 6.02), "6.0 GB/s, 0.2 % of the limit of device memory");
  EXPECT_EQ(text_of(0.00001, 0.326), "326 MB/s");
  EXPECT_EQ(text_of(0.5, 0.001), "500 MFLOP/s");
}

}  // namespace
}  // namespace gtune
