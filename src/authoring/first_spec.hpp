#pragma once

#include <set>
#include <string>
#include <vector>

#include "authoring/declared_struct.hpp"
#include "authoring/host_launch.hpp"
#include "authoring/signature.hpp"
#include "authoring/source_outline.hpp"
#include "model/compiler.hpp"

namespace gtune {

/// What gtune knows about a kernel without a spec.
struct KernelFacts {
  std::string source;       // as the spec names it
  std::string kernel_name;  // `name` in the spec; empty: the file's name is used
  Compiler compiler = Compiler::nvrtc;
  std::string refusal = {};          // with nvcc: the first of NVRTC's errors
  std::vector<std::string> options;  // for the compiler, as written into the spec
  std::string schema;                // path of the spec's JSON schema; empty: not found
  OutlinedKernel kernel;
  Tokens called;                      // the bodies of the functions that it calls
  std::vector<ParameterType> types;   // of the parameters
  std::vector<std::int64_t> bytes;    // of each parameter; empty: unknown
  std::vector<SettableMacro> macros;  // that a build may or must define
  NamedConstants constants;           // that the source defines
  NamedConstants fixed;               // those of `constants` that the kernel names
  TypeOutline declared_types;
  std::vector<OutlinedVariable> variables;  // device variables that the kernel needs filled
  HostLaunch launch;
  std::vector<std::string> pack_arguments;  // of the template's pack; empty: none are known
  /// The values of each template parameter in the source's explicit instantiations.
  std::vector<std::vector<std::int64_t>> instantiated;
  std::size_t fixed_arguments = 0;  // the template's first ones, which the user has chosen
  OutlinedKernel reference;  // a kernel that looks like a reference; has no name if there is none
  HostLaunch reference_launch;
  std::set<std::string> words;       // of the source and its own headers
  bool takes_shared_memory = false;  // dynamic shared memory: the launch sets its size

  /// The launch's argument for the template's type parameter at `index`; "float", a guess, if the
  /// launch does not show it.
  [[nodiscard]] std::string type_argument(std::size_t index) const;
};

/// A spec in TOML that `gtune check` can read. TODO marks each guess and each value that the user
/// must supply.
[[nodiscard]] std::string first_spec(const KernelFacts& facts);

/// The entry with a value for each template parameter, "scale<128,float>": the instance whose
/// parameter types the compiler is asked for.
[[nodiscard]] std::string example_entry(const KernelFacts& facts);

}  // namespace gtune
