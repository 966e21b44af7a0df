#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"

namespace gtune {

/// Adds to a command about a kernel what the kernel brings: its variants, its sizes if the command
/// has any, and the action. Without a kernel the command is only declared.
template <typename Options>
void act_on_kernel(CLI::App& command, CommandContext& context, const AskedKernel* kernel,
                   const std::shared_ptr<Options>& options,
                   int (*act)(const KernelSpec& spec, const Options& options)) {
  if (kernel == nullptr) return;
  add_variant_options(command, kernel->variants);
  if constexpr (requires { options->tuned_by; }) options->tuned_by = kernel->tuned_by();
  if constexpr (requires { options->sizes; }) options->sizes.add_to(command, *kernel->spec);
  command.callback([&context, spec = kernel->spec, options, act] {
    context.action = [spec, options, act] { return act(*spec, *options); };
  });
}

}  // namespace gtune
