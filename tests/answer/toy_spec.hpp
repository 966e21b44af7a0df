#pragma once

#include <string>

#include "spec/spec_reader.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {

/// A spec with sizes n and `kind` (0 or 1; results of one do not answer for the other). `params`
/// ends with other tables, if there are any. Padded work and a constraint are optional.
inline KernelSpec spec_with(const std::string& entry, const std::string& params,
                            const std::string& padded = "", const std::string& constraint = "",
                            const std::string& grid = "1") {
  const TemporaryFolder folder;
  folder.write("k.cu", "");
  std::string text = "[kernel]\nsource = \"k.cu\"\nentry = \"" + entry +
                     "\"\n[problem]\nn = { default = 64 }\n"
                     "kind = { default = 0, choices = [0, 1] }\n[params]\n" +
                     params;
  if (!constraint.empty()) text += "[constraints]\nfits = \"" + constraint + "\"\n";
  text += "[launch]\ngrid = [\"" + grid +
          "\"]\nblock = [32]\n[[args]]\nname = \"out\"\ntype = \"f32\"\n"
          "count = \"n\"\ndirection = \"out\"\n";
  if (!padded.empty()) text += "[work]\npadded = \"" + padded + "\"\n";
  text += "[check]\nreference = { entry = \"k\", grid = [1], block = [32] }\nrtol = 0.0\n";
  return read_spec(folder.write("k.toml", text), {});
}

/// "A = [1, 2, ..., 40]"
inline std::string forty_values() {
  std::string text = "A = [1";
  for (int a = 2; a <= 40; ++a) text += ", " + std::to_string(a);
  return text + "]\n";
}

/// With a parameter A up to 40.
inline KernelSpec toy_spec(const std::string& padded = "", const std::string& constraint = "",
                           const std::string& grid = "1") {
  return spec_with("k", forty_values(), padded, constraint, grid);
}

}  // namespace gtune::test
