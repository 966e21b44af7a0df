#include "report/quantity.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

TEST(Quantity, TimesTakeTheUnitThatSuitsTheirSize) {
  EXPECT_EQ(quantity_text(2.54e6, "nanosecond", 3), "2.54 ms");
  EXPECT_EQ(quantity_text(2.523, "ms"), "2.523 ms");
  EXPECT_EQ(quantity_text(0.0123456, "ms"), "12.35 us");
  EXPECT_EQ(quantity_text(12, "nanosecond"), "12.00 ns");
  EXPECT_EQ(quantity_text(1500, "ms"), "1.500 s");
}

TEST(Quantity, RoundingUpReachesTheNextUnit) {
  EXPECT_EQ(quantity_text(0.999999, "ms"), "1.000 ms");
  EXPECT_EQ(quantity_text(9.9999, "ms"), "10.00 ms");
  EXPECT_EQ(quantity_text(999999.9, "sector"), "1.000 M sectors");
  EXPECT_EQ(quantity_text(131072, "l2_sector"), "131072 sectors");
  EXPECT_EQ(quantity_text(1, "l1data_bank_conflict"), "1 conflict");
  EXPECT_EQ(quantity_text(1.45, "instruction/gpc_cycle", 3), "1.45 instructions/cycle");
}

TEST(Quantity, BytesAndRatesScale) {
  EXPECT_EQ(quantity_text(0, "byte"), "0 B");
  EXPECT_EQ(quantity_text(512, "byte"), "512 B");
  EXPECT_EQ(quantity_text(49152, "byte"), "49.15 kB");
  EXPECT_EQ(quantity_text(3.78e12, "byte/second"), "3780 GB/s");
  EXPECT_EQ(quantity_text(54321, "GFLOP/s"), "54.32 TFLOP/s");
  EXPECT_EQ(quantity_text(1.98e9, "hz"), "1980 MHz");
}

TEST(Quantity, SharesAreInPercent) {
  EXPECT_EQ(quantity_text(0.0345, "share"), "3.5 %");
  EXPECT_EQ(quantity_text(91.34, "percent"), "91.3 %");
}

TEST(Quantity, FactorsHaveNoExponent) {
  EXPECT_EQ(factor_text(2.5), "2.50 x");
  EXPECT_EQ(factor_text(573.6, 2), "574 x");
  EXPECT_EQ(factor_text(0.4321, 2), "0.43 x");
  EXPECT_EQ(number_text(1234.5, 3), "1234");
  EXPECT_EQ(number_text(0, 3), "0");
  EXPECT_EQ(number_text(0.012345, 3), "0.0123");
}

TEST(Quantity, CountsKeepTheirWord) {
  EXPECT_EQ(quantity_text(12, "sector"), "12 sectors");
  EXPECT_EQ(quantity_text(1, "sector"), "1 sector");
  EXPECT_EQ(quantity_text(1.875, "inst/cycle"), "1.875 inst/cycle");
  EXPECT_EQ(quantity_text(4096, ""), "4096");
  EXPECT_EQ(quantity_text(0.5, "ratio"), "0.5000");
  EXPECT_EQ(quantity_text(-2.5e6, "", 3), "-2.50 M");
}

}  // namespace
}  // namespace gtune
