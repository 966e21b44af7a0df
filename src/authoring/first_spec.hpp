#pragma once

#include <string>
#include <vector>

#include "authoring/declared_struct.hpp"
#include "authoring/host_launch.hpp"
#include "authoring/signature.hpp"
#include "authoring/source_outline.hpp"
#include "model/compiler.hpp"

namespace gtune {

/// What is known of a kernel that has no spec yet.
struct KernelFacts {
  std::string source;       // as the spec names it
  std::string kernel_name;  // in the spec; empty: its file's name does
  Compiler compiler = Compiler::nvrtc;
  std::vector<std::string> options;  // of the compiler, as the spec says them
  std::string schema;                // of the spec's TOML; empty: not found
  OutlinedKernel kernel;
  std::vector<ParameterType> types;   // of its parameters
  std::vector<std::int64_t> bytes;    // of each of them; empty: not known
  std::vector<SettableMacro> macros;  // that the source lets a build set, or leaves to it
  NamedConstants constants;           // that the source fixes,
  NamedConstants fixed;               //  and those among them that the kernel names
  TypeOutline declared_types;
  HostLaunch launch;
  OutlinedKernel reference;  // another kernel that looks like one; may have no name
  HostLaunch reference_launch;
  bool takes_shared_memory = false;  // it declares some whose size the launch says
};

/// A spec in TOML that `gtune check` can read, in which all that is guessed, and all that the user
/// still has to say, is marked with TODO.
[[nodiscard]] std::string first_spec(const KernelFacts& facts);

/// The entry with a value for each template parameter, to ask for its signature:
/// "scale<128,float>".
[[nodiscard]] std::string example_entry(const OutlinedKernel& kernel, const HostLaunch& launch);

}  // namespace gtune
