#include "profile/disassembly.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"

namespace gtune {
namespace {

const char* const printed = R"([{"SM":{"version":{"major":9,"minor":0}}},[
{"function-name":"_Z1kPf","start":0,"length":48,"other-attributes":[],"sass-instructions":[
{"opcode":"LDC","operands":"R1,c[0x0][0x28]"},{"predicate":"@P0","opcode":"LDG.E.128"},
{"opcode":"EXIT"}]},
{"function-name":"$divide","start":48,"length":16,"sass-instructions":[{"opcode":"MUFU.RCP"}]},
{"function-name":"$rest","start":64,"length":16,"sass-instructions":[{"opcode":"RET"}]},
{"function-name":"other","start":0,"length":16,"sass-instructions":[{"opcode":"NOP"}]}]])";

TEST(Disassembly, EachInstructionHasItsOpcode) {
  const Disassembly disassembly = Disassembly::read(printed);
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 0), "LDC");
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 16), "LDG.E.128");
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 32), "EXIT");
  EXPECT_EQ(disassembly.opcode_of("other", 0), "NOP");
}

TEST(Disassembly, FunctionsInTheSectionOfAKernelArePartsOfIt) {
  const Disassembly disassembly = Disassembly::read(printed);
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 48), "MUFU.RCP");
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 64), "RET");
  EXPECT_EQ(disassembly.opcode_of("$divide", 48), "MUFU.RCP");
}

TEST(Disassembly, WhatIsNotThereHasNone) {
  const Disassembly disassembly = Disassembly::read(printed);
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 80), "");
  EXPECT_EQ(disassembly.opcode_of("other", 16), "");
  EXPECT_EQ(disassembly.opcode_of("$divide", 0), "");
  EXPECT_EQ(disassembly.opcode_of("nothing", 0), "");
}

TEST(Disassembly, AnotherFormIsRefused) {
  for (const char* text : {"", "{}", "[]", "[{},[{}]]", "Fatal: no such option -json"}) {
    EXPECT_ANY_THROW((void)Disassembly::read(text)) << text;
  }
}

/// A program in place of nvdisasm, which leaves a line in `calls` each time.
class FakeNvdisasm : public testing::Test {
 protected:
  void answer(const std::string& commands) const {
    const auto program =
        m_folder.write("nvdisasm", "#!/bin/sh\necho >>'" + calls().string() + "'\n" + commands);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] std::filesystem::path calls() const { return m_folder.path() / "calls"; }

  test::TemporaryFolder m_folder;
  test::EnvironmentVariable m_path{"PATH", m_folder.path().string() + ":/usr/bin:/bin"};
  std::vector<std::byte> m_cubin{16};
};

TEST_F(FakeNvdisasm, WarningsAreNoPartOfWhatItPrints) {
  answer("echo 'nvdisasm warning : something' >&2\ncat <<'END'\n" + std::string(printed) +
         "\nEND\n");
  const auto disassembly = Disassembler().disassemble(m_cubin);
  ASSERT_TRUE(disassembly);
  EXPECT_EQ(disassembly->opcode_of("_Z1kPf", 0), "LDC");
}

TEST_F(FakeNvdisasm, AfterAFailureItIsNotRunAgain) {
  answer("echo 'unknown option -json'\nexit 1\n");
  Disassembler disassembler;
  EXPECT_FALSE(disassembler.disassemble(m_cubin));
  EXPECT_FALSE(disassembler.disassemble(m_cubin));
  EXPECT_EQ(std::filesystem::file_size(calls()), 1U);
}

TEST_F(FakeNvdisasm, IsRunForEachKernel) {
  answer("cat <<'END'\n" + std::string(printed) + "\nEND\n");
  Disassembler disassembler;
  EXPECT_TRUE(disassembler.disassemble(m_cubin));
  EXPECT_TRUE(disassembler.disassemble(m_cubin));
  EXPECT_EQ(std::filesystem::file_size(calls()), 2U);
}

}  // namespace
}  // namespace gtune
