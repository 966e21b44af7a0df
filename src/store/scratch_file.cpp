#include "store/scratch_file.hpp"

#include <unistd.h>

#include <system_error>

#include "model/error.hpp"
#include "store/sqlite_error.hpp"

namespace gtune {

ScratchFile::ScratchFile(const std::filesystem::path& beside, const std::string& purpose)
    : m_path(std::filesystem::absolute(beside)) {
  m_path += "." + std::to_string(::getpid()) + "." + purpose;
  const std::filesystem::path folder = m_path.parent_path();
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UserError(ExitCode::failed, shown(beside) + " cannot be written: its folder is missing " +
                                          "or not writable");
  }
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    std::filesystem::remove(m_path.string() + suffix, ignored);
  }
}

void ScratchFile::rename_to(const std::filesystem::path& file) const {
  std::error_code error;
  std::filesystem::rename(m_path, file, error);
  if (error) {
    throw UserError(ExitCode::failed, shown(file) + " cannot be written: " + error.message());
  }
}

}  // namespace gtune
