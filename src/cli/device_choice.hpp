#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/named_values.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// One device that --device chose: a GPU by its index, or a recording.
struct DeviceChoice {
  int index = 0;
  std::optional<std::filesystem::path> recording;
  std::optional<std::string> note;  // if `auto` replays a recording: which, and why
};

/// Whether this machine has a GPU that can be used.
[[nodiscard]] bool has_gpu();

/// `text`: "none", "auto", "all", or a list of "0", "1", ..., "replay", "replay:FILE". Plain
/// "replay" is a bundled recording of the kernel at one of `problems`, which are not empty. Throws
/// UserError.
[[nodiscard]] std::vector<DeviceChoice> choose_devices(
    const std::string& text, const KernelSpec& spec, const std::vector<Problem>& problems,
    const std::vector<std::filesystem::path>& data_folders);

}  // namespace gtune
