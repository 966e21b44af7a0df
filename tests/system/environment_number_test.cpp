#include "system/environment_number.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "support/environment_variable.hpp"

namespace gtune {
namespace {

constexpr const char* name = "GTUNE_TEST_NUMBER";

TEST(EnvironmentNumber, IsNothingWhereTheVariableIsNotSetOrEmpty) {
  EXPECT_EQ(environment_number(name, 1, 10), std::nullopt);
  const test::EnvironmentVariable empty(name, "");
  EXPECT_EQ(environment_number(name, 1, 10), std::nullopt);
}

TEST(EnvironmentNumber, IsTheWholeText) {
  const test::EnvironmentVariable set(name, "10");
  EXPECT_EQ(environment_number(name, 1, 10), 10);
}

TEST(EnvironmentNumber, AnythingElseIsAnErrorThatNamesTheVariable) {
  for (const char* text : {"0", "11", "ten", "5s", " 5", "1e3", "nan", "99999999999999999999"}) {
    const test::EnvironmentVariable set(name, text);
    try {
      static_cast<void>(environment_number(name, 1, 10));
      ADD_FAILURE() << text;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      EXPECT_EQ(error.what(),
                std::string(name) + "=" + text + ": expected a whole number from 1 to 10");
    }
  }
}

}  // namespace
}  // namespace gtune
