#include "jit/elf_objects.hpp"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace gtune {
namespace {

using Bytes = std::span<const std::byte>;

/// Empty if the image is too short.
Bytes part(Bytes image, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > image.size() || bytes > image.size() - offset) return {};
  return image.subspan(offset, bytes);
}

/// The bytes may lie at any address, so they are copied.
template <typename Record>
std::optional<Record> record_at(Bytes image, std::uint64_t offset) {
  const Bytes from = part(image, offset, sizeof(Record));
  if (from.empty()) return std::nullopt;
  Record record{};
  std::memcpy(&record, from.data(), sizeof record);
  return record;
}

std::vector<Elf64_Shdr> sections_of(Bytes image) {
  const auto header = record_at<Elf64_Ehdr>(image, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (header->e_ident[EI_CLASS] != ELFCLASS64) return {};
  if (header->e_shoff > image.size()) return {};
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section =
        record_at<Elf64_Shdr>(image.subspan(header->e_shoff), i * sizeof(Elf64_Shdr));
    if (!section) return {};
    sections.push_back(*section);
  }
  return sections;
}

std::string name_at(Bytes names, std::uint64_t offset) {
  if (offset >= names.size()) return "";
  const Bytes rest = names.subspan(offset);
  const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
  return std::string(text.substr(0, text.find('\0')));
}

/// A cubin's sections are at address 0, so its symbols' values are offsets in their sections.
Bytes contents_of(Bytes image, const Elf64_Sym& symbol, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || symbol.st_value < section.sh_addr) return {};
  const std::uint64_t offset = symbol.st_value - section.sh_addr;
  return part(part(image, section.sh_offset, section.sh_size), offset, symbol.st_size);
}

}  // namespace

std::vector<ElfObject> elf_objects(Bytes image) {
  const std::vector<Elf64_Shdr> sections = sections_of(image);
  std::vector<ElfObject> objects;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    const Elf64_Shdr& strings = sections[table.sh_link];
    const Bytes names = part(image, strings.sh_offset, strings.sh_size);
    const Bytes symbols = part(image, table.sh_offset, table.sh_size);
    for (std::uint64_t at = 0; at < symbols.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = record_at<Elf64_Sym>(symbols, at);
      if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT) continue;
      if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= sections.size()) continue;
      objects.push_back({name_at(names, symbol->st_name),
                         static_cast<std::int64_t>(symbol->st_size),
                         contents_of(image, *symbol, sections[symbol->st_shndx])});
    }
  }
  return objects;
}

Bytes elf_section(Bytes image, const std::string& name) {
  const std::vector<Elf64_Shdr> sections = sections_of(image);
  const auto header = record_at<Elf64_Ehdr>(image, 0);
  if (!header || header->e_shstrndx >= sections.size()) return {};
  const Elf64_Shdr& strings = sections[header->e_shstrndx];
  const Bytes names = part(image, strings.sh_offset, strings.sh_size);
  for (const Elf64_Shdr& section : sections) {
    const bool has_contents = section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL;
    if (has_contents && name_at(names, section.sh_name) == name) {
      return part(image, section.sh_offset, section.sh_size);
    }
  }
  return {};
}

}  // namespace gtune
