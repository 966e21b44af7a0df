#include "space/narrowing.hpp"

#include <gtest/gtest.h>

#include "model/error.hpp"
#include "spec/device_table.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

class Narrowings : public testing::Test {
 protected:
  template <typename F>
  std::string error(F action) {
    try {
      action();
    } catch (const UserError& caught) {
      EXPECT_EQ(caught.code(), ExitCode::usage);
      return caught.what();
    }
    return "no error";
  }
  std::string param_error(const std::string& text) {
    return error([&] { (void)parse_narrowing(spec, std::vector{text}); });
  }
  std::string config_error(const std::string& text) {
    return error([&] { (void)parse_config(spec, text); });
  }

  KernelSpec spec = spec_of(
      spec_text("BM = [32, 64, 128, 256]\nBN = [8, 16]\nONE = [5]", "area = \"BM*BN <= 1024\""));
};

TEST_F(Narrowings, TakeTheSpecsValues) {
  const std::vector<std::string> options = {"BM=64,128", "BN=8", "BM=32"};
  const Narrowing narrowing = parse_narrowing(spec, options);
  EXPECT_EQ(narrowing.at("BM"), (std::vector<std::int64_t>{64, 128, 32}));
  EXPECT_EQ(narrowing.at("BN"), (std::vector<std::int64_t>{8}));
  EXPECT_TRUE(parse_narrowing(spec, {}).empty());
}

TEST_F(Narrowings, SayWhatTheSpecHas) {
  EXPECT_EQ(param_error("BM=7"), "--param BM=7: BM takes 32, 64, 128, 256");
  EXPECT_EQ(param_error("BM=64,x"), "--param BM=64,x: BM takes 32, 64, 128, 256");
  EXPECT_EQ(param_error("BM="), "--param BM=: BM takes 32, 64, 128, 256");
  EXPECT_EQ(param_error("XX=1"),
            "--param XX=1: kernel 'k' has no parameter 'XX'; it has BM, BN, ONE");
  EXPECT_EQ(param_error("BX=1"),
            "--param BX=1: kernel 'k' has no parameter 'BX'; did you mean 'BM'?");
  EXPECT_EQ(param_error("BM"), "--param BM: expected NAME=VALUE,... as in BM=64,128");
  EXPECT_EQ(error([&] {
              check_narrowing(spec, {{"BN", {}}});
            }),
            "--param BN: no value left; BN takes 8, 16");
}

TEST_F(Narrowings, ConfigsNameNoParameterThatDoesNotExist) {
  spec =
      spec_of(spec_text("TMA = [false, true]\n"
                        "STAGES = { values = [2, 3, 4], when = \"TMA\" }\n"
                        "SPREAD = { values = \"1:2\", when = \"STAGES > 2\" }"));
  EXPECT_EQ(parse_config(spec, "TMA=0").text(), "TMA=0,STAGES=2,SPREAD=1");
  EXPECT_EQ(parse_config(spec, "TMA=1,STAGES=2").text(), "TMA=1,STAGES=2,SPREAD=1");
  EXPECT_EQ(config_error("TMA=1"), "--config TMA=1: no value for STAGES");
  EXPECT_EQ(config_error("TMA=1,STAGES=3"), "--config TMA=1,STAGES=3: no value for SPREAD");
}

TEST_F(Narrowings, TakeWords) {
  spec = spec_of(spec_text("T = [\"float\", \"half\"]\nX = [0.5, 1.0]"));
  EXPECT_EQ(parse_config(spec, "T=half,X=1.0").text(), "T=half,X=1.0");
  EXPECT_EQ(param_error("T=double"), "--param T=double: T takes float, half");
}

TEST_F(Narrowings, ConfigsNameEveryParameterWithAChoice) {
  EXPECT_EQ(parse_config(spec, "BN=16,BM=64").text(), "BM=64,BN=16,ONE=5");
  EXPECT_EQ(parse_config(spec, "BN=16,BM=64,ONE=5").text(), "BM=64,BN=16,ONE=5");
  EXPECT_EQ(config_error("ONE=5"), "--config ONE=5: no value for BM, BN");
  EXPECT_EQ(config_error("BM=7,BN=8"), "--config BM=7,BN=8: BM takes 32, 64, 128, 256");
  EXPECT_EQ(config_error("BM=32,BM=64"), "--config BM=32,BM=64: BM is given twice");
  EXPECT_EQ(config_error(""), "--config : expected NAME=VALUE,... as in BM=64,BN=128");
}

TEST_F(Narrowings, ConfigsMeetTheConstraints) {
  const DeviceFacts& device = typical_device("sm_90");
  const Problem problem = {{"M", 10}, {"N", 10}};
  require_valid(spec, {problem, parse_config(spec, "BM=64,BN=16"), device});
  EXPECT_EQ(error([&] {
              require_valid(spec, {problem, parse_config(spec, "BM=128,BN=16"), device});
            }),
            "--config BM=128,BN=16,ONE=5: violates the constraint area: 'BM*BN <= 1024' for "
            "M=10 on sm_90 (generic)");
}

}  // namespace
}  // namespace gtune
