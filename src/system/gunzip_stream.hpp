#pragma once

#include <filesystem>
#include <istream>
#include <memory>

#include "model/error.hpp"

namespace gtune {

/// A file's contents, decompressed if they are gzipped. Reading throws UserError (failed) if they
/// do not decompress to their end.
class GunzipStream : public std::istream {
 public:
  /// Throws UserError (`otherwise`) if the file cannot be opened: "FILE: WHY".
  explicit GunzipStream(const std::filesystem::path& file, ExitCode otherwise = ExitCode::failed);
  ~GunzipStream() override;
  GunzipStream(const GunzipStream&) = delete;
  GunzipStream& operator=(const GunzipStream&) = delete;

  [[nodiscard]] bool is_gzipped() const;

 private:
  class Buffer;
  std::unique_ptr<Buffer> m_buffer;
};

}  // namespace gtune
