// The line and the exit code of each kind of exception.
#include "cli/complaint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "worker/worker_client.hpp"

namespace gtune::test {
namespace {

template <typename Error>
Complaint about(const Error& error) {
  return complaint_about(std::make_exception_ptr(error));
}

TEST(Complaint, SaysWhatUsersCanActOn) {
  EXPECT_EQ(about(UserError(ExitCode::nothing_stored, "run gtune copy")).line, "run gtune copy");
  EXPECT_EQ(about(UserError(ExitCode::nothing_stored, "")).code, ExitCode::nothing_stored);
  EXPECT_EQ(about(Interrupted()).code, ExitCode::interrupted);
}

TEST(Complaint, OfWhatTheSystemRefusesIsNotUnexpected) {
  const Complaint memory = about(std::bad_alloc());
  EXPECT_TRUE(memory.line.starts_with("out of memory")) << memory.line;
  EXPECT_EQ(memory.code, ExitCode::failed);
  EXPECT_TRUE(about(std::bad_array_new_length()).line.starts_with("out of memory"));
  const auto again = std::make_error_code(std::errc::resource_unavailable_try_again);
  const Complaint thread = about(std::system_error(again));
  EXPECT_TRUE(thread.line.starts_with("system error: ")) << thread.line;
  EXPECT_EQ(thread.code, ExitCode::failed);
  const Complaint file = about(std::filesystem::filesystem_error("cannot list", "/root", again));
  EXPECT_NE(file.line.find("/root"), std::string::npos) << file.line;
  EXPECT_TRUE(file.line.starts_with("system error: ")) << file.line;
}

TEST(Complaint, OfAnythingElseIsABug) {
  EXPECT_EQ(about(std::logic_error("odd")).line, "unexpected: odd");
  EXPECT_EQ(about(5).line, "unexpected: an exception of unknown type");
}

}  // namespace
}  // namespace gtune::test
