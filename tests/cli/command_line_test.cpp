// The meaning of a command line, before anything is executed.
#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"
#include "fixture.hpp"
#include "model/error.hpp"
#include "spec/reserved_names.hpp"

namespace gtune::test {
namespace {

using Words = std::vector<std::string>;

const std::string toy_spec = data + "/toy.toml";

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

KernelFinder& known_kernels() {
  static KernelFinder finder({GTUNE_SOURCE_DIR});
  return finder;
}

std::string text_of(const Words& words) {
  std::string text = "gtune";
  for (const std::string& word : words) text += " '" + word + "'";
  return text;
}

/// The usage error of these words; fails the test if they are valid.
std::string refusal_of(const Words& words) {
  try {
    const ParsedCommand parsed = parse_command_line(words, known_kernels());
    ADD_FAILURE() << text_of(words) << " is taken for " << parsed.command << ' ' << parsed.kernel;
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage) << text_of(words);
    return error.what();
  }
  return "";
}

void expect_refused(const Words& words, const std::string& part) {
  const std::string line = refusal_of(words);
  EXPECT_NE(line.find(part), std::string::npos) << text_of(words) << ": " << line;
}

std::vector<std::string> kernel_commands() {
  std::vector<std::string> names = command_names();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const auto& name) { return !is_kernel_command(name); }),
              names.end());
  return names;
}

std::vector<CLI::App*> commands_below(CLI::App& app) {
  std::vector<CLI::App*> all;
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::vector<CLI::App*> below = commands_below(*command);
    if (below.empty()) all.push_back(command);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

/// "-o" and "--output" of each option except --help, which shows the first kernel's help whatever
/// follows.
Words names_of_options(const CLI::App& command) {
  Words names;
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr()) continue;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The interface as the program declares it.
struct Interface {
  CLI::App app;
  CommandContext context;

  Interface() { declare_commands(app, context); }
};

/// The start of a command line about a kernel, and the options that may follow it.
struct Asking {
  Words before;  // "query"; empty if the kernel is the command
  std::string kernel;
  Words options;
};

std::vector<Asking> ways_to_ask() {
  std::vector<Asking> all;
  const Words own = {"sgemm", "transpose"};  // with and without variants
  for (const std::string& command : kernel_commands()) {
    Words asked = {toy_spec};
    if (command != "tune") asked.emplace_back("sgemm");
    for (const std::string& name : asked) {
      const AskedKernel kernel = find_asked_kernel(name, known_kernels());
      CLI::App app;
      CommandContext context;
      declare_command(app, context, command, &kernel);
      all.push_back({{command}, name, names_of_options(*app.get_subcommand(command))});
    }
  }
  for (const std::string& name : own) {
    const AskedKernel kernel = find_asked_kernel(name, known_kernels());
    CLI::App app;
    CommandContext context;
    add_named_tune_command(app, context, kernel);
    all.push_back({{}, name, names_of_options(*app.get_subcommand(name))});
  }
  return all;
}

/// Counts the lines that name this kernel; the others must be usage errors.
int count_understood(const std::vector<Words>& lines, const std::string& kernel) {
  int understood = 0;
  for (const Words& line : lines) {
    try {
      const ParsedCommand parsed = parse_command_line(line, known_kernels());
      EXPECT_EQ(parsed.kernel, kernel) << text_of(line);
      EXPECT_TRUE(parsed.spec != nullptr && parsed.action) << text_of(line);
      ++understood;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage) << text_of(line) << ": " << error.what();
    }
  }
  return understood;
}

TEST(CommandLine, NoValueOfAnOptionIsTakenForTheKernel) {
  const Words values = known_kernels().names() + Words{toy_spec, "x.toml", "query"};
  int after = 0;
  int before = 0;
  for (const Asking& asking : ways_to_ask()) {
    const Words asked = asking.before + Words{asking.kernel};
    ASSERT_GT(asking.options.size(), 4U) << asking.kernel;
    for (const std::string& option : asking.options) {
      for (const std::string& value : values) {
        const Words apart = {option, value};
        const Words joined = {option + (option.starts_with("--") ? "=" : "") + value};
        after += count_understood({asked + apart, asked + joined}, asking.kernel);
        before += count_understood({asking.before + apart + Words{asking.kernel},
                                    asking.before + joined + Words{asking.kernel}},
                                   asking.kernel);
      }
    }
  }
  EXPECT_GT(after, 1400);
  EXPECT_GT(before, 600);
}

