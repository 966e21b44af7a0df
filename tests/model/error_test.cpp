#include "model/error.hpp"

#include <gtest/gtest.h>

#include "system/start_thread.hpp"

namespace gtune {
namespace {

TEST(FailureCode, IsOneOfTheDocumentedFailuresWhateverWasReported) {
  EXPECT_EQ(failure_code(2), ExitCode::usage);
  EXPECT_EQ(failure_code(5), ExitCode::nothing_stored);
  // 256 would become 0 as an exit code, and only the user interrupts.
  for (const int reported : {0, 1, 256, -1, 7, 130, 2 + 256}) {
    EXPECT_EQ(failure_code(reported), ExitCode::failed) << reported;
  }
}

/// A thread on a system that is out of threads.
struct NoThread {
  template <typename Body>
  explicit NoThread(Body) {
    throw std::system_error(EAGAIN, std::generic_category());
  }
};

TEST(StartThread, SaysWhatIsMissingWhereThereAreNoMoreThreads) {
  try {
    static_cast<void>(start_thread<NoThread>([] {}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::failed);
    EXPECT_EQ(std::string(error.what()).rfind("cannot start a thread: ", 0), 0U) << error.what();
  }
}

}  // namespace
}  // namespace gtune
