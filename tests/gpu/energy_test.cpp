// On a real GPU: the counter of energy and a series of launches. Skipped, visibly, if there is no
// device or it has no counter.
#include <cuda_runtime_api.h>

#include "gpu/buffer.hpp"
#include "gpu/cuda_error.hpp"
#include "gpu/device.hpp"
#include "gpu/needs_gpu.hpp"
#include "measure/gpu_launch_series.hpp"

namespace gtune::test {
namespace {

class OnCounter : public NeedsGpu {};

TEST_F(OnCounter, ASeriesOfFillsHasAPlausiblePower) {
  const EnergyCounter counter(find_device(list_devices(), 0).uuid);
  if (!counter.total_mj()) GTEST_SKIP() << "the device has no counter of energy";
  const Stream stream;
  const DeviceBuffer buffer(std::size_t{256} << 20);
  constexpr double about_ms = 0.1;
  constexpr double limit_ms = 1000;
  GpuLaunchSeries series(
      [&] { check_cuda(cudaMemsetAsync(buffer.data(), 1, buffer.size(), stream.get()), "memset"); },
      about_ms, 1, stream, counter, limit_ms);
  const EnergyReading reading = measure_energy(series);
  series.finish();
  ASSERT_TRUE(reading.use) << reading.reason;
  EXPECT_GT(reading.use->power_w, 10);
  EXPECT_LT(reading.use->power_w, 2000);
  EXPECT_GT(reading.use->launches, 100);
  EXPECT_GT(reading.use->updates, 0);
  EXPECT_GE(reading.use->seconds, 0.4);
}

}  // namespace
}  // namespace gtune::test