TEST(CommandLine, OptionsOfACommandMayComeBeforeTheKernel) {
  const auto kernel_of = [](const Words& words) {
    return parse_command_line(words, known_kernels()).kernel;
  };
  EXPECT_EQ(kernel_of({"export", "-o", "copy", "sgemm"}), "sgemm");
  EXPECT_EQ(kernel_of({"export", "-ocopy", "sgemm"}), "sgemm");
  EXPECT_EQ(kernel_of({"export", "--output=copy", "sgemm"}), "sgemm");
  EXPECT_EQ(kernel_of({"query", "--db", "copy", "sgemm", "--M", "4096"}), "sgemm");
  EXPECT_EQ(kernel_of({"explain", "--device", "x.toml", "sgemm"}), "sgemm");
  EXPECT_EQ(kernel_of({"space", "--param", "BM=64", "sgemm", "--M", "512"}), "sgemm");
  EXPECT_EQ(kernel_of({"query", "--table", "BM,BN", "sgemm", "--M", "512"}), "sgemm");
  EXPECT_EQ(kernel_of({"query", "--json", "sgemm", "--M", "512"}), "sgemm");
  EXPECT_EQ(kernel_of({"query", "--", "sgemm"}), "sgemm");
  EXPECT_EQ(kernel_of({"tune", "--db", "copy", toy_spec}), toy_spec);
  EXPECT_EQ(kernel_of({"db", "export", "-o", "copy"}), "");
}

TEST(CommandLine, OptionsOfTheKernelComeAfterItsName) {
  const std::string advice = "a kernel's own options come after its name: gtune query KERNEL --M";
  expect_refused({"query", "--M", "4096", "sgemm"}, advice);
  expect_refused({"query", "--M", "copy", "sgemm"}, advice);
  expect_refused({"query", "--M=4096", "sgemm"}, advice);
  expect_refused({"space", "--math", "tf32x3", "sgemm"}, "gtune space KERNEL --math");
  expect_refused({"tune", "--n", "4", toy_spec}, "gtune tune KERNEL --n");
  expect_refused({"query", "--bd", "copy", "sgemm"}, "did you mean '--db'?");
  expect_refused({"--M", "4096", "sgemm"}, "gtune COMMAND --M");
}

TEST(CommandLine, AVariantIsASpecInTheKernelsPlace) {
  const auto spec_of = [](const Words& words) {
    const ParsedCommand parsed = parse_command_line(words, known_kernels());
    EXPECT_EQ(parsed.kernel, "sgemm") << text_of(words);
    return parsed.spec->name;
  };
  for (const Words& asked : {Words{"sgemm"}, Words{"space", "sgemm"}, Words{"export", "sgemm"}}) {
    EXPECT_EQ(spec_of(asked), "sgemm");
    EXPECT_EQ(spec_of(asked + Words{"--math", "fp32"}), "sgemm");
    EXPECT_EQ(spec_of(asked + Words{"--math=tf32x3"}), "sgemm_tf32x3");
    expect_refused(asked + Words{"--math", "fp16"},
                   "'fp16' is not a choice; expected fp32 or tf32x3");
    expect_refused(asked + Words{"--math"}, "--math");
    expect_refused(asked + Words{"--math", "fp32", "--math", "tf32x3"}, "--math");
  }
  EXPECT_EQ(spec_of({"sgemm", "--db", "--math"}), "sgemm");  // a value, not the option
  expect_refused({"sgemm", "--db", "--math", "tf32x3"}, "tf32x3");
  // Each variant has its own sizes, wherever they stand on the line.
  EXPECT_EQ(spec_of({"sgemm", "--CARRY", "1", "--math", "tf32x3"}), "sgemm_tf32x3");
  expect_refused({"sgemm", "--CARRY", "1"}, "--CARRY");
  expect_refused({"space", "sgemm", "--math", "tf32x3", "--LDA", "5000"}, "--LDA");
}

TEST(CommandLine, WhatIsMeantIsSuggested) {
  expect_refused({"sgem"}, "no kernel or command 'sgem'; did you mean 'sgemm'?");
  expect_refused({"qurey", "sgemm"}, "did you mean 'query'?");
  expect_refused({"query", "sgem"}, "no kernel 'sgem'; did you mean 'sgemm'? (there are copy, ");
  expect_refused({"db", "inof"}, "gtune db has no command 'inof'; did you mean 'info'?");
  expect_refused({"sgemm", "--bugdet", "5"}, "did you mean '--budget'?");
  expect_refused({"db", "info", "--jsno"}, "did you mean '--json'?");
  expect_refused({"--hlep"}, "option --hlep is not known; did you mean '--help'?");
}

