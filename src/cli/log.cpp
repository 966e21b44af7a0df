#include "cli/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace gtune {

void set_up_log(bool verbose) {
  if (!spdlog::get("gtune")) {
    spdlog::set_default_logger(spdlog::stderr_logger_st("gtune"));
    spdlog::set_pattern("%v");
  }
  spdlog::set_level(verbose ? spdlog::level::debug : spdlog::level::info);
}

}  // namespace gtune
