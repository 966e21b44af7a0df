#include "system/cpu_governors.hpp"

#include <fstream>
#include <set>

namespace gtune {

std::vector<std::string> cpu_governors(const std::filesystem::path& cores) {
  std::set<std::string> governors;
  std::error_code error;
  for (std::filesystem::directory_iterator core(cores, error), end; !error && core != end;
       core.increment(error)) {
    std::ifstream file(core->path() / "cpufreq" / "scaling_governor");
    if (std::string governor; file >> governor) governors.insert(governor);
  }
  return {governors.begin(), governors.end()};
}

}  // namespace gtune
