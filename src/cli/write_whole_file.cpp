#include "cli/write_whole_file.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>

#include "model/error.hpp"

namespace gtune {

void write_whole_file(const std::filesystem::path& file, std::string_view text) {
  write_whole_file(file, [&](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write) {
  const auto fail = [&](const std::string& why) {
    throw UserError(ExitCode::failed, file.string() + " cannot be written: " + why);
  };
  if (std::filesystem::is_directory(file)) fail("it is a folder");
  std::filesystem::path beside = file;
  beside += "." + std::to_string(getpid()) + ".new";
  std::error_code error;
  {
    std::ofstream out(beside, std::ios::binary);
    if (!out) fail("its folder is missing or not writable");
    try {
      write(out);
    } catch (...) {
      std::filesystem::remove(beside, error);
      throw;
    }
    out.flush();
    if (!out) {
      std::filesystem::remove(beside, error);
      fail("no space left, or an error of the disk");
    }
  }
  std::filesystem::rename(beside, file, error);
  if (!error) return;
  const std::string why = error.message();
  std::filesystem::remove(beside, error);
  fail(why);
}

}  // namespace gtune
