#include "system/output_tail.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <future>
#include <vector>

namespace gtune {
namespace {

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    read_end = FileDescriptor(ends[0]);
    write_end = FileDescriptor(ends[1]);
  }
  void say(const std::string& text) const {
    EXPECT_EQ(write(write_end.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  FileDescriptor read_end;
  FileDescriptor write_end;
};

TEST(OutputTail, AListenerMayAskForTheText) {
  Pipe pipe;
  std::promise<std::string> answer;
  OutputTail* asked = nullptr;
  std::promise<void> is_made;
  OutputTail tail(std::move(pipe.read_end), [&, made = is_made.get_future().share()](auto&) {
    made.wait();
    answer.set_value(asked->text());
  });
  asked = &tail;
  is_made.set_value();
  pipe.say("a line\n");
  std::future<std::string> text = answer.get_future();
  // A deadlock would also stop the destructor.
  if (text.wait_for(std::chrono::seconds(20)) != std::future_status::ready) std::abort();
  EXPECT_EQ(text.get(), "a line\n");
}

TEST(OutputTail, TellsLinesInOrderAndBeforeTheTextIsReturned) {
  constexpr int many = 500;
  Pipe pipe;
  std::vector<std::string> told;
  std::vector<std::string> expected;
  OutputTail tail(std::move(pipe.read_end), [&](const std::string& line) { told.push_back(line); });
  for (int i = 0; i < many; ++i) {
    expected.push_back("line " + std::to_string(i));
    pipe.say(expected.back() + "\n");
    if (i % 7 == 0) (void)tail.text();
  }
  (void)tail.text();
  EXPECT_EQ(told, expected);
}

}  // namespace
}  // namespace gtune
