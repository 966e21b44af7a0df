#include "worker/recording.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "model/error.hpp"
#include "model/json.hpp"
#include "support/gzip_file.hpp"
#include "support/some_lines.hpp"
#include "support/temporary_folder.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::some_recording;
using test::TemporaryFolder;
using test::write_gzipped;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() : m_file(m_folder.path() / "copy.jsonl") {}

  Recording round_trip(const Recording& recording) {
    write_recording(recording, m_file);
    return read_recording(m_file);
  }

  std::vector<std::string> lines() {
    std::ifstream in(m_file);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

  void write_lines(const std::vector<std::string>& all) {
    std::ofstream out(m_file);
    for (const std::string& line : all) out << line << '\n';
  }

  /// The error of reading the file.
  std::string complaint() {
    try {
      (void)read_recording(m_file);
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), fs::exists(m_file) ? ExitCode::failed : ExitCode::usage);
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "it was read";
    return "";
  }

  TemporaryFolder m_folder;
  fs::path m_file;
};

TEST_F(RecordingTest, WhatItWasMadeOfComesBack) {
  Recording sent = some_recording();
  sent.mode.order = LaunchOrder::warm;
  const Recording back = round_trip(sent);
  EXPECT_EQ(json(back.kernel), json(sent.kernel));
  EXPECT_EQ(json(back.toolchain), json(sent.toolchain));
  EXPECT_EQ(json(back.device), json(sent.device));
  EXPECT_EQ(back.problem, sent.problem);
  EXPECT_FALSE(back.mode.flushes_l2());
  EXPECT_EQ(back.created, sent.created);
  EXPECT_EQ(back.command, sent.command);
  EXPECT_FALSE(back.measurements.at(0).measurement.timing->mode.flushes_l2());
}

TEST_F(RecordingTest, AMeasurementComesBackWithAllThatIsKnownOfIt) {
  const Recording back = round_trip(some_recording());
  ASSERT_EQ(back.measurements.size(), 5U);
  const RecordedMeasurement& full = back.measurements[0];
  EXPECT_EQ(full.measurement.config.text(), "A=1,B=2");
  EXPECT_EQ(full.measurement.phase, Phase::search);
  EXPECT_EQ(full.measurement.status, Status::ok);
  EXPECT_EQ(full.measurement.compile_ms, 12.5);
  EXPECT_EQ(full.measurement.gpu_ms, 30);
  EXPECT_EQ(full.measurement.max_error, 0.25);
  ASSERT_TRUE(full.measurement.resources);
  EXPECT_EQ(json(*full.measurement.resources), json(test::some_resources()));
  ASSERT_TRUE(full.measurement.timing);
  EXPECT_EQ(full.measurement.timing->samples_ms, test::ten_samples);
  EXPECT_EQ(json(full.metrics), json(some_recording().measurements[0].metrics));
  EXPECT_EQ(full.measurement.timing->median_ms, 3.25);
  EXPECT_EQ(full.measurement.timing->sm_clock_mhz, 1980);
  EXPECT_EQ(full.measurement.timing->throttled_samples, 3);
  EXPECT_TRUE(full.measurement.timing->mode.flushes_l2());
  EXPECT_EQ(full.passed_awkward, true);
}

TEST_F(RecordingTest, SourceLinesComeBackAndImpossibleOnesAreRefused) {
  Recording sent = some_recording();
  sent.measurements[0].lines = test::some_lines();
  const Recording back = round_trip(sent);
  ASSERT_TRUE(back.measurements[0].lines);
  EXPECT_EQ(json(*back.measurements[0].lines), json(test::some_lines()));
  EXPECT_FALSE(back.measurements[1].lines);
  sent.measurements[0].lines->samples = 1;
  EXPECT_THROW((void)round_trip(sent), UserError);
}

