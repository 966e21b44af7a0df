#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "jit/compiler_client.hpp"
#include "jit/cubin_cache.hpp"
#include "jit/kernel_request.hpp"

namespace gtune {

struct FinishedCompile {
  std::uint64_t ticket = 0;
  CompileResult result;
  std::size_t slot = 0;  // index of the compiler
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  std::exception_ptr failure;  // thrown by wait_next
};

struct PoolOptions {
  std::size_t threads = 0;                    // 0: one per core
  std::vector<std::string> compiler_command;  // argv of a compiler process
  std::chrono::milliseconds compile_limit = std::chrono::seconds(120);
  CubinCache* cache = nullptr;        // may be null
  std::string nvrtc_version;          // part of the cache's keys
  std::function<void()> on_finished;  // called by a pool thread for each result; may be empty
  /// Called by a pool thread after each compile that was done ahead; may be empty.
  std::function<void(const FinishedCompile&, const CompileRequest&)> on_compiled_ahead;
};

/// Compiles in the background on several compiler processes. Compiles start in order of submission,
/// but a job whose kernel is already being compiled is set aside until that compile ends. Results
/// arrive in order of completion.
class CompilePool {
 public:
  using Finished = FinishedCompile;

  explicit CompilePool(PoolOptions options);
  /// Kills running compiles.
  ~CompilePool();
  CompilePool(const CompilePool&) = delete;
  CompilePool& operator=(const CompilePool&) = delete;

  /// Returns the ticket of the future result.
  std::uint64_t submit(KernelRequest request);
  /// Absent if no result arrives in time. Rethrows a job's exception: UserError if a file that the
  /// source includes changed during the compile.
  [[nodiscard]] std::optional<Finished> wait_next(std::chrono::milliseconds limit);
  /// Drops jobs that have not started. Results of running jobs may still arrive.
  void cancel_pending();
  /// Fills the cache while no submitted job waits. Replaces what was given before and has not
  /// started. Failures are left to be found when the kernel is submitted. Without a cache, does
  /// nothing.
  void compile_ahead(std::vector<KernelRequest> requests);
  [[nodiscard]] std::size_t threads() const { return m_threads.size(); }

 private:
  struct Job {
    std::optional<std::uint64_t> ticket;  // absent: ahead, so nobody waits for the result
    KernelRequest request;
    std::string key = {};     // of the cache; empty: not known yet, or the result is not cached
    bool owns_key = false;    // other jobs with this key wait
    bool has_waited = false;  // for another compile of its key, which has ended
  };

  void work(std::size_t slot);
  void end();
  [[nodiscard]] std::optional<Job> take_job();
  /// Whether the job may start. Otherwise a submitted job waits for its key, and a job ahead is
  /// dropped: it has nothing left to do.
  [[nodiscard]] bool claim_or_set_aside(Job& job);
  void release_key(const std::string& key);
  void run(Job& job, std::size_t slot);
  void finish(Finished finished);
  /// Its result in the cache.
  [[nodiscard]] std::optional<CompileResult> find(const Job& job) const;
  [[nodiscard]] CompileResult compile(CompilerClient& compiler, const KernelRequest& request,
                                      const std::string& cache_key) const;

  PoolOptions m_options;
  std::mutex m_mutex;
  std::condition_variable m_job_added;
  std::condition_variable m_job_finished;
  std::deque<Job> m_jobs;
  std::deque<Job> m_ahead;
  std::set<std::string> m_keys;               // of the cache, being looked up or compiled
  std::multimap<std::string, Job> m_waiting;  // for one of these; submitted ones
  std::deque<Finished> m_finished;
  std::uint64_t m_next_ticket = 1;
  bool m_stopping = false;
  std::vector<std::unique_ptr<CompilerClient>> m_compilers;
  std::vector<std::thread> m_threads;
};

}  // namespace gtune
