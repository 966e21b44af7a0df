#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jit/kernel_parameters.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// An argument of a spec that a compiled kernel cannot take. The line names the kernel between
/// its two parts, so that kernels of the same mistake share one.
struct ArgumentMistake {
  std::optional<std::size_t> index;  // among the arguments; absent: their number is wrong
  std::string begin;                 // "argument 'n' is i64, but parameter 3 of "
  std::string end;                   // " is an integer of 4 bytes; write type = \"i32\""
};

/// Compares a spec's arguments with the parameters of a kernel, as they were compiled. A buffer
/// takes a pointer, a tensor map 128 bytes, a scalar as many as its type, and neither an integer
/// passes for a float nor a float for an integer. `names`: of the parameters, as the source has
/// them; empty where they are not known.
[[nodiscard]] std::vector<ArgumentMistake> match_arguments(
    const std::vector<ArgumentSpec>& arguments, const std::vector<KernelParameter>& parameters,
    const std::vector<std::string>& names = {});

/// Mistakes of several kernels, each said once for all of its kernels.
class ArgumentMistakes {
 public:
  struct Said {
    std::string at;
    std::string line;
  };

  /// `at`: its place in the spec.
  void add(const std::string& at, const std::string& kernel, const ArgumentMistake& mistake);
  [[nodiscard]] std::vector<Said> all() const;

 private:
  struct Shared {
    std::string at;
    ArgumentMistake mistake;
    std::vector<std::string> kernels;
  };
  std::vector<Shared> m_shared;
};

}  // namespace gtune
