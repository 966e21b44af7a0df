#include "profile/disassembly.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "model/foreign_json.hpp"
#include "system/find_program.hpp"
#include "system/program_output.hpp"
#include "system/scratch_folder.hpp"
#include "system/write_whole_file.hpp"

namespace gtune {
namespace {

/// The size of an instruction since Volta (7.0); CUPTI does not sample older devices.
constexpr std::uint64_t instruction_bytes = 16;
/// Megabytes of machine code take a few seconds.
constexpr std::chrono::milliseconds longest_run = std::chrono::seconds(20);

}  // namespace

Disassembly Disassembly::read(std::string_view text) {
  const nlohmann::json parsed = parse_foreign_json(text);
  Disassembly out;
  Function* kernel = nullptr;  // whose section the function is in
  for (const auto& each : parsed.at(1)) {
    Function function;
    each.at("start").get_to(function.start);
    for (const auto& instruction : each.at("sass-instructions")) {
      function.opcodes.push_back(instruction.at("opcode").get<std::string>());
    }
    if (function.start > 0 && kernel != nullptr) kernel->include(function);
    Function& added = out.m_functions[each.at("function-name").get<std::string>()];
    added = std::move(function);
    if (added.start == 0) kernel = &added;
  }
  return out;
}

void Disassembly::Function::include(const Function& part) {
  const std::uint64_t place = part.start / instruction_bytes;
  if (place == opcodes.size())
    opcodes.insert(opcodes.end(), part.opcodes.begin(), part.opcodes.end());
}

std::string Disassembly::opcode_of(const std::string& function, std::uint64_t offset) const {
  const auto found = m_functions.find(function);
  if (found == m_functions.end() || offset < found->second.start) return "";
  const std::uint64_t place = (offset - found->second.start) / instruction_bytes;
  return place < found->second.opcodes.size() ? found->second.opcodes[place] : "";
}

std::optional<Disassembly> Disassembler::disassemble(std::span<const std::byte> cubin) {
  const auto program = m_failed ? std::nullopt : find_toolkit_program("nvdisasm");
  if (!program) return std::nullopt;
  m_failed = true;  // unless it succeeds
  try {
    const ScratchFolder scratch;
    const auto file = scratch.path() / "kernel.cubin";
    write_whole_file(file, std::string(reinterpret_cast<const char*>(cubin.data()), cubin.size()));
    const ProgramOutput output =
        run_to_end({{program->string(), "-json", file.string()}, {}, longest_run, false});
    if (!output.succeeded) return std::nullopt;
    Disassembly disassembly = Disassembly::read(output.text);
    m_failed = false;
    return disassembly;
  } catch (const std::exception&) {  // an nvdisasm that is too old, or no space for the file
    return std::nullopt;
  }
}

}  // namespace gtune
