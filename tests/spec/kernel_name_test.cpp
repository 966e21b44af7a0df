#include "spec/kernel_name.hpp"

#include <gtest/gtest.h>

namespace gtune::test {
namespace {

TEST(KernelName, IsAnIdentifierAndNoCommand) {
  EXPECT_EQ(why_no_kernel_name("scale_2"), "");
  EXPECT_NE(why_no_kernel_name("3d").find("'3d' is not a C identifier"), std::string::npos);
  EXPECT_NE(why_no_kernel_name("a-b").find("not a C identifier"), std::string::npos);
  EXPECT_NE(why_no_kernel_name("tune").find("like gtune's command"), std::string::npos);
  EXPECT_NE(why_no_kernel_name(""), "");
}

TEST(KernelName, OneLikeItIsAllowed) {
  EXPECT_EQ(kernel_name_like("scale"), "scale");
  EXPECT_EQ(kernel_name_like("my-kernel.v2"), "my_kernel_v2");
  EXPECT_EQ(kernel_name_like("3d"), "kernel_3d");
  EXPECT_EQ(kernel_name_like("tune"), "tune_kernel");
  for (const char* name : {"", "-", "\xc3\xa9", "1", "bench-search", "check", "a b"}) {
    EXPECT_EQ(why_no_kernel_name(kernel_name_like(name)), "") << name;
  }
}

}  // namespace
}  // namespace gtune::test