TEST_F(RecordingTest, WhatIsNotKnownStaysSo) {
  const Recording back = round_trip(some_recording());
  EXPECT_EQ(back.measurements.at(1).passed_awkward, false);
  const RecordedMeasurement& bare = back.measurements.at(2);
  EXPECT_FALSE(bare.passed_awkward);
  EXPECT_TRUE(bare.metrics.empty());
  EXPECT_FALSE(bare.measurement.max_error);
  EXPECT_FALSE(bare.measurement.resources);
  EXPECT_FALSE(bare.measurement.timing->sm_clock_mhz);
  EXPECT_EQ(bare.measurement.compile_ms, 0);
}

TEST_F(RecordingTest, FailuresAndBaselinesComeBack) {
  const Recording back = round_trip(some_recording());
  const Measurement& failure = back.measurements.at(3).measurement;
  EXPECT_EQ(failure.config.text(), "A=2,B=2");
  EXPECT_EQ(failure.status, Status::wrong_result);
  EXPECT_EQ(failure.reason, "out[3] is 1, not 2");
  EXPECT_FALSE(failure.timing);
  const Measurement& baseline = back.measurements.at(4).measurement;
  EXPECT_EQ(baseline.phase, Phase::baseline);
  EXPECT_EQ(baseline.label, "naive");
  EXPECT_TRUE(baseline.config.empty());
  EXPECT_EQ(baseline.timing->samples_ms, (std::vector{7.0, 8.0, 9.0}));
}

TEST_F(RecordingTest, LinesWithoutAKindAreReadAsBefore) {
  write_recording(some_recording(), m_file);
  std::vector<std::string> old = lines();
  std::size_t with_kind = 0;
  for (std::string& line : old) {
    json parsed = json::parse(line);
    with_kind += parsed.erase("kind");
    line = parsed.dump();
  }
  EXPECT_EQ(with_kind, 5U);
  write_lines(old);
  const Recording back = read_recording(m_file);
  ASSERT_EQ(back.measurements.size(), 5U);
  EXPECT_EQ(back.measurements[0].measurement.phase, Phase::search);
  EXPECT_EQ(back.measurements[0].measurement.config.text(), "A=1,B=2");
  EXPECT_EQ(back.measurements[4].measurement.phase, Phase::baseline);
  EXPECT_EQ(back.measurements[4].measurement.label, "naive");
}

TEST_F(RecordingTest, ABundledOneFromBeforeLinesHadAKindIsRead) {
  const fs::path bundled = fs::path(GTUNE_SOURCE_DIR) / "db/recordings/copy-1GiB-h200.jsonl";
  std::ifstream in(bundled);
  std::string line;
  std::size_t count = 0;
  for (; std::getline(in, line); ++count) EXPECT_FALSE(json::parse(line).contains("kind"));
  const Recording recording = read_recording(bundled);
  EXPECT_EQ(recording.measurements.size(), count - 1);
}

TEST_F(RecordingTest, AGzippedOneIsReadAsTheSame) {
  write_recording(some_recording(), m_file);
  const fs::path packed = m_folder.path() / "packed";
  fs::create_directory(packed);
  std::ifstream in(m_file);
  write_gzipped(packed / "copy.jsonl.gz", {std::istreambuf_iterator<char>(in), {}});
  const std::vector<Recording> read = read_recordings(packed);
  ASSERT_EQ(read.size(), 1U);
  write_recording(read[0], packed / "back.jsonl");
  m_file = packed / "back.jsonl";
  const std::vector<std::string> back = lines();
  m_file = m_folder.path() / "copy.jsonl";
  EXPECT_EQ(back, lines());
}

TEST_F(RecordingTest, ALineIsOfTheKindThatItNames) {
  write_recording(some_recording(), m_file);
  const std::vector<std::string> good = lines();
  json configuration = json::parse(good[1]);
  configuration["baseline"] = "no baseline";
  write_lines({good[0], configuration.dump()});
  EXPECT_EQ(read_recording(m_file).measurements.at(0).measurement.phase, Phase::search);
  configuration["kind"] = "fable";
  write_lines({good[0], configuration.dump()});
  const std::string said = complaint();
  EXPECT_NE(said.find(":2: not a line of a gtune recording: no kind of line: 'fable'"),
            std::string::npos)
      << said;
}

