#include "tuned.hpp"

#include <unistd.h>

#include <chrono>

#include "model/checked_json.hpp"
#include "model/error.hpp"
#include "system/child_process.hpp"

namespace gtune::bench {
namespace {

std::string read_to_end(int file) {
  std::string all;
  char part[4096];
  for (ssize_t count; (count = read(file, part, sizeof part)) > 0;) {
    all.append(part, static_cast<std::size_t>(count));
  }
  return all;
}

}  // namespace

Tuned tune(const std::string& program, const std::string& kernel, const Problem& problem,
           const std::vector<std::string>& more) {
  std::vector<std::string> command = {program, kernel, "--device", "0", "--json", "--quiet"};
  for (const auto& [name, value] : problem.entries()) {
    command.push_back("--" + name);
    command.push_back(std::to_string(value));
  }
  command.insert(command.end(), more.begin(), more.end());
  const auto start = std::chrono::steady_clock::now();
  ChildProcess child(command);
  child.close_stdin();
  const std::string output = read_to_end(child.stdout_fd());
  if (child.wait() != "exit code 0") {
    throw UserError(ExitCode::failed, problem.text() + ": " + child.last_stderr_line());
  }
  Tuned tuned;
  tuned.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const auto report = nlohmann::json::parse(output);
  for (const auto& [name, value] : report.at("best").at("config").items()) {
    tuned.config.set(name, value.get<std::int64_t>());
  }
  tuned.tried = report.at("tried").get<long>();
  return tuned;
}

}  // namespace gtune::bench
