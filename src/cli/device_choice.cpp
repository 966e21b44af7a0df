#include "cli/device_choice.hpp"

#include <algorithm>
#include <charconv>

#include "gpu/device.hpp"
#include "model/error.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_recordings(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / "db" / "recordings", error)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path find_recording(const std::string& kernel, const Problem& problem,
                        const std::vector<fs::path>& folders) {
  std::string known;
  for (const fs::path& file : shipped_recordings(folders)) {
    const Recording header = read_recording_header(file);
    if (header.kernel.name != kernel) continue;
    if (header.problem == problem) return file;
    known += (known.empty() ? "" : "; ") + header.problem.text();
  }
  if (known.empty()) {
    throw UserError(
        ExitCode::nothing_stored,
        "no recording of " + kernel + " is shipped; name one with --device replay:FILE");
  }
  throw UserError(ExitCode::nothing_stored, "the shipped recordings hold " + kernel + " at " +
                                                known + ", not at " + problem.text() +
                                                "; other sizes need a GPU");
}

DeviceChoice replay(fs::path file) {
  DeviceChoice choice;
  choice.recording = std::move(file);
  return choice;
}

/// A shipped recording in place of a GPU that is missing for `reason`, with a line that says so.
DeviceChoice instead_of_gpu(const std::string& reason, const std::string& kernel,
                            const Problem& problem, const std::vector<fs::path>& folders) {
  try {
    DeviceChoice choice = replay(find_recording(kernel, problem, folders));
    const Recording header = read_recording_header(*choice.recording);
    choice.note = reason + ": replaying measurements recorded on an " + header.device.name + " (" +
                  choice.recording->filename().string() + ")";
    return choice;
  } catch (const UserError& no_recording) {
    throw UserError(ExitCode::no_device, reason + "; and " + no_recording.what());
  }
}

DeviceChoice automatic(const std::string& kernel, const Problem& problem,
                       const std::vector<fs::path>& folders) {
  try {
    static_cast<void>(list_devices());
    return {};
  } catch (const UserError& error) {
    return instead_of_gpu(error.what(), kernel, problem, folders);
  }
}

}  // namespace

DeviceChoice choose_device(const std::string& text, const std::string& kernel,
                           const Problem& problem, const std::vector<fs::path>& folders) {
  constexpr std::string_view prefix = "replay:";
  if (text == "auto") return automatic(kernel, problem, folders);
  if (text == "replay") return replay(find_recording(kernel, problem, folders));
  if (text.starts_with(prefix)) {
    const fs::path file = text.substr(prefix.size());
    if (file.empty()) {
      throw UserError(ExitCode::usage, "--device replay: names no file; expected replay:FILE");
    }
    static_cast<void>(read_recording_header(file));  // its mistakes are the user's to see
    return replay(file);
  }
  DeviceChoice choice;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, choice.index);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end || choice.index < 0) {
    throw UserError(ExitCode::usage, "--device " + text +
                                         ": expected a number (see gtune devices), auto, replay "
                                         "or replay:FILE");
  }
  return choice;
}

}  // namespace gtune
