#pragma once

#include <functional>
#include <memory>
#include <string>

#include "system/file_descriptor.hpp"

namespace gtune {

enum class IfHeld { wait, refuse };

/// Holds a GPU for this process as long as it lives: two tuners measuring at once would spoil
/// each other's times. The lock is on a file in /tmp, named by the GPU's UUID, and goes with the
/// process however that ends. The file is empty and only ever read, so that all users can share it
/// and a link in its place does no harm; who holds it is asked of the kernel.
class GpuLock {
 public:
  /// Waits for it. `announce` gets a line that says who holds the GPU, once, before waiting. Throws
  /// UserError(failed) with that line for IfHeld::refuse or where the file cannot be locked,
  /// Interrupted if `interrupted` turns true.
  [[nodiscard]] static std::unique_ptr<GpuLock> take(
      const std::string& uuid, IfHeld if_held,
      const std::function<void(const std::string&)>& announce,
      const std::function<bool()>& interrupted);
  /// Takes it where it is free; else null, and `holder` says who has it. Throws UserError(failed).
  [[nodiscard]] static std::unique_ptr<GpuLock> try_take(const std::string& uuid,
                                                         std::string& holder);
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  explicit GpuLock(FileDescriptor file) : m_file(std::move(file)) {}

  FileDescriptor m_file;
};

}  // namespace gtune
