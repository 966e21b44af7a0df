#include "worker/own_allocation.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "support/build_under_test.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"
#include "system/child_process.hpp"
#include "worker/messages.hpp"
#include "worker/support.hpp"

namespace gtune {
namespace {

using namespace std::chrono_literals;
using test::EnvironmentVariable;

class MakesOwnAllocation : public testing::Test {
 protected:
  EnvironmentVariable m_job{"SLURM_JOB_ID", ""};  // wherever the test runs
  EnvironmentVariable m_old_name{"SLURM_JOBID", ""};
};

TEST_F(MakesOwnAllocation, AnSrunOutsideAnyJobDoes) {
  EXPECT_TRUE(makes_own_allocation("srun gtune worker"));
  EXPECT_TRUE(makes_own_allocation("  /usr/bin/srun --gres=gpu:1 --job-name=x gtune worker"));
}

TEST_F(MakesOwnAllocation, WhatMayUseAnotherAllocationDoesNot) {
  for (const char* launcher :
       {"", "  ", "ssh login srun gtune worker", "./srun.sh", "sbatch srun",
        "salloc srun gtune worker", "srun --jobid=5 gtune worker", "srun --jobid 5 gtune worker",
        "srun --jobi=5 gtune worker", "srun \"--jobid=5\" gtune worker",
        "srun $OPTIONS gtune worker", "srun `options` worker", "SLURM_JOB_ID=5 srun gtune worker",
        "srun true; SLURM_JOBID=5 srun gtune worker"}) {
    EXPECT_FALSE(makes_own_allocation(launcher)) << launcher;
  }
}

TEST_F(MakesOwnAllocation, AnSrunOfATunerWithinAJobDoesNot) {
  for (const char* name : {"SLURM_JOB_ID", "SLURM_JOBID"}) {
    const EnvironmentVariable job(name, "7");
    EXPECT_FALSE(makes_own_allocation("srun gtune worker")) << name;
  }
}

/// A worker in the first step of Slurm's job 4711, with a scancel that records its arguments.
class OwnAllocation : public testing::Test {
 protected:
  OwnAllocation() {
    write_recording(test::some_recording(), m_folder.path() / "copy.jsonl");
    fake_scancel("echo \"$@\" >> " + asked().string());
  }

  [[nodiscard]] std::filesystem::path asked() const { return m_folder.path() / "asked"; }

  void fake_scancel(const std::string& script) const {
    const auto file = m_folder.write("scancel", "#!/bin/sh\n" + script + "\n");
    chmod(file.c_str(), 0755);
  }

  [[nodiscard]] std::string cancelled() const {
    std::ifstream file(asked());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] static Hello greeting(bool own_allocation) {
    Hello hello;
    hello.kernel = test::some_recording().kernel;
    hello.remote = true;
    hello.silence_ms = 200;
    hello.own_allocation = own_allocation;
    return hello;
  }

  /// Runs a worker that receives nothing after this greeting; returns its standard error.
  [[nodiscard]] std::string end_of_silent(bool own_allocation) const {
    const EnvironmentVariable hang("GTUNE_FAULT", "worker:hang@hello#1");
    ChildProcess child(worker());
    write_frame(child.stdin_fd(), to_frame(greeting(own_allocation)));
    EXPECT_EQ(child.wait(), "exit code 1");
    return child.stderr_tail();
  }

  [[nodiscard]] std::vector<std::string> worker() const {
    return {test::gtune_binary(), "worker", "--device",
            "replay:" + (m_folder.path() / "copy.jsonl").string()};
  }

  test::TemporaryFolder m_folder;
  EnvironmentVariable m_path{"PATH", m_folder.path().string() + ":" + std::getenv("PATH")};
  EnvironmentVariable m_job{"SLURM_JOB_ID", "4711"};
  EnvironmentVariable m_step{"SLURM_STEP_ID", "0"};
  EnvironmentVariable m_het{"SLURM_HET_SIZE", ""};
};

TEST_F(OwnAllocation, IsCancelledWhenTheTunerIsSilent) {
  const std::string said = end_of_silent(true);
  EXPECT_EQ(cancelled(), "4711\n");
  EXPECT_NE(said.find("nothing was heard of the tuner"), std::string::npos) << said;
  EXPECT_NE(said.find("Slurm job 4711 is cancelled"), std::string::npos) << said;
}

TEST_F(OwnAllocation, OfTheUserIsNotCancelled) {
  const std::string said = end_of_silent(false);
  EXPECT_EQ(cancelled(), "");
  EXPECT_EQ(said.find("4711"), std::string::npos) << said;
}

TEST_F(OwnAllocation, IsNotCancelledAtANormalEnd) {
  ChildProcess child(worker());
  Hello hello = greeting(true);
  hello.silence_ms = 60000;
  write_frame(child.stdin_fd(), to_frame(hello));
  ASSERT_TRUE(read_frame(child.stdout_fd(), FrameDeadline::after_silence(20s)));
  EXPECT_EQ(child.end({20s, 20s}), "exit code 0");
  EXPECT_EQ(cancelled(), "");
}

TEST_F(OwnAllocation, IsCancelledOnlyIfItsNumberIsOne) {
  for (const char* id : {"", "all", "-u root", "12x", "-1", "4711_1", "4711+1", "12345678901"}) {
    const EnvironmentVariable job("SLURM_JOB_ID", id);
    static_cast<void>(end_of_silent(true));
    EXPECT_EQ(cancelled(), "") << id;
  }
}

TEST_F(OwnAllocation, IsNotCancelledByALaterStepNorInAHeterogeneousJob) {
  for (const char* step : {"", "1"}) {
    const EnvironmentVariable later("SLURM_STEP_ID", step);
    static_cast<void>(end_of_silent(true));
    EXPECT_EQ(cancelled(), "") << step;
  }
  const EnvironmentVariable het("SLURM_HET_SIZE", "2");
  static_cast<void>(end_of_silent(true));
  EXPECT_EQ(cancelled(), "");
}

TEST_F(OwnAllocation, LetsTheWorkerSayItsLastWordThoughItsJobGetsSigterm) {
  fake_scancel("kill -TERM $PPID; sleep 0.3");
  EXPECT_NE(end_of_silent(true).find("job 4711 is cancelled"), std::string::npos);
}

TEST_F(OwnAllocation, IsNotWaitedForLongerThanElevenSeconds) {
  fake_scancel("exec sleep 100");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(end_of_silent(true).find("scancel 4711 failed"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_F(OwnAllocation, AFailingScancelIsQuoted) {
  fake_scancel("echo 'scancel: error: no luck' >&2; exit 1");
  const std::string said = end_of_silent(true);
  EXPECT_NE(said.find("(exit code 1): scancel: error: no luck"), std::string::npos) << said;
}

}  // namespace
}  // namespace gtune
