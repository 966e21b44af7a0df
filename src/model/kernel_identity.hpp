#pragma once

#include <string>
#include <vector>

namespace gtune {

/// Two measurements of a kernel are comparable only if all of this is equal.
struct KernelIdentity {
  std::string name;                          // the subcommand: "sgemm"
  std::string source_hash;                   // hex, over sources, includes and data files
  std::string spec_hash;                     // hex, over the spec's text
  std::vector<std::string> problem_names;    // in the spec's order
  std::vector<std::string> parameter_names;  // in the spec's order
};

/// A file of a kernel's source.
struct SourceFile {
  std::string name;    // relative to the source's folder; elsewhere only the file name
  std::string digest;  // see hex_digest
};

/// Versions of the programs between source and GPU that influence measurements.
struct Toolchain {
  std::string driver;   // "580.159"
  std::string runtime;  // "13.0"
  std::string nvrtc;    // release of the spec's compiler, NVRTC or nvcc: "13.0"
  std::string cupti;    // empty if there is none
  std::string gtune;    // "0.1.0"
};

}  // namespace gtune