TEST(CommandLine, WhatNamesNoKernelIsRefused) {
  expect_refused({}, "a kernel or a command is missing");
  expect_refused({"db"}, "a command is missing");
  expect_refused({"query"}, "KERNEL is missing");
  expect_refused({"query", "--json"}, "KERNEL is missing");
  expect_refused({"query", "-"}, "no kernel '-'");
  expect_refused({"query", ""}, "no kernel ''");
  expect_refused({""}, "no kernel or command ''");
  expect_refused({"-"}, "no kernel or command '-'");
  expect_refused({"tune"}, "FILE.toml is missing");
  expect_refused({"tune", "sgemm"}, "sgemm");
  expect_refused({"tune", "/nowhere.toml"}, "/nowhere.toml");
  expect_refused({"sgemm", "query"}, "query");
  expect_refused({"query", "copy", "sgemm"}, "sgemm");
  expect_refused({"list", "copy"}, "copy");
  expect_refused({"query", "++", "sgemm"}, "KERNEL is missing");
  expect_refused({"query", "sgemm", "++", "++", "--nonsense"}, "--nonsense");
}

/// CLI11 treats a size --h and the flag -h as one name, and also knows the argument by a name.
TEST(CommandLine, SizesMayHaveTheNamesOfShortOptionsAndArguments) {
  const auto folder = std::filesystem::temp_directory_path() / "gtune-command-line-test";
  std::filesystem::create_directories(folder);
  const auto file = (folder / "sizes.toml").string();
  std::ifstream in(toy_spec);
  const std::string toy(std::istreambuf_iterator<char>(in), {});
  const std::size_t place = toy.find("[problem]\n");
  ASSERT_NE(place, std::string::npos);
  std::string spec = toy;
  spec.insert(place + 10, "h = 1\no = 1\nkernel = 1\nfile = 1\ntimes = 1\n");
  std::ofstream(file) << spec;
  std::filesystem::copy(data + "/toy.cu", folder,
                        std::filesystem::copy_options::overwrite_existing);
  for (const std::string& command : kernel_commands()) {
    Words words = {command, file};
    if (command != "export") words = words + Words{"--h", "2", "--kernel", "3"};
    EXPECT_EQ(parse_command_line(words, known_kernels()).kernel, file) << command;
    EXPECT_NO_THROW((void)parse_command_line({command, file, "--help"}, known_kernels()))
        << command;
  }
  std::filesystem::remove_all(folder);
}

/// Otherwise `--param A=1 sgemm` would take the kernel as another value.
TEST(CommandLine, NoOptionTakesAnyNumberOfValues) {
  Interface interface;
  for (const CLI::App* command : commands_below(interface.app)) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) continue;
      EXPECT_FALSE(option->get_allow_extra_args()) << option->get_name();
    }
  }
}

/// No size or variant may take the name of an option that a kernel's commands have.
TEST(CommandLine, EveryOptionOfACommandAboutAKernelIsReserved) {
  Interface interface;
  for (const std::string& name : kernel_commands()) {
    const CLI::App* command = interface.app.get_subcommand(name);
    EXPECT_GT(command->get_options().size(), 4U);
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& word : option->get_lnames()) {
        const bool can_be_a_size = word.find('-') == std::string::npos;
        EXPECT_TRUE(!can_be_a_size || is_reserved_option(word)) << name << " --" << word;
      }
    }
  }
}

/// Words close to valid ones, in random order.
TEST(CommandLine, RandomLinesAreUnderstoodOrRefused) {
  Words vocabulary = {"",      "-",      "--",        "++",           "=",
                      "--=",   "-1",     "4096",      "1:8:*2",       "x.toml",
                      "%s",    "é",      "\n",        "-h",           "--help",
                      "sgemm", "copy",   "transpose", "sgemm_tf32x3", "0",
                      "{}",    ",",      "a=b",       "--M",          "--M=",
                      "--TA",  "--math", "tf32x3",    "@f",           "//",
                      "[]",    "-oxy",   "--no-help", toy_spec,       std::string(5000, 'a')};
  Words commands = {"db", "sgemm", "copy"};
  Interface interface;
  for (const CLI::App* command : commands_below(interface.app)) {
    commands.push_back(command->get_name());
    vocabulary = vocabulary + names_of_options(*command);
  }
  vocabulary = vocabulary + commands;
  std::mt19937 random(1);
  int understood = 0;
  for (int i = 0; i < 5000; ++i) {
    Words line;
    if (random() % 4 != 0) line.push_back(commands[random() % commands.size()]);
    for (std::size_t length = line.size() + random() % 7; line.size() < length;) {
      line.push_back(vocabulary[random() % vocabulary.size()]);
      if (random() % 8 == 0) line.back() += "=" + vocabulary[random() % vocabulary.size()];
    }
    try {
      const ParsedCommand parsed = parse_command_line(line, known_kernels());
      EXPECT_TRUE(parsed.action) << text_of(line);
      ++understood;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage) << text_of(line);
    } catch (const std::exception& error) {
      ADD_FAILURE() << text_of(line) << ": " << error.what();
    }
  }
  EXPECT_GT(understood, 20);
}

}  // namespace
}  // namespace gtune::test
