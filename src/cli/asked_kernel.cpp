#include "cli/asked_kernel.hpp"

#include "cli/find_kernel.hpp"
#include "cli/shell_word.hpp"
#include "cli/variants.hpp"

namespace gtune {

AskedKernel add_asked_kernel(CLI::App& command, const CommandContext& context,
                             const std::string& kernel) {
  ChosenSpec chosen =
      choose_variant(find_kernel(kernel, context), context.words, kernel_folders(context.folders));
  add_variant_options(command, chosen.options);
  return {
      std::make_shared<KernelSpec>(std::move(chosen.spec)),
      (kernel.ends_with(".toml") ? "gtune tune " : "gtune ") + shell_word(kernel) + chosen.given};
}

void add_no_flush_option(CLI::App& command, bool& no_flush) {
  command.add_flag("--no-flush", no_flush,
                   "What was measured with a warm L2 cache, by --no-flush [only where there is "
                   "nothing else]");
}

}  // namespace gtune
