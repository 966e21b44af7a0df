#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>

#include "model/error.hpp"
#include "spec/entry.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "worker/recording.hpp"

namespace gtune::test {

inline const std::string repository = GTUNE_SOURCE_DIR;

/// Problems and configurations of one kernel: made up, but the same every time.
class MadeUp {
 public:
  explicit MadeUp(const std::string& file)
      : spec(read_spec(file, std::array{std::filesystem::path(repository + "/kernels")})) {
    device = read_recording_header(repository + "/db/recordings/copy-1GiB-h200.jsonl").device;
    device.name = "One";
    for (const ProblemSize& size : spec.sizes) sizes.push_back(size.name);
    for (const Parameter& param : spec.params) params.push_back(param.name);
  }

  /// Any value of each parameter that exists; mostly invalid.
  Config config() {
    Config made;
    for (const Parameter& param : spec.params) {
      made.set(param.name, param.values[m_random() % param.values.size()]);
    }
    const Config existing = existing_values(spec, made);
    for (const Parameter& param : spec.params) {
      if (!existing.find(param.name)) made.set(param.name, param.values.front());
    }
    return made;
  }

  /// Omitted sizes are -1, as in calls of the exported function.
  NamedValues given() {
    NamedValues made;
    for (const ProblemSize& size : spec.sizes) {
      if (!size.choices.empty()) {
        made.set(size.name, size.choices[m_random() % size.choices.size()]);
      } else if (m_random() % 3 == 0 || made.empty()) {
        const std::uint64_t octave = std::uint64_t{1} << m_random() % 20;
        const auto value = static_cast<std::int64_t>(octave + m_random() % octave);
        made.set(size.name, std::max(size.minimum, m_random() % 2 == 0 ? value : value / 16 * 16));
      } else {
        made.set(size.name, -1);
      }
    }
    return made;
  }

  /// The whole problem; absent if a size that follows is out of range.
  std::optional<Problem> problem(const NamedValues& given) const {
    std::map<std::string, std::vector<std::int64_t>> lists;
    for (const auto& [name, value] : given.entries()) {
      if (value != -1) lists[name] = {value};
    }
    try {
      return expand_problems(spec, lists).front();
    } catch (const UserError&) {
      return std::nullopt;
    }
  }

  /// At most `most` valid configurations.
  std::vector<Config> valid_configs(const Problem& problem, std::size_t most) {
    std::vector<Config> found;
    for (int i = 0; i < 6000 && found.size() < most; ++i) {
      Config made = config();
      const bool known = std::find(found.begin(), found.end(), made) != found.end();
      if (!known && satisfies(spec, {problem, made, device})) found.push_back(std::move(made));
    }
    return found;
  }

  /// The lets that are arguments of the kernel's template.
  [[nodiscard]] std::vector<std::string> template_lets() const {
    std::vector<std::string> names = template_arguments(spec.steps);
    std::erase_if(names, [&](const std::string& name) { return spec.find_let(name) == nullptr; });
    return names;
  }

  double time_ms() { return 1 + 0.001 * static_cast<double>(m_random() % 1000); }

  KernelSpec spec;
  DeviceFacts device;
  std::vector<std::string> sizes;
  std::vector<std::string> params;

 private:
  std::mt19937_64 m_random{11};
};

}  // namespace gtune::test
