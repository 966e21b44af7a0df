#include "profile/disassembly.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

const char* const printed = R"([{"SM":{"version":{"major":9,"minor":0}}},[
{"function-name":"_Z1kPf","start":0,"length":48,"other-attributes":[],"sass-instructions":[
{"opcode":"LDC","operands":"R1,c[0x0][0x28]"},{"predicate":"@P0","opcode":"LDG.E.128"},
{"opcode":"EXIT"}]},
{"function-name":"small","start":32,"length":16,"sass-instructions":[{"opcode":"NOP"}]}]])";

TEST(Disassembly, EachInstructionHasItsOpcode) {
  const Disassembly disassembly = Disassembly::read(printed);
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 0), "LDC");
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 16), "LDG.E.128");
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 32), "EXIT");
  EXPECT_EQ(disassembly.opcode_of("small", 32), "NOP");
}

TEST(Disassembly, WhatIsNotThereHasNone) {
  const Disassembly disassembly = Disassembly::read(printed);
  EXPECT_EQ(disassembly.opcode_of("_Z1kPf", 48), "");
  EXPECT_EQ(disassembly.opcode_of("small", 0), "");
  EXPECT_EQ(disassembly.opcode_of("other", 0), "");
}

TEST(Disassembly, AnotherFormIsRefused) {
  for (const char* text : {"", "{}", "[]", "[{},[{}]]", "Fatal: no such option -json"}) {
    EXPECT_ANY_THROW((void)Disassembly::read(text)) << text;
  }
}

}  // namespace
}  // namespace gtune
