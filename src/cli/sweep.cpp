#include "cli/sweep.hpp"

#include <charconv>

#include "cli/common_options.hpp"
#include "cli/parsers.hpp"
#include "cli/value_types.hpp"
#include "model/error.hpp"
#include "spec/shapes_file.hpp"

namespace gtune {
namespace {

struct Shard {
  std::size_t number = 1;  // from 1
  std::size_t count = 1;
};

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec == std::errc() && number.ptr != end && *number.ptr == '/') {
    const auto count = std::from_chars(number.ptr + 1, end, shard.count);
    if (count.ec == std::errc() && count.ptr == end && shard.number >= 1 &&
        shard.number <= shard.count) {
      return shard;
    }
  }
  throw UserError(ExitCode::usage,
                  "--shard " + text + ": expected NUMBER/COUNT from 1/COUNT on, such as 3/8");
}

}  // namespace

void SweepOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--shapes", shapes,
          "Read problems from a file: CSV with a line of names, or lines such as 4096x4096x512")
      ->type_name(value_type::file);
  command
      .add_option("--shard", shard,
                  "Tune only this part of the problems, such as 3/8, to split them among jobs")
      ->type_name(value_type::shard);
}

std::vector<Problem> SweepOptions::problems(const KernelSpec& spec) const {
  if (!shapes.empty() && sizes.any()) {
    throw UserError(ExitCode::usage,
                    "--shapes and sizes exclude each other: write them all into " + shapes);
  }
  std::vector<Problem> all = shapes.empty() ? sizes.problems(spec) : read_shapes(spec, shapes);
  if (shard.empty()) return all;
  const Shard part = parse_shard(shard);
  std::vector<Problem> own;
  for (std::size_t i = part.number - 1; i < all.size(); i += part.count) own.push_back(all[i]);
  return own;
}

}  // namespace gtune
