#include <algorithm>

#include "fixture.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

class Doctor : public CliTest {
 protected:
  /// The machine's check of that name; null if there is none.
  static json machine_check(const json& report, const std::string& name) {
    for (const json& each : report["machine"]["checks"]) {
      if (each["check"] == name) return each;
    }
    return nullptr;
  }
};

TEST_F(Doctor, WithoutAGpuSaysWhatIsMissingAndExaminesTheMachine) {
  if (gtune({"devices"}).exit_code == 0) GTEST_SKIP() << "this machine has a GPU";
  const ProgramResult result = gtune({"doctor"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.starts_with("machine\n  NVIDIA driver ")) << result.out;
  EXPECT_NE(result.out.find("  database "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(database.string()), std::string::npos) << result.out;
  const std::string missing = "no GPU to examine:  no ";
  ASSERT_NE(result.out.find(missing), std::string::npos) << result.out;
  EXPECT_EQ(std::count(result.out.begin() + static_cast<std::ptrdiff_t>(result.out.find(missing)),
                       result.out.end(), '\n'),
            1)
      << "one line says what is missing:\n"
      << result.out;
}

TEST_F(Doctor, JsonHasAVerdictAndTheFactsOfTheMachine) {
  const ProgramResult result = gtune({"doctor", "--json"});
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << result.out;
  EXPECT_EQ(report["machine"]["checks"].size(), 8U);
  EXPECT_EQ(report["machine"]["facts"]["database"], database.string());
  EXPECT_GT(report["machine"]["facts"]["database_free_bytes"], 0);
  EXPECT_EQ(report["devices"].empty(), report["no_device"].is_string());
  if (result.exit_code == 3) {
    EXPECT_EQ(report["verdict"], "BAD");
    EXPECT_FALSE(report["no_device"].is_null());
  }
}

TEST_F(Doctor, FindsLibrariesThatAreMissing) {
  const ProgramResult result = gtune(
      {"doctor", "--json"}, {"GTUNE_NVRTC=/none/libnvrtc.so", "GTUNE_CUPTI=/none/libcupti.so"});
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << result.out;
  const json nvrtc = machine_check(report, "nvrtc");
  EXPECT_EQ(nvrtc["verdict"], "BAD");
  EXPECT_NE(nvrtc["advice"].get<std::string>().find("/none/libnvrtc.so"), std::string::npos);
  EXPECT_EQ(machine_check(report, "cupti")["verdict"], "NOTE");
  EXPECT_TRUE(report["machine"]["facts"]["cupti"].is_null());
}

TEST_F(Doctor, FindsABadLimitOfTheCache) {
  const ProgramResult result = gtune({"doctor", "--json"}, {"GTUNE_CACHE_MIB=much"});
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << result.out << result.err;
  const json cache = machine_check(report, "cubin_cache");
  EXPECT_EQ(cache["verdict"], "BAD");
  EXPECT_NE(cache["advice"].get<std::string>().find("GTUNE_CACHE_MIB=much"), std::string::npos);
}

TEST_F(Doctor, ChangesNothing) {
  static_cast<void>(gtune({"doctor"}));
  EXPECT_FALSE(std::filesystem::exists(database));
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

TEST_F(Doctor, ADeviceThatIsNotThereIsNoUsableDevice) {
  const ProgramResult result = gtune({"doctor", "--device", "1000", "--json"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_FALSE(report.is_discarded()) << result.out;
  EXPECT_TRUE(report["devices"].empty());
  EXPECT_TRUE(report["no_device"].is_string());
}

TEST_F(Doctor, ADeviceIsANumber) {
  const ProgramResult result = gtune({"doctor", "--device", "first"});
  EXPECT_EQ(result.exit_code, 2);
  expect_one_clear_line(result);
}

}  // namespace
}  // namespace gtune::test
