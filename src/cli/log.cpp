#include "cli/log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <memory>
#include <mutex>

#include "model/one_line.hpp"

namespace gtune {
namespace {

/// Standard error, a line for each message: whatever is quoted in it, a terminal takes nothing of
/// it for a command. Nobody may be reading there, so what cannot be written is lost.
class StandardError : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    const std::string line = one_line({message.payload.data(), message.payload.size()}) + "\n";
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
