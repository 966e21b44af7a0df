#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "system/file_descriptor.hpp"

namespace gtune {

enum class IfHeld { wait, refuse };

/// Holds a GPU for this process while the object lives: two tuners that measure at once would spoil
/// each other's times. The lock is on a file in /tmp, named for the GPU's UUID, and ends with the
/// process, however that ends. The file is empty and only ever read, so all users can share it and
/// a link in its place does no harm; Linux reports the holder.
class GpuLock {
 public:
  /// Takes the lock, waiting if necessary. Before waiting, `announce` gets one line that names the
  /// holder. Throws UserError(failed) with that line for IfHeld::refuse, or if the file cannot be
  /// locked; Interrupted if `interrupted` becomes true.
  [[nodiscard]] static std::unique_ptr<GpuLock> take(
      const std::string& uuid, IfHeld if_held,
      const std::function<void(const std::string&)>& announce,
      const std::function<bool()>& interrupted);
  /// Takes the lock if it is free; otherwise returns null and sets `holder`, such as "process
  /// 4711". Throws UserError(failed) if the file cannot be locked.
  [[nodiscard]] static std::unique_ptr<GpuLock> try_take(const std::string& uuid,
                                                         std::string& holder);
  /// Who holds the lock, such as "process 4711"; absent if it is free. Creates no file. For an
  /// instant, it holds a shared lock, during which `try_take` finds the GPU in use. Throws
  /// UserError(failed) if the file cannot be locked.
  [[nodiscard]] static std::optional<std::string> holder(const std::string& uuid);
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  explicit GpuLock(FileDescriptor file) : m_file(std::move(file)) {}

  FileDescriptor m_file;
};

}  // namespace gtune
