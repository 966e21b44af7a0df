#include "cli/completed_line.hpp"

#include "cli/command_subject.hpp"
#include "cli/command_table.hpp"
#include "cli/parsers.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

CommandSubject subject_of(const std::vector<std::string>& words, KernelFinder& kernels) {
  try {
    return read_subject(words, kernels);
  } catch (const UserError&) {
    return {};
  }
}

std::optional<AskedKernel> kernel_of(const CommandSubject& subject, KernelFinder& kernels) {
  if (!subject.kernel) return std::nullopt;
  try {
    return subject.command == "tune" ? read_asked_kernel(*subject.kernel, kernels)
                                     : find_asked_kernel(*subject.kernel, kernels);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace

CompletedLine::CompletedLine(const std::vector<std::string>& before, KernelFinder& kernels) {
  const CommandSubject subject = subject_of(before, kernels);
  m_kernel = kernel_of(subject, kernels);
  const auto read = [&] {
    m_app = std::make_shared<CLI::App>();
    describe_program(*m_app);
    declare_for(*m_app, m_context, subject, m_kernel ? &*m_kernel : nullptr, kernels);
    walk(before);
  };
  read();
  if (!m_kernel) return;
  std::map<std::string, std::string> chosen;
  for (const VariantOption& option : m_kernel->variants) {
    const auto value = m_values.find("--" + option.name);
    if (value != m_values.end()) chosen[option.name] = value->second;
  }
  try {
    m_kernel = choose_variant(*m_kernel, chosen, kernels);
  } catch (const UserError&) {
    return;  // no such variant: keep the kernel's own sizes
  }
  read();
}

void CompletedLine::walk(const std::vector<std::string>& before) {
  m_command = m_app.get();
  m_waiting = nullptr;
  m_arguments = 0;
  m_values.clear();
  for (const std::string& word : before) {
    if (m_waiting != nullptr) {
      m_values[m_waiting->get_name()] = word;
      m_waiting = nullptr;
    } else if (is_option(word)) {
      take_option(word);
    } else if (CLI::App* below = subcommand_named(*m_command, word)) {
      m_command = below;
    } else {
      ++m_arguments;
    }
  }
}

void CompletedLine::take_option(const std::string& word) {
  const std::size_t equals = word.find('=');
  CLI::Option* option = m_command->get_option_no_throw(word.substr(0, equals));
  if (option == nullptr || !takes_value(*option)) return;
  if (equals != std::string::npos) {
    m_values[option->get_name()] = word.substr(equals + 1);
  } else if (option->get_items_expected_min() > 0) {  // --TA may stand alone
    m_waiting = option;
  }
}

CLI::Option* CompletedLine::next_argument() const {
  std::size_t left = m_arguments;
  for (CLI::Option* option : m_command->get_options()) {
    if (!option->get_positional()) continue;
    const bool takes_many = option->get_items_expected_max() > 1;
    if (left == 0 || takes_many) return option;
    --left;
  }
  return nullptr;
}

}  // namespace gtune
