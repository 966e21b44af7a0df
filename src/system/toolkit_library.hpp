#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gtune {

/// What to look for, and where.
struct ToolkitLibraryNames {
  std::string name;                            // in messages: "NVRTC"
  std::string file;                            // "libnvrtc.so", also tried with major versions
  const char* variable;                        // "GTUNE_NVRTC": if set, the only file tried
  std::vector<std::filesystem::path> folders;  // relative to the toolkit's
  /// Called with a candidate's folder before the candidate is opened. A library that opens another
  /// one by its bare name finds it only if it is already open, not if it lies beside itself.
  std::function<void(const std::filesystem::path& folder)> open_companions;
};

/// A shared library of the CUDA Toolkit, opened at run time: gtune also starts on a machine without
/// it. It is never closed, because its threads and its results may outlive any object.
class ToolkitLibrary {
 public:
  /// Tries the file that the environment names; if it names none, the loader's path and then the
  /// toolkit's folders. Throws UserError(failed) if nothing can be opened.
  explicit ToolkitLibrary(const ToolkitLibraryNames& names);

  /// Throws UserError(failed) if the library has no such symbol.
  template <typename Function>
  void resolve(const char* symbol, Function& function) const {
    function = reinterpret_cast<Function>(find(symbol));
  }
  /// Sets null if the library has no such symbol, as older versions may not.
  template <typename Function>
  void resolve_if_there(const char* symbol, Function& function) const {
    function = reinterpret_cast<Function>(find_if_there(symbol));
  }

 private:
  [[nodiscard]] void* find(const char* symbol) const;
  [[nodiscard]] void* find_if_there(const char* symbol) const;

  std::string m_name;
  void* m_library;
};

}  // namespace gtune
