#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gtune {

/// What to look for, and where.
struct ToolkitLibraryNames {
  std::string name;                            // as messages say it: "NVRTC"
  std::string file;                            // "libnvrtc.so", also tried with major versions
  const char* variable;                        // "GTUNE_NVRTC": names a file, the only one tried
  std::vector<std::filesystem::path> folders;  // below the toolkit's own
  /// Called with a candidate's folder before the candidate is opened. A library that opens another
  /// by its bare name does not look beside itself, but finds one that is open already.
  std::function<void(const std::filesystem::path& folder)> open_companions;
};

/// A shared library of the CUDA Toolkit, opened at run time, so that gtune starts on a machine
/// without it. It stays open, since its threads and what it returns may outlive any object.
class ToolkitLibrary {
 public:
  /// Tries the file that the environment names, else the loader's path, then the toolkit's folders.
  /// Throws UserError(failed) if there is none.
  explicit ToolkitLibrary(const ToolkitLibraryNames& names);

  /// Throws UserError(failed) if the library has no such symbol.
  template <typename Function>
  void resolve(const char* symbol, Function& function) const {
    function = reinterpret_cast<Function>(find(symbol));
  }
  /// Null where the library, an older one perhaps, has no such symbol.
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
