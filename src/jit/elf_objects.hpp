#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gtune {

/// A variable that a cubin or a shared object defines.
struct ElfObject {
  std::string name;
  std::int64_t bytes = 0;
  std::span<const std::byte> contents;  // in the image; empty if not stored there, as for zeros
};

/// The variables of a 64-bit ELF image in the host's byte order. Empty if it is anything else, or
/// damaged. The result refers to the image.
[[nodiscard]] std::vector<ElfObject> elf_objects(std::span<const std::byte> image);

/// The contents of the section `name` of such an image; empty if there is none.
[[nodiscard]] std::span<const std::byte> elf_section(std::span<const std::byte> image,
                                                     const std::string& name);

}  // namespace gtune
