#include "model/checked_json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/json.hpp"

namespace gtune {
namespace {

using nlohmann::json;

/// The complaint about a number that is not a T; empty if it is one.
template <typename T>
std::string complaint_about(const char* text) {
  try {
    (void)json::parse(text).get<T>();
    return "";
  } catch (const json::exception& error) {
    return json_fault(error);
  }
}

TEST(CheckedJson, IntegersThatFitAreReadInEveryWay) {
  const json in = json::parse(R"({"a": -9223372036854775808, "b": [255, 0], "c": 7})");
  EXPECT_EQ(in.at("a").get<std::int64_t>(), INT64_MIN);
  EXPECT_EQ(in.at("b").get<std::vector<std::uint8_t>>(), (std::vector<std::uint8_t>{255, 0}));
  EXPECT_EQ((in.at("b").get<std::array<unsigned, 2>>()[0]), 255U);
  EXPECT_EQ(in.value("c", 0), 7);
  const int implicit = in.at("c");
  EXPECT_EQ(implicit, 7);
  EXPECT_EQ(json::parse("18446744073709551615").get<std::uint64_t>(), UINT64_MAX);
}

TEST(CheckedJson, ANumberThatDoesNotFitIsRefusedAndTheMessageSaysSo) {
  EXPECT_EQ(complaint_about<std::int64_t>("9223372036854775808"),
            "9223372036854775808 is not an integer of 64 bits");
  EXPECT_EQ(complaint_about<int>("4294967296"), "4294967296 is not an integer of 32 bits");
  EXPECT_EQ(complaint_about<unsigned>("-1"), "-1 is not an integer of 32 bits");
  EXPECT_EQ(complaint_about<std::uint8_t>("256"), "256 is not an integer of 8 bits");
}

TEST(CheckedJson, ADoubleIsNoInteger) {
  EXPECT_EQ(complaint_about<std::int64_t>("1e19"), "1e+19 is not an integer of 64 bits");
  EXPECT_EQ(complaint_about<int>("1e300"), "1e+300 is not an integer of 32 bits");
  EXPECT_EQ(complaint_about<std::int64_t>("1.5"), "1.5 is not an integer of 64 bits");
  EXPECT_EQ(complaint_about<std::int64_t>("true"), "type must be number, but is boolean");
  EXPECT_FALSE(integer_in<int>(json("1")));
}

TEST(CheckedJson, EveryWayToReadAnIntegerIsChecked) {
  const json in = json::parse(R"({"a": 1e19, "b": [1, 1e300], "c": {"x": -1e19}})");
  int number = 0;
  EXPECT_THROW(in.at("a").get_to(number), json::out_of_range);
  EXPECT_THROW((void)in.value("a", std::int64_t{0}), json::out_of_range);
  EXPECT_THROW(number = in.at("a"), json::out_of_range);
  EXPECT_THROW((void)in.at("b").get<std::vector<std::int64_t>>(), json::out_of_range);
  EXPECT_THROW((void)(in.at("b").get<std::array<std::uint32_t, 2>>()), json::out_of_range);
  EXPECT_THROW((void)(in.at("c").get<std::map<std::string, int>>()), json::out_of_range);
  EXPECT_THROW((void)in.at("a").get<std::optional<int>>(), json::out_of_range);
  EXPECT_THROW((void)json::parse(R"([["n", 1e19]])").get<NamedValues>(), json::out_of_range);
}

TEST(CheckedJson, NumbersAreWrittenAsEver) {
  const json out = {std::int16_t{-1}, std::uint64_t{UINT64_MAX}, true, 1.5, 3};
  EXPECT_EQ(out.dump(), "[-1,18446744073709551615,true,1.5,3]");
}

}  // namespace
}  // namespace gtune
