#include "jit/host_parameters.hpp"

#include <cstring>

#include "jit/elf_objects.hpp"
#include "model/host_call.hpp"
#include "system/demangled.hpp"

namespace gtune {

std::optional<HostParameters> host_parameters_in(std::span<const std::byte> shared_object) {
  const std::string begin = "gtune_host::Parameters<";
  const std::string end = ">::values";
  for (const ElfObject& each : elf_objects(shared_object)) {
    const std::string name = demangled(each.name);
    if (!name.starts_with(begin) || !name.ends_with(end)) continue;
    HostParameters found{name.substr(begin.size(), name.size() - begin.size() - end.size()), {}};
    for (auto rest = each.contents; rest.size() >= sizeof(HostParameter);
         rest = rest.subspan(sizeof(HostParameter))) {
      HostParameter one{};
      std::memcpy(&one, rest.data(), sizeof one);
      if (one.bytes == 0) return found;
      found.parameters.push_back({static_cast<std::int64_t>(one.bytes),
                                  static_cast<std::int64_t>(one.alignment), one.is_struct != 0,
                                  one.is_real != 0});
    }
  }
  return std::nullopt;
}

}  // namespace gtune
