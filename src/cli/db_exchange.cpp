#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>

#include "cli/common_options.hpp"
#include "cli/db_commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/kernel_finder.hpp"
#include "cli/output.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "exchange/json_lines.hpp"
#include "exchange/t4_results.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"
#include "model/json.hpp"
#include "model/one_line.hpp"
#include "spec/problem_sizes.hpp"
#include "system/gunzip_stream.hpp"
#include "system/write_whole_file.hpp"

// gtune db export and gtune db import.
namespace gtune {
namespace {

struct ExchangeOptions {
  std::string database;
  std::string file;
  std::string format = "jsonl";
  std::string kernel;
  std::string device;
  std::string problem;
  std::vector<std::filesystem::path> data_folders;
};

void add_exchange_options(CLI::App& command, ExchangeOptions& options) {
  add_database_option(command, options.database);
  auto* format = command.add_option("--format", options.format,
                                    "jsonl: the whole database, a line per row; t4: T4 results of "
                                    "one kernel, device and problem");
  add_choices(format, value_type::format, {"jsonl", "t4"})->capture_default_str();
  command.add_option("--kernel", options.kernel, "t4: the kernel's name, such as gemm")
      ->type_name(value_type::stored_kernel);
  command.add_option("--device", options.device, "t4: the device's name, such as 'RTX 3090'")
      ->type_name(value_type::device_name);
  command
      .add_option("--problem", options.problem,
                  "t4: its sizes, such as M=4096,N=4096; sizes of a bundled kernel that are not "
                  "named take their defaults [none]")
      ->type_name(value_type::sizes_list);
}

Problem parse_problem(const std::string& text) {
  Problem problem;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const std::size_t equals = part.find('=');
    std::int64_t value = 0;
    const char* end = part.data() + part.size();
    const char* digits = part.data() + std::min(equals, part.size() - 1) + 1;
    const auto parsed = std::from_chars(digits, end, value);
    if (equals == std::string::npos || equals == 0 || parsed.ec != std::errc() ||
        parsed.ptr != end) {
      throw UserError(ExitCode::usage,
                      "--problem " + text + ": expected NAME=VALUE,... such as M=4096,N=4096");
    }
    problem.set(part.substr(0, equals), value);
  }
  return problem;
}

/// The whole problem: sizes that are not given take the defaults of the bundled kernel of this
/// name. Without such a kernel, or with sizes that it lacks, the problem as given.
Problem whole_problem(const Problem& given, const std::string& kernel, KernelFinder& kernels) {
  const auto spec = kernels.find(kernel);
  if (!spec || given.empty()) return given;
  std::map<std::string, std::vector<std::int64_t>> sizes;
  for (const auto& entry : given.entries()) {
    if (spec->find_size(entry.first) == nullptr) return given;
    sizes[entry.first] = {entry.second};
  }
  return expand_problems(*spec, sizes).front();
}

T4Subject t4_subject(const ExchangeOptions& options) {
  if (options.kernel.empty() || options.device.empty()) {
    throw UserError(ExitCode::usage,
                    "--format t4 needs what the files do not name: --kernel gemm --device 'RTX "
                    "3090' --problem M=4096,N=4096 (the last may be left out)");
  }
  KernelFinder kernels(options.data_folders);
  return {options.kernel, options.device,
          whole_problem(parse_problem(options.problem), options.kernel, kernels)};
}

/// JSON lines hold a whole database: throws if the options ask for a part of it.
void require_meant(const ExchangeOptions& options) {
  if (options.format == "t4") return;
  if (options.kernel.empty() && options.device.empty() && options.problem.empty()) return;
  throw UserError(ExitCode::usage,
                  "--kernel, --device and --problem are for --format t4: without "
                  "it the whole database is exported or imported");
}

/// Throws if the text is of a kind that another command or format imports.
void require_not_gtunes_own(const std::string& text, const std::string& name) {
  if (text.starts_with("SQLite format 3")) {
    throw UserError(ExitCode::failed, name + " is a database: add its results with gtune db merge");
  }
  if (text.starts_with("{\"gtune_rows\"")) {
    throw UserError(ExitCode::failed,
                    name + " is an output of gtune db export: import it without --format t4");
  }
}

/// "file.json:LINE: what is wrong at 'the text there'".
std::string parse_fault(const nlohmann::json::parse_error& error, const std::string& text,
                        const std::string& name) {
  const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
  const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  constexpr std::size_t shown = 30;
  std::string rest = text.substr(at, shown);
  rest = one_line(rest.substr(0, rest.find('\n')));
  return fmt::format("{}:{}: {}{}", name, 1 + lines, json_fault(error),
                     rest.empty() ? "" : " at '" + rest + "'");
}

nlohmann::json parse_file(std::istream& in, const std::string& name) {
  std::string text;
  try {
    text = read_bounded_text(in, k_whole_file_bounds);
    if (text.empty()) throw std::invalid_argument("the file is empty");
    require_not_gtunes_own(text, name);
    return parse_foreign_json(text, k_whole_file_bounds);
  } catch (const std::invalid_argument& error) {
    throw UserError(ExitCode::failed,
                    fmt::format("{}: {}; nothing was imported", name, error.what()));
  } catch (const nlohmann::json::parse_error& error) {
    throw UserError(ExitCode::failed, parse_fault(error, text, name) + "; nothing was imported");
  }
}

int export_rows(const ExchangeOptions& options) {
  require_meant(options);
  Database database(chosen_database(options.database), OpenMode::read_only);
  std::function<void(const std::function<void(std::string_view)>&)> write_to =
      [&](const std::function<void(std::string_view)>& line) { write_json_lines(database, line); };
  if (options.format == "t4") {
    write_to = [text = json_text(t4_from(database, t4_subject(options)), 2)](const auto& line) {
      line(text);
    };
  }
  if (options.file.empty()) {
    write_to([](std::string_view line) {
      print_out(line);
      print_out("\n");
    });
  } else {
    write_whole_file(options.file, [&](std::ostream& out) {
      write_to([&](std::string_view line) { out << line << '\n'; });
    });
  }
  return 0;
}

int import_rows(const ExchangeOptions& options) {
  require_meant(options);
  GunzipStream in(options.file);
  std::string lines;
  if (options.format == "t4") {
    const T4Subject subject = t4_subject(options);
    lines = t4_to_lines(parse_file(in, options.file), options.file, subject);
  }
  std::istringstream made(std::move(lines));
  std::istream& text = options.format == "t4" ? static_cast<std::istream&>(made) : in;
  read_json_lines(text, options.file, chosen_database(options.database));
  return 0;
}

}  // namespace

