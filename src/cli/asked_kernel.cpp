#include "cli/asked_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/spec_word.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "spec/suggestion.hpp"
#include "system/shell_word.hpp"

namespace gtune {

std::string AskedKernel::tuned_by() const {
  return (is_file ? "gtune tune " + file_word(name) : "gtune " + shell_word(name)) + chosen;
}

std::string AskedKernel::words_in_any_folder() const {
  if (!is_file) return shell_word(name) + chosen;
  return file_word(std::filesystem::path(name).filename().string()) + chosen;
}

bool AskedKernel::has_option(std::string_view option) const {
  return spec->find_size(option) != nullptr ||
         std::any_of(variants.begin(), variants.end(),
                     [&](const VariantOption& variant) { return variant.name == option; });
}

AskedKernel read_asked_kernel(const std::string& file, KernelFinder& kernels) {
  refuse_other_files(file);
  auto spec = kernels.read(file);
  return {file, spec, spec->variants, "", true};
}

AskedKernel find_asked_kernel(const std::string& name, KernelFinder& kernels) {
  if (name.ends_with(".toml")) return read_asked_kernel(name, kernels);
  if (auto spec = kernels.find(name)) return {name, spec, spec->variants, "", false};
  refuse_other_files(name);
  const std::vector<std::string> known = kernels.names();
  throw UserError(ExitCode::usage,
                  fmt::format("no kernel '{}'{} (there are {}{}specs such as FILE.toml)", name,
                              did_you_mean(name, known), fmt::join(known, ", "),
                              known.empty() ? "" : ", and "));
}

AskedKernel choose_variant(const AskedKernel& own, const std::map<std::string, std::string>& values,
                           KernelFinder& kernels) {
  AskedKernel chosen = own;
  for (const VariantOption& option : own.variants) {
    const auto value = values.find(option.name);
    if (value == values.end() || value->second == option.default_value) continue;
    const auto found =
        std::find_if(option.variants.begin(), option.variants.end(),
                     [&](const auto& variant) { return variant.value == value->second; });
    if (found == option.variants.end()) {
      throw UserError(ExitCode::usage, "--" + option.name + ": '" + value->second +
                                           "' is not a choice; expected " + values_text(option));
    }
    if (!chosen.chosen.empty()) {
      throw UserError(ExitCode::usage, "--" + option.name + " " + value->second +
                                           " does not go with" + chosen.chosen);
    }
    chosen.chosen = " --" + option.name + " " + value->second;
    chosen.spec = kernels.read(found->file);
  }
  return chosen;
}

std::string values_text(const VariantOption& option) {
  std::string text = option.default_value;
  for (std::size_t i = 0; i < option.variants.size(); ++i) {
    text += (i + 1 == option.variants.size() ? " or " : ", ") + option.variants[i].value;
  }
  return text;
}

void add_variant_options(CLI::App& command, const std::vector<VariantOption>& options) {
  for (const VariantOption& option : options) {
    std::string help = option.help.empty() ? "which spec" : option.help;
    help += ": " + values_text(option) + " [" + option.default_value + "]";
    // choose_variant() already used its value: the command's other options depend on the variant.
    command
        .add_option_function<std::string>(
            "--" + option.name, [](const std::string&) {}, help)
        ->type_name(value_type::variant)
        ->group(option_group::variants);
  }
}

}  // namespace gtune
