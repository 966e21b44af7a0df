#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gtune {

/// The opcodes of a cubin's instructions, such as "LDG.E.128".
class Disassembly {
 public:
  /// Reads what `nvdisasm -json` prints. Throws nlohmann::json::exception or std::invalid_argument.
  [[nodiscard]] static Disassembly read(std::string_view text);

  /// `function`: mangled. Empty if there is no such instruction.
  [[nodiscard]] std::string opcode_of(const std::string& function, std::uint64_t offset) const;

 private:
  struct Function {
    std::uint64_t start = 0;  // in its section, in bytes
    std::vector<std::string> opcodes;

    /// Takes in what follows in the same section, such as divisions: for CUPTI, it is the kernel.
    void include(const Function& part);
  };
  std::map<std::string, Function> m_functions;
};

/// Runs nvdisasm, which not every toolkit has.
class Disassembler {
 public:
  /// Absent without an nvdisasm that prints JSON. After a failure, none is run any more: each could
  /// take as long.
  [[nodiscard]] std::optional<Disassembly> disassemble(std::span<const std::byte> cubin);

 private:
  bool m_failed = false;
};

}  // namespace gtune
