#include "cli/log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <mutex>

#include "cli/terminal.hpp"
#include "model/one_line.hpp"

namespace gtune {
namespace {

/// The line with its prefix coloured up to the colon, "gtune:" or "note:".
std::string coloured(const std::string& line, spdlog::level::level_enum level) {
  const std::size_t colon = line.find(':');
  const bool is_error = level >= spdlog::level::err;
  if (colon == std::string::npos || !(is_error || line.starts_with("note:"))) return line;
  std::string out(is_error ? colour::error : colour::note);
  out += line.substr(0, colon + 1);
  out += colour::end;
  return out + line.substr(colon + 1);
}

/// Writes each message to standard error as one line, without control characters. Ignores write
/// errors, since nobody may be reading there.
class StandardError : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    std::string line = one_line({message.payload.data(), message.payload.size()});
    if (shows_colour(STDERR_FILENO)) line = coloured(line, message.level);
    line += '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
    flush_();
  }
  void flush_() override { std::fflush(stderr); }
};

}  // namespace

void set_up_log(bool verbose) {
  if (!spdlog::get("gtune")) {
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("gtune", std::make_shared<StandardError>()));
  }
  spdlog::set_level(verbose ? spdlog::level::debug : spdlog::level::info);
}

}  // namespace gtune
