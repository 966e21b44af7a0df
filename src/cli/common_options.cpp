#include "cli/common_options.hpp"

#include <charconv>

#include "cli/asked_kernel.hpp"
#include "cli/value_types.hpp"
#include "spec/device_table.hpp"

namespace gtune {
namespace {

/// CLI11 would read -1 and 2^64 as 2^64 - 1.
std::string refuse_other_than_64_bits(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == end;
  return whole ? "" : "expected a number from 0 to 2^64 - 1, not " + text;
}

}  // namespace

void add_kernel_argument(CLI::App& command) {
  command
      .add_option(k_kernel_argument,
                  "A kernel's name (see gtune list), or a spec, FILE.toml; its sizes and variants "
                  "follow it")
      ->required()
      ->type_name(value_type::kernel);
}

void add_database_option(CLI::App& command, std::string& file) {
  command.add_option("--db", file, "Database [$GTUNE_DB, else gtune.db in the XDG data folder]")
      ->type_name(value_type::file);
}

void add_device_name_option(CLI::App& command, std::string& name) {
  command.add_option("--device", name, "Only results of this device, by name")
      ->type_name(value_type::device_name);
}

void add_param_option(CLI::App& command, std::vector<std::string>& params) {
  command
      .add_option("--param", params,
                  "Narrow the space to these values of a parameter: BM=64,128 (repeatable)")
      ->type_name(value_type::narrowing)
      ->allow_extra_args(false);
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  command.add_option("--seed", seed, help)
      ->check(CLI::Validator(refuse_other_than_64_bits, ""))
      ->type_name(value_type::number)
      ->capture_default_str();
}

CLI::Option* add_output_option(CLI::App& command, std::string& file, const AskedKernel* kernel) {
  const bool is_taken = kernel != nullptr && kernel->has_option("o");
  return command
      .add_option(is_taken ? "--output" : "-o,--output", file,
                  "Write to this file [standard output]")
      ->type_name(value_type::file);
}

CLI::Option* add_json_flag(CLI::App& command, bool& json) {
  return command.add_flag("--json", json, "Print as JSON");
}

void add_arch_option(CLI::App& command, std::string& arch, const std::string& help) {
  command.add_option("--arch", arch, help + ": " + known_architectures_text())
      ->type_name(value_type::architecture)
      ->capture_default_str();
}

std::string known_architectures_text() {
  std::string text;
  for (const DeviceFacts& device : known_architectures()) {
    text += (text.empty() ? "sm_" : ", sm_") + std::to_string(device.cc());
  }
  return text;
}

}  // namespace gtune