TEST_F(RecordingTest, SamplesAreKeptToTheNanosecond) {
  Recording recording = some_recording();
  recording.measurements = {test::recorded_ok({{"A", 1}, {"B", 1}}, {0.123456789, 1000.0000014})};
  const auto back = round_trip(recording).measurements.at(0).measurement.timing->samples_ms;
  EXPECT_DOUBLE_EQ(back.at(0), 0.123457);
  EXPECT_DOUBLE_EQ(back.at(1), 1000.000001);
}

TEST_F(RecordingTest, WhatJsonCannotSayDoesNotSpoilTheFile) {
  Recording recording = some_recording();
  // NaN in an output counts as an infinite error, and a kernel may print any bytes.
  recording.measurements = {
      test::recorded_failure({{"A", 1}, {"B", 1}}, Status::wrong_result, "it said: \xff\n{")};
  recording.measurements[0].measurement.max_error = std::numeric_limits<double>::infinity();
  const Recording back = round_trip(recording);
  EXPECT_EQ(back.measurements.at(0).measurement.reason, "it said: \xef\xbf\xbd\n{");
}

TEST_F(RecordingTest, ADamagedLineIsNamed) {
  write_recording(some_recording(), m_file);
  const std::vector<std::string> whole = lines();
  ASSERT_EQ(whole.size(), 6U);
  const std::vector<std::string> damaged = {
      "",
      "{",
      "[]",
      whole[2].substr(0, whole[2].size() / 2),  // torn
      R"({"status":"fine","gpu_ms":1,"config":[1,2]})",
      R"({"status":"ok","gpu_ms":1,"config":[1]})",
      R"({"status":"ok","gpu_ms":1,"config":["A","B"]})",
      R"({"status":"ok","gpu_ms":1})",
      R"({"status":"ok","config":[1,2]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[null]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"resources":{}})",
  };
  for (const std::string& line : damaged) {
    std::vector<std::string> all = whole;
    all[2] = line;
    write_lines(all);
    EXPECT_EQ(complaint().rfind(m_file.string() + ":3: ", 0), 0U) << line << "\n" << complaint();
  }
}

TEST_F(RecordingTest, WhatCannotHaveBeenMeasuredIsNamedWithItsLine) {
  write_recording(some_recording(), m_file);
  const std::vector<std::string> whole = lines();
  const std::vector<std::string> lies = {
      R"({"status":"ok","gpu_ms":1,"config":[1,2]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[0,0]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[1,-1]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[1e308]})",
      R"({"status":"ok","gpu_ms":1e308,"config":[1,2],"samples_ms":[1]})",
      R"({"status":"ok","gpu_ms":-1,"config":[1,2],"samples_ms":[1]})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[1],"max_error":-1})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[1],"sm_clock_mhz":-1})",
      R"({"status":"ok","gpu_ms":1,"config":[1,2],"samples_ms":[1],"metrics":[)"
      R"({"name":"ipc","value":1e308,"unit":"","reason":""}]})"};
  for (const std::string& line : lies) {
    std::vector<std::string> all = whole;
    all[2] = line;
    write_lines(all);
    EXPECT_NE(complaint().find(":3: not a line of a gtune recording: it cannot have been measured"),
              std::string::npos)
        << line << "\n"
        << complaint();
  }
  std::vector<std::string> all = whole;
  json header = json::parse(all[0]);
  header["device"]["sm_count"] = -1;
  all[0] = header.dump();
  write_lines(all);
  EXPECT_NE(complaint().find(":1: "), std::string::npos);
  all = whole;
  all[2] = R"({"zz":)" + std::string(100000, '[') + std::string(100000, ']') + "}";
  write_lines(all);
  EXPECT_NE(complaint().find(":3: not a line of a gtune recording: JSON nested deeper than 64"),
            std::string::npos);
}

