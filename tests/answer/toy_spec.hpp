#pragma once

#include <string>

#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {

/// A spec with a size n, a size `kind` (0 or 1; results of one do not answer for the other) and a
/// parameter A up to 40. Padded work and a constraint are optional.
inline KernelSpec toy_spec(const std::string& padded = "", const std::string& constraint = "",
                           const std::string& grid = "1") {
  const TemporaryFolder folder;
  folder.write("k.cu", "");
  std::string text =
      "[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n[problem]\nn = { default = 64 }\n"
      "kind = { default = 0, choices = [0, 1] }\n[params]\nA = [1";
  for (int a = 2; a <= 40; ++a) text += ", " + std::to_string(a);
  text += "]\n";
  if (!constraint.empty()) text += "[constraints]\nfits = \"" + constraint + "\"\n";
  text += "[launch]\ngrid = [\"" + grid +
          "\"]\nblock = [32]\n[[args]]\nname = \"out\"\ntype = \"f32\"\n"
          "count = \"n\"\ndirection = \"out\"\n";
  if (!padded.empty()) text += "[work]\npadded = \"" + padded + "\"\n";
  text += "[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n";
  return read_spec(folder.write("k.toml", text), {});
}

}  // namespace gtune::test
