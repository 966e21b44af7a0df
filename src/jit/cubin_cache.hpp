#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "jit/compile_request.hpp"
#include "system/file_descriptor.hpp"

namespace gtune {

struct CubinCacheOptions {
  std::filesystem::path folder;  // empty: no cache
  std::uint64_t most_bytes = std::uint64_t{1} << 30;

  /// $GTUNE_CACHE (a folder, or "off"), else $XDG_CACHE_HOME/gtune/cubin, else
  /// ~/.cache/gtune/cubin; $GTUNE_CACHE_MIB bounds the size.
  [[nodiscard]] static CubinCacheOptions from_environment();
};

/// Results of compiles on disk, one file each. Files are written beside and renamed, so several
/// processes may share a folder; a damaged file counts as absent. The least recently used ones
/// go when the folder grows past its bound. Only files of the cache's own names and contents are
/// ever read, counted or removed.
///
/// What is in it runs on a GPU, so a folder that others own or can write to is not used; one that
/// gtune makes is for its user alone. A folder that cannot be used means no cache, never an error.
/// Thread-safe.
class CubinCache {
 public:
  explicit CubinCache(CubinCacheOptions options);

  /// `key`: digest of everything that the result depends on.
  [[nodiscard]] std::optional<CompileResult> find(const std::string& key);
  void store(const std::string& key, const CompileResult& result);

  [[nodiscard]] bool enabled() const { return m_enabled; }
  /// Why the folder is not trusted, in one line with what to do; empty where it is.
  [[nodiscard]] const std::string& refusal() const { return m_refusal; }

 private:
  void remove(const std::string& name) const;
  void shrink();

  CubinCacheOptions m_options;
  FileDescriptor m_folder;  // the one that was looked at, whatever its path becomes
  std::string m_refusal;
  std::atomic<bool> m_enabled = false;
  std::atomic<std::uint64_t> m_written = 0;  // since the last look at the folder's size
};

}  // namespace gtune
