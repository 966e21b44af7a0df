#include "driver_options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace gtune::fuzz {
namespace {

constexpr std::string_view prefix = "fuzz_";  // of the programs

[[noreturn]] void usage(const char* program) {
  std::fprintf(
      stderr,
      "usage: %s [--seed N] [--inputs N] [--seconds S] [--faults FOLDER] [FILE|FOLDER]...\n"
      "Runs the files, then N inputs made from them, for S seconds at most.\n"
      "The same seed makes the same inputs. --inputs 0 FILE repeats one fault.\n",
      program);
  std::exit(2);
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_option(DriverOptions& options, std::string_view name, const char* value) {
  if (name == "--seed") return read_number(value, options.seed);
  if (name == "--inputs") return read_number(value, options.inputs);
  if (name == "--seconds") return read_number(value, options.seconds);
  if (name == "--faults") options.faults = value;
  return name == "--faults";
}

}  // namespace

DriverOptions driver_options(int argc, char** argv) {
  DriverOptions options;
  options.name = std::filesystem::path(argv[0]).filename().string();
  if (options.name.starts_with(prefix)) options.name.erase(0, prefix.size());
  for (int i = 1; i < argc; ++i) {
    if (!std::string_view(argv[i]).starts_with("--")) {
      options.corpus.emplace_back(argv[i]);
    } else if (i + 1 == argc || !read_option(options, argv[i], argv[i + 1])) {
      usage(argv[0]);
    } else {
      ++i;
    }
  }
  return options;
}

}  // namespace gtune::fuzz
