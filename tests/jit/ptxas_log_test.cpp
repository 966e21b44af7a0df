#include "jit/ptxas_log.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

// Log of NVRTC 13.0 for sm_90a: an entry that calls a function, and another entry.
constexpr const char* hopper_log = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z2tkILi64EEvPfi' for 'sm_90a'
ptxas info    : Function properties for _Z2tkILi64EEvPfi
ptxas         .     512 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 512 bytes cumulative stack size
ptxas info    : Compile time = 22.393 ms
ptxas info    : Function properties for _Z6helperfi
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'plain' for 'sm_90a'
ptxas info    : Function properties for plain
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compile time = 1.810 ms
)";

constexpr const char* ampere_log =
    R"(ptxas info    : Overriding maximum register limit 256 for 'plain' with  24 of maxrregcount option
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'plain' for 'sm_80'
ptxas info    : Function properties for plain
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 9 registers, used 1 barriers, 1024 bytes smem, 360 bytes cmem[0]
ptxas info    : Compile time = 1.851 ms
)";

TEST(PtxasLog, TellsWhatAnEntryUses) {
  const auto usage = parse_ptxas_log(hopper_log, "_Z2tkILi64EEvPfi");
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->registers, 32);
  EXPECT_EQ(usage->stack_bytes, 512);
  EXPECT_EQ(usage->spill_store_bytes, 16);
  EXPECT_EQ(usage->spill_load_bytes, 24);
  EXPECT_EQ(usage->static_shared_bytes, 0);  // those are of the other entry
}

TEST(PtxasLog, TellsEntriesApart) {
  const auto usage = parse_ptxas_log(hopper_log, "plain");
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->registers, 10);
  EXPECT_EQ(usage->stack_bytes, 0);
  EXPECT_EQ(usage->static_shared_bytes, 1024);
}

TEST(PtxasLog, ReadsTheFormOfOlderChips) {
  const auto usage = parse_ptxas_log(ampere_log, "plain");
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->registers, 9);
  EXPECT_EQ(usage->static_shared_bytes, 1024);
}

TEST(PtxasLog, ANameThatIsOnlyABeginningIsNotFound) {
  EXPECT_FALSE(parse_ptxas_log(hopper_log, "plai"));
  EXPECT_FALSE(parse_ptxas_log(hopper_log, "_Z6helperfi"));
  EXPECT_FALSE(parse_ptxas_log("", "plain"));
}

}  // namespace
}  // namespace gtune
