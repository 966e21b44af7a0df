#pragma once

#include <functional>
#include <memory>
#include <string>

namespace gtune {

enum class IfHeld { wait, refuse };

/// Holds a GPU for this process as long as it lives: two tuners measuring at once would spoil
/// each other's times. The lock is a file in the temporary folder, named by the GPU's UUID, and
/// goes with the process however that ends.
class GpuLock {
 public:
  /// Waits for it. `announce` gets a line that says who holds the GPU, once, before waiting. Throws
  /// UserError(failed) with that line for IfHeld::refuse, Interrupted if `interrupted` turns true.
  [[nodiscard]] static std::unique_ptr<GpuLock> take(
      const std::string& uuid, IfHeld if_held,
      const std::function<void(const std::string&)>& announce,
      const std::function<bool()>& interrupted);
  /// Takes it where it is free; else null, and `holder` says who has it.
  [[nodiscard]] static std::unique_ptr<GpuLock> try_take(const std::string& uuid,
                                                         std::string& holder);
  ~GpuLock();
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  explicit GpuLock(int file);

  int m_file = -1;
};

}  // namespace gtune
