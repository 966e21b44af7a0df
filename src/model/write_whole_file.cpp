#include "model/write_whole_file.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>

#include "model/error.hpp"

namespace gtune {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw UserError(ExitCode::failed, file.string() + " cannot be written: " + why);
}

std::filesystem::path draft_of(const std::filesystem::path& file) {
  return file.string() + "." + std::to_string(getpid()) + ".new";
}

/// Errors name `file`, in whose place `target` is to come.
void write_straight(const std::filesystem::path& target, const std::filesystem::path& file,
                    const std::function<void(std::ostream&)>& write) {
  std::ofstream out(target, std::ios::binary);
  if (!out) fail(file, "it or its folder is missing or not writable");
  write(out);
  out.flush();
  if (!out) fail(file, "no space left, or an error of the disk");
}

}  // namespace

void require_writable(const std::filesystem::path& file) {
  const std::filesystem::path draft = draft_of(file);
  const bool made = std::ofstream(draft).good();
  std::error_code ignored;
  std::filesystem::remove(draft, ignored);
  if (!made) fail(file, "its folder is missing or not writable");
  const auto there = std::filesystem::status(file, ignored);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {
    fail(file, "it is no regular file");
  }
}

void write_whole_file(const std::filesystem::path& file, std::string_view text) {
  write_whole_file(file, [&](std::ostream& out) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

void write_whole_file(const std::filesystem::path& file,
                      const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  const auto there = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(there)) fail(file, "it is a folder");
  // No file may take the place of a device or a pipe, such as /dev/stdout.
  if (std::filesystem::is_other(there)) return write_straight(file, file, write);
  std::filesystem::path place = file;  // or what it is a link to
  if (std::filesystem::is_regular_file(there)) place = std::filesystem::canonical(file, error);
  if (error && std::filesystem::exists(there)) fail(file, error.message());
  const std::filesystem::path beside = draft_of(place);
  try {
    write_straight(beside, file, write);
    std::filesystem::rename(beside, place, error);
    if (error) fail(file, error.message());
  } catch (...) {
    std::filesystem::remove(beside, error);
    throw;
  }
}

}  // namespace gtune
