#pragma once

#include <string>
#include <vector>

namespace gtune {

/// What has to be the same for two measurements of a kernel to be comparable.
struct KernelIdentity {
  std::string name;                          // the subcommand: "sgemm"
  std::string source_hash;                   // hex, over the source and every include
  std::string spec_hash;                     // hex, over the spec's text
  std::vector<std::string> problem_names;    // in the spec's order
  std::vector<std::string> parameter_names;  // in the spec's order
};

/// A file of a kernel's source.
struct SourceFile {
  std::string name;    // from the source's folder; of files elsewhere the name alone
  std::string digest;  // see hex_digest
};

/// The programs between source and GPU, as far as they change what is measured.
struct Toolchain {
  std::string driver;   // "580.159"
  std::string runtime;  // "13.0"
  std::string nvrtc;    // the compiler's release: "13.0"; of nvcc where the spec takes that
  std::string cupti;    // empty where there is none
  std::string gtune;    // "0.1.0"
};

}  // namespace gtune
