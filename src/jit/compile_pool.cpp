#include "jit/compile_pool.hpp"

#include <algorithm>
#include <memory>

#include "model/error.hpp"
#include "system/hash.hpp"
#include "system/side_by_side.hpp"
#include "system/start_thread.hpp"

namespace gtune {
namespace {

/// Digest of everything that a compile's result depends on.
std::string cache_key(const KernelRequest& request, const std::string& nvrtc_version) {
  std::string all = nvrtc_version;
  if (!request.nvcc_version.empty()) {
    all += '\0' + request.nvcc_version + '\0' + request.compile.nvcc;
  }
  for (const std::string* part :
       {&*request.includes_digest, &request.compile.source_name, &request.compile.folder}) {
    all += '\0' + *part;
  }
  all += '\0' + std::to_string(request.compile.entries.size());
  for (const std::string& entry : request.compile.entries) all += '\0' + entry;
  for (const std::string& option : request.compile.options) all += '\0' + option;
  return hex_digest(all + '\0' + request.compile.source);
}

}  // namespace

CompilePool::CompilePool(PoolOptions options) : m_options(std::move(options)) {
  const std::size_t count = m_options.threads > 0 ? m_options.threads : hardware_threads();
  for (std::size_t i = 0; i < count; ++i) {
    m_compilers.push_back(
        std::make_unique<CompilerClient>(m_options.compiler_command, m_options.compile_limit));
  }
  try {
    for (std::size_t i = 0; i < count; ++i) {
      m_threads.push_back(start_thread<std::thread>([this, i] { work(i); }));
    }
  } catch (...) {  // the destructor does not run after an exception
    end();
    throw;
  }
}

CompilePool::~CompilePool() { end(); }

void CompilePool::end() {
  {
    const std::scoped_lock lock(m_mutex);
    m_stopping = true;
    m_jobs.clear();
    m_ahead.clear();
    m_waiting.clear();
  }
  m_job_added.notify_all();
  for (const auto& compiler : m_compilers) compiler->interrupt();
  for (std::thread& thread : m_threads) thread.join();
}

std::uint64_t CompilePool::submit(KernelRequest request) {
  const std::scoped_lock lock(m_mutex);
  const std::uint64_t ticket = m_next_ticket++;
  m_jobs.push_back({ticket, std::move(request)});
  m_job_added.notify_one();
  return ticket;
}

std::optional<CompilePool::Finished> CompilePool::wait_next(std::chrono::milliseconds limit) {
  std::unique_lock lock(m_mutex);
  if (!m_job_finished.wait_for(lock, limit, [this] { return !m_finished.empty(); })) {
    return std::nullopt;
  }
  Finished finished = std::move(m_finished.front());
  m_finished.pop_front();
  if (finished.failure) std::rethrow_exception(finished.failure);
  return finished;
}

void CompilePool::cancel_pending() {
  const std::scoped_lock lock(m_mutex);
  m_jobs.clear();
  m_waiting.clear();
}

void CompilePool::compile_ahead(std::vector<KernelRequest> requests) {
  if (m_options.cache == nullptr || !m_options.cache->enabled()) return;
  const std::scoped_lock lock(m_mutex);
  m_ahead.clear();
  for (KernelRequest& request : requests) m_ahead.push_back({std::nullopt, std::move(request)});
  m_job_added.notify_all();
}

std::optional<CompilePool::Job> CompilePool::take_job() {
  std::unique_lock lock(m_mutex);
  m_job_added.wait(lock, [this] { return m_stopping || !m_jobs.empty() || !m_ahead.empty(); });
  if (m_stopping) return std::nullopt;
  std::deque<Job>& first = m_jobs.empty() ? m_ahead : m_jobs;
  Job job = std::move(first.front());
  first.pop_front();
  return job;
}

void CompilePool::work(std::size_t slot) {
  while (auto job = take_job()) run(*job, slot);
}

bool CompilePool::claim_or_set_aside(Job& job) {
  if (job.key.empty()) return true;
  const std::scoped_lock lock(m_mutex);
  const bool is_free = m_keys.insert(job.key).second;
  job.owns_key = is_free;
  if (!is_free && job.ticket) m_waiting.emplace(job.key, std::move(job));
  return is_free;
}

void CompilePool::release_key(const std::string& key) {
  const std::scoped_lock lock(m_mutex);
  m_keys.erase(key);
  const auto [first, last] = m_waiting.equal_range(key);
  if (first == last) return;
  for (auto it = last; it != first;) {
    --it;
    it->second.has_waited = true;
    m_jobs.push_front(std::move(it->second));
  }
  m_waiting.erase(first, last);
  m_job_added.notify_all();
}

void CompilePool::run(Job& job, std::size_t slot) {
  Finished finished{0, {}, slot, std::chrono::steady_clock::now(), {}, nullptr};
  try {
    const bool is_cached = m_options.cache != nullptr && m_options.cache->enabled() &&
                           job.request.includes_digest.has_value();
    if (is_cached && job.key.empty()) job.key = cache_key(job.request, m_options.nvrtc_version);
    // What a job has waited for is in the cache, unless a compiler was lost.
    auto result = job.has_waited ? find(job) : std::nullopt;
    if (!result && !claim_or_set_aside(job)) return;
    if (!result) result = find(job);
    finished.result =
        result ? std::move(*result) : compile(*m_compilers[slot], job.request, job.key);
  } catch (...) {  // a changed include, or out of memory: ends the run with one line
    finished.failure = std::current_exception();
  }
  if (job.owns_key) release_key(job.key);
  if (job.ticket) {
    finished.ticket = *job.ticket;
    finish(std::move(finished));
  } else if (m_options.on_compiled_ahead && !finished.result.from_cache) {
    finished.end = std::chrono::steady_clock::now();
    m_options.on_compiled_ahead(finished, job.request.compile);
  }
}

void CompilePool::finish(Finished finished) {
  finished.end = std::chrono::steady_clock::now();
  {
    const std::scoped_lock lock(m_mutex);
    m_finished.push_back(std::move(finished));
    m_job_finished.notify_one();
  }
  if (m_options.on_finished) m_options.on_finished();
}

std::optional<CompileResult> CompilePool::find(const Job& job) const {
  if (job.key.empty()) return std::nullopt;
  auto cached = m_options.cache->find(job.key);
  return cached && cached->fits(job.request.compile) ? std::move(cached) : std::nullopt;
}

/// `cache_key`: empty if the result is not cached.
CompileResult CompilePool::compile(CompilerClient& compiler, const KernelRequest& request,
                                   const std::string& cache_key) const {
  bool lost = false;
  CompileResult result = compiler.compile(request.compile, lost);
  if (const auto changed = request.includes ? request.includes->changed() : std::nullopt) {
    // The result may mix both versions of the file.
    throw UserError(ExitCode::failed,
                    changed->string() + ": changed while it was being compiled; run it again");
  }
  // Mistakes in the source are cached too, since they are deterministic. A crash may not be.
  if (!cache_key.empty() && !lost) m_options.cache->store(cache_key, result);
  return result;
}

}  // namespace gtune
