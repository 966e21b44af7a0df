#pragma once

#include <optional>
#include <string>
#include <vector>

#include "authoring/signature.hpp"
#include "jit/kernel_parameters.hpp"
#include "spec/kernel_spec.hpp"

namespace gtune {

/// An argument of a spec that does not fit a compiled kernel. The message has the kernel's name
/// between its two parts, so that kernels with the same mistake share one message.
struct ArgumentMistake {
  std::optional<std::size_t> index;  // of the argument; absent: the number of arguments is wrong
  std::string begin;                 // "argument 'n' is i64, but parameter 3 of "
  std::string end;                   // " is an integer of 4 bytes; write type = \"i32\""
};

/// What is known about a kernel's parameters beside their sizes. Each list is empty if unknown.
struct ParameterHints {
  std::vector<std::string> names = {};  // in the source's text
  std::vector<ParameterType> types = {};
};

/// Compares a spec's arguments with the parameters of a compiled kernel. A buffer needs a pointer,
/// a tensor map 128 bytes, and a scalar as many bytes as its type has; an integer does not match a
/// float. If the types are known, a buffer's elements must be of the kind and size that the
/// parameter points to, and an output must not be behind a pointer to const. Buffers of bytes fit
/// every pointer.
[[nodiscard]] std::vector<ArgumentMistake> match_arguments(
    const std::vector<ArgumentSpec>& arguments, const std::vector<KernelParameter>& parameters,
    const ParameterHints& hints = {});

/// Collects the mistakes of several kernels and reports each once, with all its kernels.
class ArgumentMistakes {
 public:
  struct Reported {
    std::string at;  // its place in the spec
    std::string line;
  };

  void add(const std::string& at, const std::string& kernel, const ArgumentMistake& mistake);
  /// For a kernel that takes the arguments of others: joins their mistake if it is the same.
  void add_to_others(const std::string& at, const std::string& kernel,
                     const ArgumentMistake& mistake);
  [[nodiscard]] std::vector<Reported> all() const;

 private:
  struct Shared {
    std::string at;
    ArgumentMistake mistake;
    std::vector<std::string> kernels;
  };
  std::vector<Shared> m_shared;
};

}  // namespace gtune
