// A whole run of gtune with a lying worker: `cat` replays an honest worker's answers, changed.
// Starts processes, so it is far slower than the other targets.

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <set>

#include "../frames.hpp"
#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "../toy.hpp"
#include "cli/app.hpp"

namespace gtune::fuzz {
namespace {

namespace fs = std::filesystem;

class LyingWorkerTarget : public Target {
 public:
  LyingWorkerTarget() {
    setenv("GTUNE_WORKER_GRACE_MS", "20", 1);  // links are reopened at once
    setenv("GTUNE_CACHE", "off", 1);
    setenv("TMPDIR", m_folder.path().c_str(), 1);
    write_recording(few_toy_measurements(), m_folder.path() / "toy.jsonl");
  }

  std::vector<std::string> seeds() override {
    const fs::path said = m_folder.path() / "honest";
    const int code =
        tune(GTUNE_BINARY " worker --device replay:" + (m_folder.path() / "toy.jsonl").string() +
             " | tee " + said.string());
    std::ifstream in(said, std::ios::binary);
    std::string stream{std::istreambuf_iterator<char>(in), {}};
    require(code == 0, "an honest worker does not get through");
    require(tune_with(stream) == 0, "what an honest worker said does not get through");
    return {stream};
  }

  void run(const std::string& input) override {
    // 2: the worker replays a recording of another kernel, which the command line is to blame for.
    static const std::set<int> known = {0, 1, 2, 3, 4, 5, 130};
    const int code = tune_with(input);
    require(known.contains(code), "exit code " + std::to_string(code));
    require(code != 0 || has_possible_winner(), "a run ends well with a time that cannot be");
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_frames(input, other, random);
  }

 private:
  int tune_with(const std::string& stream) {
    return tune("cat " + m_folder.write("said", stream).string());
  }

  /// Runs gtune in this process and checks its output. Returns the exit code.
  int tune(const std::string& worker) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
      fs::remove(m_database.string() + suffix);
    }
    std::vector<std::string> words = {"gtune",
                                      "tune",
                                      GTUNE_SOURCE_DIR "/tests/cli/data/toy.toml",
                                      "--device",
                                      "none",
                                      "--worker-command",
                                      worker,
                                      "--budget",
                                      "4",
                                      "--seed",
                                      "1",
                                      "--quiet",
                                      "--db",
                                      m_database.string()};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int said = memfd_create("said", MFD_CLOEXEC);
    const int out = dup(STDOUT_FILENO);
    const int err = dup(STDERR_FILENO);
    dup2(said, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    const int code = run_app(static_cast<int>(words.size()), argv.data());
    std::fflush(nullptr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    std::string text(static_cast<std::size_t>(lseek(said, 0, SEEK_END)), '\0');
    (void)!pread(said, text.data(), text.size(), 0);
    for (const int fd : {said, out, err}) close(fd);
    require(text.find("unexpected:") == text.npos, "it says: " + text);
    require(text.find('\x1b') == text.npos, "a terminal gets commands");
    return code;
  }

  [[nodiscard]] bool has_possible_winner() const {
    SQLite::Database database(m_database.string(), SQLite::OPEN_READONLY);
    SQLite::Statement impossible(
        database,
        "SELECT count(*) FROM measurement WHERE status = 'ok' AND phase <> "
        "'baseline' AND NOT (median_ms > 0 AND median_ms < 1e15)");
    return impossible.executeStep() && impossible.getColumn(0).getInt() == 0;
  }

  ScratchFolder m_folder;
  fs::path m_database = m_folder.path() / "run.db";
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<LyingWorkerTarget>(); }

}  // namespace gtune::fuzz
