#include "cli/variants.hpp"

#include <algorithm>
#include <optional>

#include "model/error.hpp"
#include "spec/spec_reader.hpp"

namespace gtune {
namespace {

/// The value of --NAME VALUE or --NAME=VALUE, the last one.
std::optional<std::string> value_of(const std::string& name,
                                    const std::vector<std::string>& words) {
  const std::string flag = "--" + name;
  std::optional<std::string> value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with(flag + "=")) value = words[i].substr(flag.size() + 1);
    if (words[i] == flag && i + 1 < words.size()) value = words[i + 1];
  }
  return value;
}

}  // namespace

std::string values_text(const VariantOption& option) {
  std::string text = option.default_value;
  for (std::size_t i = 0; i < option.variants.size(); ++i) {
    text += (i + 1 == option.variants.size() ? " or " : ", ") + option.variants[i].value;
  }
  return text;
}

ChosenSpec choose_variant(KernelSpec spec, const std::vector<std::string>& words,
                          const std::vector<std::filesystem::path>& kernel_folders) {
  ChosenSpec chosen{std::move(spec), {}, ""};
  chosen.options = chosen.spec.variants;
  for (const VariantOption& option : chosen.options) {
    const std::optional<std::string> value = value_of(option.name, words);
    if (!value || *value == option.default_value) continue;
    const auto found = std::find_if(option.variants.begin(), option.variants.end(),
                                    [&](const auto& variant) { return variant.value == *value; });
    if (found == option.variants.end()) {
      throw UserError(ExitCode::usage, "--" + option.name + ": '" + *value +
                                           "' is no choice; expected " + values_text(option));
    }
    if (!chosen.given.empty()) {
      throw UserError(ExitCode::usage,
                      "--" + option.name + " " + *value + " does not go with" + chosen.given);
    }
    chosen.spec = read_spec(found->file, kernel_folders);
    chosen.given = " --" + option.name + " " + *value;
  }
  return chosen;
}

void add_variant_options(CLI::App& command, const std::vector<VariantOption>& options) {
  for (const VariantOption& option : options) {
    std::string help = option.help.empty() ? "which spec" : option.help;
    help += ": " + values_text(option) + " [" + option.default_value + "]";
    // Its value was read before: the command's other options follow from it.
    command
        .add_option_function<std::string>(
            "--" + option.name, [](const std::string&) {}, help)
        ->type_name("CHOICE")
        ->group("Variants");
  }
}

}  // namespace gtune
