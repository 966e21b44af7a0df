#include "jit/cubin_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "jit/compile_frames.hpp"
#include "model/error.hpp"
#include "model/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// A file descriptor that closes itself.
class File {
 public:
  File(const fs::path& path, int flags) : m_file(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~File() {
    if (m_file >= 0) close(m_file);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int get() const { return m_file; }

 private:
  int m_file;
};

/// Over everything but the digest itself.
std::string digest_of(const Frame& frame) {
  nlohmann::json header = frame.header;
  header.erase("digest");
  std::string all = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  all.append(reinterpret_cast<const char*>(frame.blob.data()), frame.blob.size());
  return hex_digest(all);
}

std::uint64_t mebibytes(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value > std::uint64_t{1} << 40) {
    throw UserError(ExitCode::usage,
                    "GTUNE_CACHE_MIB=" + text + ": expected a whole number of MiB, such as 1024");
  }
  return value;
}

fs::path environment_path(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

}  // namespace

CubinCacheOptions CubinCacheOptions::from_environment() {
  CubinCacheOptions options;
  if (const fs::path mib = environment_path("GTUNE_CACHE_MIB"); !mib.empty()) {
    options.most_bytes = mebibytes(mib) << 20;
  }
  const fs::path named = environment_path("GTUNE_CACHE");
  if (named == "off") return options;
  if (!named.empty()) {
    options.folder = named;
  } else if (const fs::path xdg = environment_path("XDG_CACHE_HOME"); !xdg.empty()) {
    options.folder = xdg / "gtune" / "cubin";
  } else if (const fs::path home = environment_path("HOME"); !home.empty()) {
    options.folder = home / ".cache" / "gtune" / "cubin";
  }
  return options;
}

CubinCache::CubinCache(CubinCacheOptions options) : m_options(std::move(options)) {
  if (m_options.folder.empty()) return;
  std::error_code error;
  fs::create_directories(m_options.folder, error);
  m_enabled = access(m_options.folder.c_str(), R_OK | W_OK | X_OK) == 0;
  if (m_enabled) shrink();
}

fs::path CubinCache::file_of(const std::string& key) const {
  return m_options.folder / (key + ".cubin");
}

std::optional<CompileResult> CubinCache::find(const std::string& key) {
  if (!m_enabled) return std::nullopt;
  const fs::path path = file_of(key);
  const File file(path, O_RDONLY);
  if (file.get() < 0) return std::nullopt;
  try {
    auto frame = read_frame(file.get(), std::nullopt);
    if (!frame || frame->header.value("digest", "") != digest_of(*frame)) {
      throw FrameError(FrameError::Kind::garbage, "damaged");
    }
    CompileResult result = compile_result_from(std::move(*frame));
    result.from_cache = true;
    result.compile_ms = 0;
    futimens(file.get(), nullptr);  // recently used
    return result;
  } catch (const FrameError&) {
    std::error_code ignored;
    fs::remove(path, ignored);
    return std::nullopt;
  }
}

void CubinCache::store(const std::string& key, const CompileResult& result) {
  if (!m_enabled) return;
  static std::atomic<unsigned> draft_number = 0;
  const fs::path draft = m_options.folder / (key + "." + std::to_string(getpid()) + "." +
                                             std::to_string(draft_number++) + ".tmp");
  std::error_code error;
  try {
    const File file(draft, O_WRONLY | O_CREAT | O_EXCL);
    if (file.get() < 0) {
      m_enabled = false;
      return;
    }
    Frame frame = to_frame(result);
    frame.header["digest"] = digest_of(frame);
    write_frame(file.get(), frame);
  } catch (const FrameError&) {  // the disk is full
    fs::remove(draft, error);
    m_enabled = false;
    return;
  }
  fs::rename(draft, file_of(key), error);
  if (error) fs::remove(draft, error);
  // A look at the whole folder only now and then.
  m_written += result.cubin.size();
  if (m_written.load() > m_options.most_bytes / 16) shrink();
}

void CubinCache::shrink() {
  m_written = 0;
  struct Entry {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(m_options.folder, error)) {
    // Another process may remove a file between the listing and the look at it.
    const auto bytes = item.file_size(error);
    if (error) continue;
    const auto used = item.last_write_time(error);
    if (error) continue;
    entries.push_back({used, bytes, item.path()});
    total += bytes;
  }
  if (total <= m_options.most_bytes) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  // Down to three quarters, so that the next file does not start it all again.
  for (const Entry& entry : entries) {
    if (total <= m_options.most_bytes / 4 * 3) break;
    fs::remove(entry.path, error);
    total -= entry.bytes;
  }
}

}  // namespace gtune
