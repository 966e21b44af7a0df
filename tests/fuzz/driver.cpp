// The main program of every fuzz target. A child process runs the inputs; if one crashes, hangs or
// takes too much memory, the parent names and saves it and continues after it.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "driver_options.hpp"
#include "input_source.hpp"
#include "progress.hpp"
#include "system/hash.hpp"
#include "target.hpp"

#if defined(GTUNE_SANITIZED)
#include <sanitizer/lsan_interface.h>
#endif

// The program sets the sanitizers' options; the environment does not matter.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "detect_leaks=1:leak_check_at_exit=0:allocator_may_return_null=0:"
         "max_allocation_size_mb=2048:handle_abort=1:"
         // SQLite and nlohmann allocate a lot. A quarantine that fits the processor's cache saves a
         // third of the time. To see where memory came from, repeat a fault with
         // ASAN_OPTIONS=malloc_context_size=30.
         "quarantine_size_mb=1:thread_local_quarantine_size_kb=16:malloc_context_size=0:"
         "max_malloc_fill_size=0";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "print_stacktrace=1"; }

namespace gtune::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

/// Limits of an input: CPU time and time asleep.
constexpr double hang_cpu_s = 10;
constexpr double hang_sleep_s = 60;
constexpr std::uint64_t most_memory = std::uint64_t{2} << 30;
constexpr int most_faults = 20;
constexpr int fault_exit = 99;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double cpu_seconds_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

bool has_leaks() {
#if defined(GTUNE_SANITIZED)
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

/// Seconds that a process has slept in its current input. Waiting for a processor does not count as
/// sleep, so a busy machine causes no hangs.
class SleepClock {
 public:
  explicit SleepClock(pid_t process) : m_file("/proc/" + std::to_string(process) + "/stat") {}

  /// Must be called often. `input` is the number of the current input.
  double seconds(std::uint64_t input) {
    const double passed = seconds_since(std::exchange(m_last, Clock::now()));
    if (std::exchange(m_input, input) != input) m_seconds = 0;
    if (is_asleep()) m_seconds += passed;
    return m_seconds;
  }

 private:
  [[nodiscard]] bool is_asleep() const {
    std::ifstream in(m_file);
    std::string id;
    std::string name;
    char state = 'R';
    in >> id >> name >> state;
    return state != 'R';
  }

  std::string m_file;
  Clock::time_point m_last = Clock::now();
  std::uint64_t m_input = 0;
  double m_seconds = 0;
};

class Driver {
 public:
  explicit Driver(DriverOptions options) : m_options(std::move(options)) {}

  /// Returns an exit code.
  int run() {
    sigset_t child_ends;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, nullptr);
    while (!m_finished && m_faults < most_faults) run_child();
    std::printf("%-20s %10llu inputs %9.1f s %9.1f CPU-s %4d faults\n", m_options.name.c_str(),
                static_cast<unsigned long long>(m_next), seconds_since(m_start),
                cpu_seconds_of_children(), m_faults);
    return m_faults == 0 ? 0 : 1;
  }

 private:
  void work() {
    Progress& progress = Progress::shared();
    auto target = make_target();
    const InputSource source(m_options.corpus, *target, m_options.seed);
    const std::uint64_t end = source.corpus_size() + m_options.inputs;
    std::uint64_t number = m_next;
    for (; number < end; ++number) {
      const bool in_time = m_options.seconds <= 0 || seconds_since(m_start) < m_options.seconds;
      if (!in_time && number >= source.corpus_size()) break;
      progress.begin(number);
      const std::string input = source.input(number);
      progress.set_input(input);
      try {
        run_checked(*target, input);
      } catch (const Fault& fault) {
        progress.set_fault(fault.what());
        _exit(fault_exit);
      }
    }
    target.reset();
    if (has_leaks()) {
      progress.set_fault("memory that nobody frees, of one of the inputs so far");
      _exit(fault_exit);
    }
    progress.finish(number);
    _exit(0);
  }

  void run_child() {
    Progress& progress = Progress::shared();
    progress.clear();
    std::FILE* report = std::tmpfile();
    const pid_t child = fork();
    if (child == 0) {
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, nullptr);
      dup2(fileno(report), STDERR_FILENO);
      dup2(fileno(report), STDOUT_FILENO);
      try {
        work();
      } catch (const std::exception& error) {
        progress.set_fault(std::string("before any input: ") + error.what());
      }
      _exit(fault_exit);
    }
    const std::string end = watch(child, progress);
    if (end.empty()) {
      m_next = progress.number();
      m_finished = true;
    } else {
      report_fault(progress, end, report);
      m_next = progress.number() + 1;
    }
    std::fclose(report);
  }

  /// Why the child ended; empty if it ran all its inputs.
  static std::string watch(pid_t child, const Progress& progress) {
    sigset_t child_ends;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    std::string killed_for;
    SleepClock sleep(child);
    for (;;) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) {
        if (!killed_for.empty()) return killed_for;
        if (progress.finished()) return "";
        if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
        return WEXITSTATUS(status) == fault_exit
                   ? progress.fault()
                   : "exit code " + std::to_string(WEXITSTATUS(status));
      }
      if (progress.cpu_seconds(child) > hang_cpu_s) killed_for = "hangs: 10 s of CPU time";
      if (sleep.seconds(progress.number()) > hang_sleep_s) killed_for = "hangs: asleep for 60 s";
      if (memory_of(child) > most_memory) killed_for = "takes more than 2 GiB of memory";
      if (!killed_for.empty()) kill(child, SIGKILL);
      const timespec wait{0, 100'000'000};
      sigtimedwait(&child_ends, nullptr, &wait);
    }
  }

  static std::uint64_t memory_of(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/statm");
    std::uint64_t pages = 0;
    std::uint64_t resident = 0;
    in >> pages >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  void report_fault(const Progress& progress, const std::string& end, std::FILE* report) {
    ++m_faults;
    const std::string input = progress.input();
    const std::filesystem::path file =
        m_options.faults / ("fault-" + m_options.name + "-" + hex_digest(input).substr(0, 12));
    std::filesystem::create_directories(m_options.faults);
    std::ofstream(file, std::ios::binary) << input;
    std::printf("%s: input %llu of seed %llu: %s\n  saved as %s\n%s", m_options.name.c_str(),
                static_cast<unsigned long long>(progress.number()),
                static_cast<unsigned long long>(m_options.seed), end.c_str(), file.c_str(),
                beginning_of(report).c_str());
    std::fflush(stdout);
  }

  /// The important lines of the child's output: a sanitizer's report is long.
  static std::string beginning_of(std::FILE* report) {
    constexpr int most_lines = 30;
    std::string lines;
    char line[400];
    std::rewind(report);
    bool found = false;
    for (int count = 0; count < most_lines && std::fgets(line, sizeof line, report) != nullptr;) {
      const std::string text = line;
      found = found || text.find("ERROR: ") != text.npos ||
              text.find("runtime error") != text.npos || text.find("terminate") != text.npos;
      if (!found) continue;
      lines += "    " + text;
      ++count;
    }
    return lines;
  }

  DriverOptions m_options;
  Clock::time_point m_start = Clock::now();
  std::uint64_t m_next = 0;
  int m_faults = 0;
  bool m_finished = false;
};

}  // namespace
}  // namespace gtune::fuzz

int main(int argc, char** argv) {
  try {
    return gtune::fuzz::Driver(gtune::fuzz::driver_options(argc, argv)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}
