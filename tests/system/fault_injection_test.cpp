#include "system/fault_injection.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "system/file_descriptor.hpp"

namespace gtune {
namespace {

class FaultInjectionTest : public testing::Test {
 protected:
  FaultInjectionTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    m_reading = FileDescriptor(ends[0]);
    m_writing = FileDescriptor(ends[1]);
  }
  ~FaultInjectionTest() override { unsetenv("GTUNE_FAULT"); }

  /// Whether this message causes garbage.
  bool misbehaves(FaultInjection& faults, const char* kind) {
    faults.before_reply(kind, m_writing.get());
    std::array<char, 100> bytes{};
    return read(m_reading.get(), bytes.data(), bytes.size()) > 0;
  }

  FileDescriptor m_reading;
  FileDescriptor m_writing;
};

TEST_F(FaultInjectionTest, MisbehavesAtTheNthMessageOfTheKindOnly) {
  setenv("GTUNE_FAULT", "worker:garbage@measure#2", 1);
  FaultInjection faults("worker");
  EXPECT_FALSE(misbehaves(faults, "hello"));
  EXPECT_FALSE(misbehaves(faults, "measure"));
  EXPECT_FALSE(misbehaves(faults, "hello"));
  EXPECT_TRUE(misbehaves(faults, "measure"));
  EXPECT_FALSE(misbehaves(faults, "measure"));
}

TEST_F(FaultInjectionTest, LeavesTheOtherProcessAlone) {
  setenv("GTUNE_FAULT", "worker:garbage@measure#1", 1);
  FaultInjection faults("compiler");
  EXPECT_FALSE(misbehaves(faults, "measure"));
}

TEST_F(FaultInjectionTest, WhatItCannotReadDoesNothing) {
  for (const char* text : {"", "worker", "worker:garbage", "worker:garbage@measure", "#1@:"}) {
    setenv("GTUNE_FAULT", text, 1);
    FaultInjection faults("worker");
    EXPECT_FALSE(misbehaves(faults, "measure")) << text;
  }
}

}  // namespace
}  // namespace gtune
