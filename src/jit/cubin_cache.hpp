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

  /// The folder is $GTUNE_CACHE (none if that is "off"), otherwise $XDG_CACHE_HOME/gtune/cubin or
  /// ~/.cache/gtune/cubin. $GTUNE_CACHE_MIB limits its size.
  [[nodiscard]] static CubinCacheOptions from_environment();
};

/// Compile results on disk, one per file. Files are written under another name and renamed, so
/// several processes may share a folder; a damaged file counts as absent. The least recently used
/// files are removed when the folder exceeds its limit. Only files with the cache's own names and
/// contents are ever read, counted or removed.
///
/// Cached code runs on a GPU, so a folder that others own or can write to is not used; a folder
/// that gtune makes is private to its user. An unusable folder disables the cache and is never an
/// error. Thread-safe.
class CubinCache {
 public:
  explicit CubinCache(CubinCacheOptions options);

  /// `key`: a digest of everything that the result depends on.
  [[nodiscard]] std::optional<CompileResult> find(const std::string& key);
  void store(const std::string& key, const CompileResult& result);

  [[nodiscard]] bool enabled() const { return m_enabled; }
  /// Why the folder is not trusted and what to do, in one line; empty if it is trusted.
  [[nodiscard]] const std::string& refusal() const { return m_refusal; }

 private:
  void remove(const std::string& name) const;
  void shrink();

  CubinCacheOptions m_options;
  FileDescriptor m_folder;  // stays the checked folder even if its path is replaced
  std::string m_refusal;
  std::atomic<bool> m_enabled = false;
  std::atomic<std::uint64_t> m_written = 0;  // bytes since the folder's size was last checked
};

}  // namespace gtune
