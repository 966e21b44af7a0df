#include "cli/device_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "gpu/device.hpp"
#include "model/error.hpp"
#include "spec/problem_text.hpp"
#include "tune/identity.hpp"
#include "worker/recording.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view replay_prefix = "replay:";

std::vector<fs::path> recordings_in(const fs::path& data_folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(data_folder / "db" / "recordings", error)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Whether a recording of a data folder is of this kernel. The name alone is not enough: a spec
/// outside that folder must be identical to the recorded one.
bool is_recording_of(const KernelSpec& spec, const KernelIdentity& recorded,
                     const fs::path& data_folder) {
  if (recorded.name != spec.name) return false;
  std::error_code error;
  const fs::path folder = spec.file.parent_path();
  if (fs::equivalent(folder.empty() ? "." : folder, data_folder / "tuner_configs", error)) {
    return true;
  }
  const KernelIdentity own = identity_of(spec);
  return own.source_hash == recorded.source_hash && own.spec_hash == recorded.spec_hash;
}

fs::path find_recording(const KernelSpec& spec, const std::vector<Problem>& problems,
                        const std::vector<fs::path>& folders) {
  std::set<std::string> known;
  bool name_known = false;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : recordings_in(folder)) {
      const Recording header = read_recording_header(file);
      name_known = name_known || header.kernel.name == spec.name;
      if (!is_recording_of(spec, header.kernel, folder)) continue;
      const auto asked = std::find(problems.begin(), problems.end(), header.problem);
      if (asked != problems.end()) return file;
      known.insert(problem_text(spec, header.problem));
    }
  }
  if (known.empty()) {
    const std::string which = name_known ? spec.name + " in " + spec.file.string() +
                                               " (the bundled ones are of another kernel "
                                               "of this name)"
                                         : spec.name;
    throw UserError(ExitCode::nothing_stored, "no recording of " + which +
                                                  " is bundled; name one with --device "
                                                  "replay:FILE");
  }
  throw UserError(
      ExitCode::nothing_stored,
      fmt::format("the bundled recordings hold {} at {}, not at {}{}; other sizes need a GPU",
                  spec.name, fmt::join(known, "; "), problem_text(spec, problems.front()),
                  problems.size() > 1 ? " or another of the sizes asked for" : ""));
}

DeviceChoice replay(fs::path file) {
  DeviceChoice choice;
  choice.recording = std::move(file);
  return choice;
}

/// A bundled recording in place of a GPU that is missing for `reason`, with a line that says so.
DeviceChoice instead_of_gpu(const std::string& reason, const KernelSpec& spec,
                            const std::vector<Problem>& problems,
                            const std::vector<fs::path>& folders) {
  try {
    DeviceChoice choice = replay(find_recording(spec, problems, folders));
    const Recording header = read_recording_header(*choice.recording);
    choice.note = reason + ": replaying measurements recorded on an " + header.device.name + " (" +
                  choice.recording->filename().string() + ")";
    return choice;
  } catch (const UserError& no_recording) {
    throw UserError(ExitCode::no_device, reason + "; and " + no_recording.what());
  }
}

DeviceChoice automatic(const KernelSpec& spec, const std::vector<Problem>& problems,
                       const std::vector<fs::path>& folders) {
  try {
    static_cast<void>(list_devices());
    return {};
  } catch (const UserError& error) {
    return instead_of_gpu(error.what(), spec, problems, folders);
  }
}

/// Throws UserError if there is no such device, with advice for this kernel.
void require_device(int index, const KernelSpec& spec, const std::vector<Problem>& problems,
                    const std::vector<fs::path>& folders) {
  try {
    static_cast<void>(find_device(list_devices(), index));
  } catch (const UserError& error) {
    std::string advice = "--device replay replays measurements that come with gtune";
    try {
      static_cast<void>(find_recording(spec, problems, folders));
    } catch (const UserError&) {
      advice = "give one that exists, or a recording of this kernel with --device replay:FILE";
    }
    throw UserError(error.code(), std::string(error.what()) + "; " + advice);
  }
}

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Splits at commas, except those in the name of a recording.
std::vector<std::string> split_devices(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    const bool in_name = !parts.empty() && parts.back().starts_with(replay_prefix) &&
                         !is_number(part) && part != "replay" && !part.starts_with(replay_prefix);
    if (in_name) {
      parts.back() += ',' + part;
    } else {
      parts.push_back(part);
    }
    start = end + 1;
  }
  return parts;
}

DeviceChoice choose_one(const std::string& text, const KernelSpec& spec,
                        const std::vector<Problem>& problems,
                        const std::vector<fs::path>& folders) {
  if (text == "replay") return replay(find_recording(spec, problems, folders));
  if (text.starts_with(replay_prefix)) {
    const fs::path file = text.substr(replay_prefix.size());
    if (file.empty()) {
      throw UserError(ExitCode::usage, "--device replay: names no file; expected replay:FILE");
    }
    static_cast<void>(read_recording_header(file));  // throws if the file is not a recording
    return replay(file);
  }
  DeviceChoice choice;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), choice.index);
  if (!is_number(text) || parsed.ec != std::errc()) {
    throw UserError(ExitCode::usage, "--device " + text +
                                         ": expected a number (see gtune devices), auto, all, "
                                         "none, replay or replay:FILE, or a comma-separated list "
                                         "of numbers and recordings");
  }
  return choice;
}

std::vector<DeviceChoice> all_gpus() {
  std::vector<DeviceChoice> choices(list_devices().size());
  for (std::size_t i = 0; i < choices.size(); ++i) choices[i].index = static_cast<int>(i);
  return choices;
}

}  // namespace

bool has_gpu() {
  try {
    return !list_devices().empty();
  } catch (const UserError&) {
    return false;
  }
}

std::vector<DeviceChoice> choose_devices(const std::string& text, const KernelSpec& spec,
                                         const std::vector<Problem>& problems,
                                         const std::vector<fs::path>& folders) {
  if (text == "auto") return {automatic(spec, problems, folders)};
  if (text == "none") return {};
  if (text == "all") return all_gpus();
  std::vector<DeviceChoice> choices;
  for (const std::string& part : split_devices(text)) {
    const DeviceChoice choice = choose_one(part, spec, problems, folders);
    const bool twice = std::any_of(choices.begin(), choices.end(), [&](const DeviceChoice& other) {
      return !choice.recording && !other.recording && other.index == choice.index;
    });
    if (twice) throw UserError(ExitCode::usage, "--device " + text + " names " + part + " twice");
    choices.push_back(choice);
  }
  for (const DeviceChoice& choice : choices) {
    if (!choice.recording) require_device(choice.index, spec, problems, folders);
  }
  return choices;
}

}  // namespace gtune
