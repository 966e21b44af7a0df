#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/asked_kernel.hpp"
#include "cli/commands.hpp"

namespace gtune {

/// A command line up to its last word, read for completion: unlike parse_command_line it accepts an
/// unfinished one.
class CompletedLine {
 public:
  CompletedLine(const std::vector<std::string>& before, KernelFinder& kernels);

  /// The command that the last word belongs to; the program if there is none yet.
  [[nodiscard]] CLI::App& command() const { return *m_command; }
  /// The kernel's spec, in the variant that was chosen; null without a kernel.
  [[nodiscard]] const KernelSpec* spec() const { return m_kernel ? m_kernel->spec.get() : nullptr; }
  [[nodiscard]] std::vector<VariantOption> variants() const {
    return m_kernel ? m_kernel->variants : std::vector<VariantOption>();
  }
  /// The option that waits for a value; null if none does.
  [[nodiscard]] CLI::Option* waiting() const { return m_waiting; }
  /// The positional argument that the last word would be; null if there is none left.
  [[nodiscard]] CLI::Option* next_argument() const;
  /// The last value of each option, by its longest name: "--M".
  [[nodiscard]] const std::map<std::string, std::string>& values() const { return m_values; }

 private:
  void walk(const std::vector<std::string>& before);
  void take_option(const std::string& word);

  std::shared_ptr<CLI::App> m_app;
  CommandContext m_context;
  std::optional<AskedKernel> m_kernel;
  CLI::App* m_command = nullptr;
  CLI::Option* m_waiting = nullptr;
  std::size_t m_arguments = 0;
  std::map<std::string, std::string> m_values;
};

}  // namespace gtune
