// A parameter with words as values, from tuning to an application that includes the header.
#include <SQLiteCpp/SQLiteCpp.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tuple>

#include "fixture.hpp"
#include "model/value_word.hpp"
#include "spec/spec_reader.hpp"
#include "tune/identity.hpp"
#include "worker/recording.hpp"

namespace gtune::test {
namespace {

class WordValues : public CliTest {
 protected:
  /// The toy's spec with words for VARIANT, and UNROLL only for one of them; already tuned.
  [[nodiscard]] std::string tuned_spec() const {
    std::ifstream in(data + "/toy.toml");
    std::string text(std::istreambuf_iterator<char>(in), {});
    const auto replace = [&](const std::string& what, const std::string& by) {
      text.replace(text.find(what), what.size(), by);
    };
    replace("UNROLL = [1, 2, 4, 8]\n", "");
    replace("VARIANT = [0, 1, 2]\n",
            "VARIANT = [\"float\", \"half\", \"unsigned int\"]\n"
            "UNROLL = { values = \"1:8:*2\", when = \"VARIANT == 'half'\" }\n");
    const std::string spec = (folder / "toy.toml").string();
    std::ofstream(spec) << text;
    std::filesystem::copy_file(data + "/toy.cu", folder / "toy.cu");
    tune(spec);
    return spec;
  }

  void tune(const std::string& spec) const {
    Recording made = read_recording(recording);
    made.kernel = identity_of(read_spec(spec, {}));
    made.device.name = "One";
    for (RecordedMeasurement& each : made.measurements) {
      const Config old = each.measurement.config;
      if (old.empty()) continue;  // a baseline
      const std::int64_t variant = old.find("VARIANT").value();
      const char* const words[] = {"float", "half", "unsigned int"};
      each.measurement.config = {{"BLOCK", old.find("BLOCK").value()},
                                 {"VARIANT", value_of_word(words[variant])},
                                 {"UNROLL", old.find("UNROLL").value()}};
    }
    const auto file = folder / "words.jsonl";
    write_recording(made, file);
    const ProgramResult result = gtune({"tune", spec, "--device", "replay:" + file.string(),
                                        "--strategy", "exhaustive", "--quiet"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

TEST_F(WordValues, AreWordsInReportsJsonAndTheDatabase) {
  const std::string spec = tuned_spec();
  const ProgramResult asked = gtune({"query", spec, "--device", "One"});
  EXPECT_NE(asked.out.find(",VARIANT="), std::string::npos) << asked.out << asked.err;
  const ProgramResult one = gtune({"query", spec, "--device", "One", "--json"});
  const auto config = nlohmann::json::parse(one.out)["best"][0]["config"];
  ASSERT_TRUE(config["VARIANT"].is_string()) << one.out;
  EXPECT_TRUE(config["UNROLL"].is_number());
  // A parameter that does not exist is not shown to people.
  const bool unrolls = config["VARIANT"] == "half";
  EXPECT_EQ(asked.out.find("UNROLL=") != std::string::npos, unrolls) << asked.out;

  SQLite::Database stored(database.string());
  EXPECT_EQ(
      stored.execAndGet("SELECT count(*) FROM config WHERE params LIKE '%\"VARIANT\":\"half\"%'")
          .getInt(),
      stored.execAndGet("SELECT count(*) FROM config WHERE params LIKE '%half%'").getInt());
  EXPECT_GT(stored.execAndGet("SELECT count(*) FROM config WHERE params LIKE '%half%'").getInt(),
            0);
  // One configuration for each BLOCK where UNROLL does not exist.
  EXPECT_EQ(
      stored.execAndGet("SELECT count(*) FROM config WHERE params LIKE '%\"float\"%'").getInt(), 6);
}

TEST_F(WordValues, HaveTheirTextInAnExportedHeader) {
  const std::string spec = tuned_spec();
  std::string expected;
  const ProgramResult report = gtune({"export", spec, "--format", "json"});
  const auto read = nlohmann::json::parse(report.out);
  for (const auto& variant : read["variants"]) {
    expected += variant["VARIANT"].get<std::string>() + "\n";
  }
  for (const auto& [format, file, standard, count, said] :
       {std::tuple("header", "gtune_toy.hpp", "c++17", "gtune_toy::variants",
                   "gtune_toy::word(gtune_toy::config(i).VARIANT)"),
        std::tuple("c-header", "gtune_toy.h", "c99", "gtune_toy_variants",
                   "gtune_toy_word(gtune_toy_config(i)->VARIANT)")}) {
    const ProgramResult exported =
        gtune({"export", spec, "--format", format, "-o", (folder / file).string()});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    std::ofstream(folder / "main.c")
        << "#include \"" << file
        << "\"\n#include <stdio.h>\nint main(void) {\n  for (int i = 0; i < " << count
        << "; ++i) puts(" << said << ");\n  return 0;\n}\n";
    const std::string program = (folder / "program").string();
    const ProgramResult compiled =
        run_program({GTUNE_CXX, "-x", std::string(standard).starts_with("c++") ? "c++" : "c",
                     "-std=" + std::string(standard), "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                     "-I" + folder.string(), (folder / "main.c").string(), "-o", program},
                    {});
    ASSERT_EQ(compiled.exit_code, 0) << compiled.err.substr(0, 2000);
    EXPECT_EQ(run_program({program}, {}).out, expected);
  }
}

}  // namespace
}  // namespace gtune::test
