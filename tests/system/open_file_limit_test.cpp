#include "system/open_file_limit.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "system/child_process.hpp"

namespace gtune {
namespace {

/// What a child's `ulimit -Sn` prints.
std::string limit_of_a_child() {
  const ChildProcess child({"sh", "-c", "ulimit -Sn"});
  std::string line;
  char c = 0;
  while (read(child.stdout_fd(), &c, 1) == 1 && c != '\n') line += c;
  return line;
}

/// The usual soft limit of 1024 would end at fewer than 256 children of four descriptors each.
TEST(OpenFileLimit, IsRaisedForThisProcessAndNotForItsChildren) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  raise_open_file_limit();
  rlimit raised{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &raised), 0);
  EXPECT_EQ(raised.rlim_cur, before.rlim_max);
  ASSERT_TRUE(original_open_file_limit());
  EXPECT_EQ(limit_of_a_child(), std::to_string(original_open_file_limit()->rlim_cur));
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 40; ++i) {
    children.push_back(std::make_unique<ChildProcess>(std::vector<std::string>{"cat"}));
  }
  EXPECT_GT(children.back()->stdout_fd(), 64);
  children.clear();
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace gtune
