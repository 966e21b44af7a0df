#include "cli/timing_options.hpp"

#include "cli/parsers.hpp"
#include "cli/value_types.hpp"

namespace gtune {

void TimingOptions::add_to_measuring(CLI::App& command) {
  add_to(command,
         "How launches follow each other [cold]\n"
         "  cold: one at a time, with an L2 cache that holds none of their data\n"
         "  warm: one at a time\n"
         "  back-to-back: many in a row, the host's work included\n"
         "  graph: many in a row, as a CUDA graph",
         "Launch on this many streams at once, each with buffers of its own; the time is per "
         "launch");
  for (const char* name : {"--timing", "--streams"}) {
    command.get_option(name)->group(option_group::measuring);
  }
}

void TimingOptions::add_to_reading(CLI::App& command) {
  add_to(command,
         "Only results of this mode: " + std::string(all_launch_orders) +
             " [cold, else warm, else others]",
         "Only results of launches on this many streams at once");
}

void TimingOptions::add_to(CLI::App& command, const std::string& timing_help,
                           const std::string& streams_help) {
  add_choices(command.add_option("--timing", m_order, timing_help), value_type::timing,
              {"cold", "warm", "back-to-back", "graph"});
  command.add_option("--streams", m_streams, streams_help)
      ->check(CLI::Range(1, most_timed_streams))
      ->type_name(value_type::number)
      ->capture_default_str();
}

TimingMode TimingOptions::mode() const {
  TimingMode mode;
  if (!m_order.empty()) mode.order = launch_order_from_string(m_order);
  mode.streams = m_streams;
  return mode;
}

std::optional<TimingMode> TimingOptions::asked() const {
  if (m_order.empty() && m_streams == 1) return std::nullopt;
  return mode();
}

}  // namespace gtune
