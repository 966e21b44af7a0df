#include "export/header_tables.hpp"

#include <gtest/gtest.h>

#include "answer/toy_spec.hpp"

namespace gtune {
namespace {

Served served_on(const std::string& name, const std::string& uuid, int sm_count, std::int64_t n) {
  Served served;
  served.winner.device.name = name;
  served.winner.device.uuid = uuid;
  served.winner.device.sm_count = sm_count;
  served.winner.problem = {{"n", n}, {"kind", 0}};
  served.winner.config = {{"A", 1}};
  served.winner.median_ms = 1;
  return served;
}

TEST(HeaderTables, ListGpusOfAModelOnce) {
  const KernelSpec spec = test::toy_spec();
  Portfolio portfolio;
  portfolio.variants = {{{"A", 1}}};
  portfolio.instances = {0};
  portfolio.tuned_variants = 1;
  portfolio.served = {served_on("Large", "GPU-1", 132, 32), served_on("Large", "GPU-2", 132, 64),
                      served_on("Large", "GPU-3", 114, 128), served_on("Small", "GPU-4", 132, 256)};
  const HeaderTables tables = header_tables(spec, header_names(spec), portfolio);
  EXPECT_EQ(tables.devices.size(), 3U) << "two GPUs differ in nothing that a header asks for";
  std::string devices;
  for (const std::string& row : tables.tuned) devices += row.substr(0, row.find(',')) + ' ';
  EXPECT_EQ(devices, "0 0 1 2 ");
}

}  // namespace
}  // namespace gtune
