#include "system/scratch_folder.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "model/error.hpp"
#include "system/shell_word.hpp"

namespace gtune {

ScratchFolder::ScratchFolder() {
  const char* named = std::getenv("TMPDIR");
  std::string folder = named == nullptr ? "" : named;
  if (!folder.starts_with('/') || shell_word(folder) != folder) folder = "/tmp";
  std::string name = folder + "/gtune-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw UserError(ExitCode::failed, "no folder for temporary files can be made in " + folder +
                                          ": " + std::strerror(errno));
  }
  m_path = name;
}

ScratchFolder::~ScratchFolder() {
  constexpr int most_tries = 100;
  for (int i = 0; i < most_tries; ++i) {
    std::error_code error;
    std::filesystem::remove_all(m_path, error);
    if (!error && !std::filesystem::exists(m_path, error)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace gtune