void add_db_export(CLI::App& db, CommandContext& context) {
  CLI::App* command = db.add_subcommand("export", "Write a database as text");
  auto options = context.keep<ExchangeOptions>();
  options->data_folders = context.folders;
  add_exchange_options(*command, *options);
  add_output_option(*command, options->file);
  add_examples(*command,
               {"gtune db export -o results.jsonl", "# Results of one problem, for other tuners",
                "gtune db export --format t4 --kernel sgemm --device 'NVIDIA H200' "
                "--problem M=4096 -o sgemm.json"});
  command->callback([&context, options] {
    context.action = [options] {
      catch_database_interrupts();
      return export_rows(*options);
    };
  });
}

void add_db_import(CLI::App& db, CommandContext& context) {
  CLI::App* command =
      db.add_subcommand("import", "Add an output of gtune db export, or T4 results, to a database");
  auto options = context.keep<ExchangeOptions>();
  options->data_folders = context.folders;
  add_exchange_options(*command, *options);
  command->add_option("file", options->file, "The file to import")
      ->required()
      ->type_name(value_type::file);
  add_examples(*command,
               {"gtune db import results.jsonl", "# Another tuner's results",
                "gtune db import --format t4 --kernel gemm --device 'RTX 3090' gemm.json"});
  command->callback([&context, options] {
    context.action = [options] {
      catch_database_interrupts();
      return import_rows(*options);
    };
  });
}

}  // namespace gtune
