#include "explain/moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "model/error.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

constexpr std::size_t k_most_moves = 4;
/// Any change of the code may change registers or spills by less than this.
constexpr double k_clear_change = 0.95;

Config moved(Config config, const std::string& parameter, std::int64_t to) {
  config.set(parameter, to);
  return config;
}

/// The nearest values of the parameter below and above its own with which the configuration, else
/// unchanged, is valid.
std::vector<std::int64_t> next_values(const MoveContext& context, const Parameter& parameter,
                                      std::int64_t value) {
  const auto is_valid = [&](std::int64_t to) {
    return satisfies(context.spec,
                     {context.from.problem, moved(context.from.config, parameter.name, to),
                      context.from.device});
  };
  std::vector<std::int64_t> sorted = parameter.values;
  std::sort(sorted.begin(), sorted.end());
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), value);
  const auto below = std::make_reverse_iterator(std::lower_bound(sorted.begin(), above, value));
  std::vector<std::int64_t> next;
  const auto lower = std::find_if(below, sorted.rend(), is_valid);
  if (lower != sorted.rend()) next.push_back(*lower);
  const auto higher = std::find_if(above, sorted.end(), is_valid);
  if (higher != sorted.end()) next.push_back(*higher);
  return next;
}

std::optional<LaunchPlan> launch_of(const MoveContext& context, const Config& config) {
  if (needs_facts(context.spec, context.spec.steps)) return std::nullopt;
  try {
    return only_launch(
        plan_steps(context.spec, {context.from.problem, config, context.from.device}));
  } catch (const UserError&) {
    return std::nullopt;  // the launch has no value with this change
  }
}

std::string change_text(const char* what, double from, double to) {
  return fmt::format("{} {:.0f} -> {:.0f}", what, from, to);
}

/// How a move serves a goal of the launch; empty if it does not.
std::string launch_effect(const MoveContext& context, const Config& to, Goal goal) {
  const auto before = launch_of(context, context.from.config);
  const auto after = launch_of(context, to);
  if (!before || !after) return "";
  const auto text = [](const char* what, std::int64_t from, std::int64_t now) {
    return change_text(what, static_cast<double>(from), static_cast<double>(now));
  };
  const bool more_shared = after->shared_bytes > before->shared_bytes;
  if (goal == Goal::less_shared && after->shared_bytes < before->shared_bytes) {
    return text("bytes of shared memory", before->shared_bytes, after->shared_bytes);
  }
  const std::int64_t threads_before = before->threads_per_block();
  const std::int64_t threads_after = after->threads_per_block();
  if ((goal == Goal::fewer_threads && threads_after < threads_before) ||
      (goal == Goal::more_threads && threads_after > threads_before)) {
    return text("threads per block", threads_before, threads_after);
  }
  if ((goal == Goal::more_blocks && after->blocks() > before->blocks()) ||
      (goal == Goal::larger_tiles && after->blocks() < before->blocks() && more_shared)) {
    return change_text("blocks", before->blocks(), after->blocks());
  }
  return "";
}

/// "registers 206 -> 132"; empty if one is unknown, or the number does not fall clearly.
std::string fall_text(const char* what, std::optional<double> before, std::optional<double> after) {
  if (!before || !after || *after >= k_clear_change * *before) return "";
  return change_text(what, *before, *after);
}

/// How a move changes a number that the compiler determines: for this configuration if its
/// neighbour was measured, otherwise on average over all measured pairs. Empty if there is no pair,
/// or the number does not fall.
std::string measured_effect(const MoveContext& context, const std::string& parameter,
                            std::int64_t from, std::int64_t to, const char* what,
                            std::optional<double> ConfigSpeed::*number) {
  const std::string own = moved(context.from.config, parameter, to).text();
  if (context.only_to != nullptr) {
    const auto before = context.only_to->find(context.from.config.text());
    const auto after = context.only_to->find(own);
    if (before == context.only_to->end() || after == context.only_to->end()) return "";
    return fall_text(what, before->second->*number, after->second->*number);
  }
  std::map<std::string, double> with_from;  // by the other parameters
  for (const ConfigSpeed& each : context.measured) {
    if (each.config.find(parameter) != from || !(each.*number)) continue;
    with_from[moved(each.config, parameter, to).text()] = *(each.*number);
  }
  double before = 0, after = 0;
  int pairs = 0;
  for (const ConfigSpeed& each : context.measured) {
    if (each.config.find(parameter) != to || !(each.*number)) continue;
    const auto pair = with_from.find(each.config.text());
    if (pair == with_from.end()) continue;
    if (pair->first == own) {
      before = pair->second;
      after = *(each.*number);
      pairs = 1;
      break;
    }
    before += pair->second;
    after += *(each.*number);
    ++pairs;
  }
  if (pairs == 0) return "";
  const std::string text = fall_text(what, before / pairs, after / pairs);
  return text.empty() || pairs == 1 ? text : text + fmt::format(", the mean of {} pairs", pairs);
}

std::optional<double> best_with(const MoveContext& context, const std::string& parameter,
                                std::int64_t value) {
  std::optional<double> best;
  for (const ConfigSpeed& each : context.measured) {
    if (each.config.find(parameter) != value) continue;
    if (!best || each.median_ms < *best) best = each.median_ms;
  }
  return best;
}

std::string effect_of(const MoveContext& context, const std::string& parameter, const Config& there,
                      Goal goal) {
  const std::int64_t from = context.from.config.find(parameter).value();
  const std::int64_t to = there.find(parameter).value();
  if (goal == Goal::fewer_registers) {
    return measured_effect(context, parameter, from, to, "registers", &ConfigSpeed::registers);
  }
  if (goal == Goal::fewer_spills) {
    return measured_effect(context, parameter, from, to, "spilled bytes",
                           &ConfigSpeed::spilled_bytes);
  }
  return launch_effect(context, there, goal);
}

}  // namespace

std::vector<Move> find_moves(const MoveContext& context, Goal goal) {
  if (goal == Goal::none || context.from.config.empty()) return {};
  std::vector<Move> moves;
  for (const Parameter& parameter : context.spec.params) {
    const auto from = context.from.config.find(parameter.name);
    if (!from) continue;
    for (const std::int64_t to : next_values(context, parameter, *from)) {
      const Config there = moved(context.from.config, parameter.name, to);
      if (context.only_to != nullptr && !context.only_to->contains(there.text())) continue;
      const std::string effect = effect_of(context, parameter.name, there, goal);
      if (effect.empty()) continue;
      moves.push_back({parameter.name, *from, to, effect, best_with(context, parameter.name, to)});
    }
  }
  std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) {
    constexpr double unknown = std::numeric_limits<double>::infinity();
    return a.best_ms.value_or(unknown) < b.best_ms.value_or(unknown);
  });
  if (moves.size() > k_most_moves) moves.resize(k_most_moves);
  return moves;
}

}  // namespace gtune
