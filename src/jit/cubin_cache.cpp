#include "jit/cubin_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <span>
#include <vector>

#include "jit/cache_entry.hpp"
#include "model/error.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// A larger file is not a cubin.
constexpr off_t most_entry_bytes = off_t{256} << 20;
/// An older draft was abandoned by its writer.
constexpr std::time_t draft_seconds = 3600;
constexpr mode_t written_by_others = S_IWGRP | S_IWOTH;

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

/// Makes missing folders, private to this user.
void make_folders(const fs::path& folder) {
  fs::path made;
  for (const fs::path& part : folder) {
    made /= part;
    mkdir(made.c_str(), S_IRWXU);
  }
}

std::string why_refused(const fs::path& folder, const struct stat& facts) {
  const std::string begin =
      "the cubin cache " + folder.string() + " is not used, since its contents run on the GPU: ";
  if (facts.st_uid != geteuid()) {
    return begin + "it belongs to another user; name a folder of your own in GTUNE_CACHE";
  }
  if ((facts.st_mode & written_by_others) != 0) {
    return begin + "others can write to it; chmod go-w it, or name another folder in GTUNE_CACHE";
  }
  return "";
}

bool is_own_file(const struct stat& facts) {
  return S_ISREG(facts.st_mode) && facts.st_uid == geteuid();
}

/// Opens a file of the cache without waiting for a pipe or following a link. The descriptor is
/// empty if there is no regular file of this user.
FileDescriptor open_own(int folder, const std::string& name, struct stat& facts) {
  FileDescriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() >= 0 && (fstat(file.get(), &facts) != 0 || !is_own_file(facts))) file.reset();
  return file;
}

/// Reads at most this many bytes; fewer if the file ends or cannot be read.
std::vector<std::byte> read_bytes(int file, std::size_t most) {
  std::vector<std::byte> bytes(most);
  std::size_t length = 0;
  while (length < most) {
    const ssize_t count = read(file, bytes.data() + length, most - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += static_cast<std::size_t>(count);
  }
  bytes.resize(length);
  return bytes;
}

bool write_bytes(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

/// Whether the contents begin like an entry. They may be shorter than its mark.
bool begins_as_entry(std::span<const std::byte> contents) {
  const auto mark = std::as_bytes(std::span(cache_entry_mark));
  const std::size_t length = std::min(mark.size(), contents.size());
  return std::equal(mark.begin(), mark.begin() + static_cast<std::ptrdiff_t>(length),
                    contents.begin());
}

bool is_gtunes(int folder, const std::string& name) {
  struct stat facts {};
  const FileDescriptor file = open_own(folder, name, facts);
  return file.get() >= 0 && begins_as_entry(read_bytes(file.get(), cache_entry_mark.size()));
}

/// A file name for any key.
std::string stem_of(const std::string& key) { return hex_digest(key); }

struct CacheFile {
  std::string name;
  timespec used{};
  std::uint64_t bytes = 0;
};

bool used_earlier(const CacheFile& a, const CacheFile& b) {
  return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
}

/// This user's files that are named like entries or drafts.
std::vector<CacheFile> list_files(int folder) {
  std::vector<CacheFile> files;
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(again < 0 ? nullptr : fdopendir(again), closedir);
  if (!list) return files;
  while (const dirent* item = readdir(list.get())) {
    const std::string name = item->d_name;
    struct stat facts {};
    if (!is_cache_entry_name(name) && !is_cache_draft_name(name)) continue;
    // Another process may have removed the file since it was listed.
    if (fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!is_own_file(facts)) continue;
    files.push_back({name, facts.st_mtim, static_cast<std::uint64_t>(facts.st_size)});
  }
  return files;
}

std::uint64_t total_of(const std::vector<CacheFile>& files) {
  std::uint64_t total = 0;
  for (const CacheFile& file : files) total += file.bytes;
  return total;
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
  make_folders(m_options.folder);
  m_folder = FileDescriptor(open(m_options.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat facts {};
  if (m_folder.get() < 0 || fstat(m_folder.get(), &facts) != 0) return;
  m_refusal = why_refused(m_options.folder, facts);
  m_enabled = m_refusal.empty() && faccessat(m_folder.get(), ".", R_OK | W_OK | X_OK, 0) == 0;
  if (m_enabled) shrink();
}

std::optional<CompileResult> CubinCache::find(const std::string& key) {
  if (!m_enabled) return std::nullopt;
  const std::string name = stem_of(key) + ".cubin";
  struct stat facts {};
  const FileDescriptor file = open_own(m_folder.get(), name, facts);
  const bool trusted = file.get() >= 0 && (facts.st_mode & written_by_others) == 0;
  if (!trusted || facts.st_size > most_entry_bytes) return std::nullopt;
  const auto bytes = read_bytes(file.get(), static_cast<std::size_t>(facts.st_size));
  auto result = from_cache_entry(key, bytes);
  if (!result) {
    if (begins_as_entry(bytes)) remove(name);
    return std::nullopt;
  }
  result->from_cache = true;
  result->compile_ms = 0;
  futimens(file.get(), nullptr);  // marks it as recently used
  return result;
}

void CubinCache::store(const std::string& key, const CompileResult& result) {
  if (!m_enabled) return;
  static std::atomic<unsigned> draft_number = 0;
  const std::string name = stem_of(key) + ".cubin";
  const std::string draft =
      stem_of(key) + "." + std::to_string(getpid()) + "." + std::to_string(draft_number++) + ".tmp";
  const std::vector<std::byte> entry = to_cache_entry(key, result);
  FileDescriptor file(openat(m_folder.get(), draft.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             S_IRUSR | S_IWUSR));
  if (file.get() < 0) {
    // A draft left by an earlier process with the same ID does not disable the cache.
    if (errno != EEXIST) m_enabled = false;
    return;
  }
  if (!write_bytes(file.get(), entry)) {  // the disk is full
    remove(draft);
    m_enabled = false;
    return;
  }
  struct stat facts {};
  const bool taken = fstatat(m_folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
                     !is_own_file(facts);
  if (taken || renameat(m_folder.get(), draft.c_str(), m_folder.get(), name.c_str()) != 0) {
    remove(draft);
  }
  // Lists the whole folder only occasionally.
  m_written += entry.size();
  if (m_written.load() > m_options.most_bytes / 16) shrink();
}

void CubinCache::remove(const std::string& name) const {
  unlinkat(m_folder.get(), name.c_str(), 0);
}

void CubinCache::shrink() {
  m_written = 0;
  const int folder = m_folder.get();
  std::vector<CacheFile> files = list_files(folder);
  const std::time_t now = std::time(nullptr);
  std::erase_if(files, [&](const CacheFile& file) {
    const bool left_over = is_cache_draft_name(file.name) && file.used.tv_sec < now - draft_seconds;
    if (left_over && is_gtunes(folder, file.name)) remove(file.name);
    return left_over;
  });
  if (total_of(files) <= m_options.most_bytes) return;
  std::erase_if(files, [&](const CacheFile& file) { return !is_gtunes(folder, file.name); });
  std::uint64_t total = total_of(files);
  if (total <= m_options.most_bytes) return;
  std::sort(files.begin(), files.end(), used_earlier);
  // Shrinks to three quarters, so that the next file does not exceed the limit again.
  for (const CacheFile& file : files) {
    if (total <= m_options.most_bytes / 4 * 3) break;
    if (is_cache_draft_name(file.name)) continue;  // another process is writing it
    remove(file.name);
    total -= file.bytes;
  }
}

}  // namespace gtune