TEST_F(RecordingTest, ADamagedHeaderIsNamed) {
  write_recording(some_recording(), m_file);
  std::vector<std::string> all = lines();
  json header = json::parse(all[0]);
  header["gtune_recording"] = 99;
  std::vector<std::string> damaged = {"hello", "{}", "[1]", header.dump()};
  header = json::parse(all[0]);
  header["device"].erase("sm_count");
  damaged.push_back(header.dump());
  for (const std::string& line : damaged) {
    all[0] = line;
    write_lines(all);
    EXPECT_EQ(complaint().rfind(m_file.string() + ":1: ", 0), 0U) << line << "\n" << complaint();
  }
}

TEST_F(RecordingTest, AnEmptyOrMissingFileIsNamed) {
  std::ofstream(m_file).close();
  EXPECT_NE(complaint().find(m_file.string() + ": the recording is empty"), std::string::npos);
  fs::remove(m_file);
  EXPECT_NE(complaint().find(m_file.string() + ": cannot be read: No such file or directory"),
            std::string::npos);
}

TEST_F(RecordingTest, OfAFolderTheRecordingUnlikeTheOthersIsNamed) {
  const auto complaint_about = [&](const Recording& odd) {
    // The first by name, so that it is not simply compared with the first.
    write_recording(odd, m_folder.path() / "a.jsonl");
    write_recording(some_recording(), m_folder.path() / "b.jsonl");
    write_recording(some_recording(), m_folder.path() / "c.jsonl");
    try {
      (void)read_recordings(m_folder.path());
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint_about(some_recording()), "");
  Recording odd = some_recording();
  odd.kernel.name = "other";
  EXPECT_NE(
      complaint_about(odd).find("a.jsonl: of kernel other, unlike the other recordings in its "
                                "folder: move it elsewhere"),
      std::string::npos);
  odd = some_recording();
  odd.kernel.source_hash = "another";
  EXPECT_NE(complaint_about(odd).find("of another version of"), std::string::npos);
  odd = some_recording();
  odd.device.uuid = "GPU-2";
  EXPECT_NE(complaint_about(odd).find("(GPU-2), unlike"), std::string::npos);
  odd = some_recording();
  odd.mode.streams += 1;
  EXPECT_NE(complaint_about(odd).find("of timing mode cold/2, unlike"), std::string::npos);
}

TEST_F(RecordingTest, TheHeaderIsReadWithoutTheRest) {
  write_recording(some_recording(), m_file);
  std::vector<std::string> all = lines();
  all[1] = "damaged";
  write_lines(all);
  const Recording header = read_recording_header(m_file);
  EXPECT_EQ(header.kernel.name, "copy");
  EXPECT_EQ(header.problem.text(), "n=1024");
  EXPECT_EQ(header.device.name, "NVIDIA H200");
  EXPECT_TRUE(header.measurements.empty());
}

TEST_F(RecordingTest, WritingLeavesTheFileAndNothingElse) {
  write_recording(some_recording(), m_file);
  Recording smaller = some_recording();
  smaller.measurements.resize(1);
  EXPECT_EQ(round_trip(smaller).measurements.size(), 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder.path()), {}), 1);
}

TEST_F(RecordingTest, WhereItCannotBeWrittenNothingIsLeft) {
  for (const fs::path& file : {m_folder.path() / "none" / "copy.jsonl", m_folder.path()}) {
    try {
      write_recording(some_recording(), file);
      FAIL() << file;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::failed);
      EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    }
  }
  EXPECT_TRUE(fs::is_empty(m_folder.path()));
  EXPECT_FALSE(fs::exists(m_folder.path().string() + "." + std::to_string(getpid()) + ".tmp"));
}

}  // namespace
}  // namespace gtune
