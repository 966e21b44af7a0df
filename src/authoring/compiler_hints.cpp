#include "authoring/compiler_hints.hpp"

#include <algorithm>
#include <array>

namespace gtune {
namespace {

/// What NVRTC says of host code, of which it takes none.
constexpr std::array<std::string_view, 8> said_of_host_code = {
    "host functions are not allowed in JIT mode", "identifier \"cudaMalloc\" is undefined",
    "identifier \"cudaMemcpy\" is undefined",     "cannot open source file \"stdio.h\"",
    "cannot open source file \"cstdio\"",         "cannot open source file \"iostream\"",
    "cannot open source file \"vector\"",         "cannot open source file \"stdlib.h\"",
};

}  // namespace

std::string compiler_hint(std::string_view log) {
  const bool host_code =
      std::any_of(said_of_host_code.begin(), said_of_host_code.end(),
                  [&](std::string_view said) { return log.find(said) != std::string_view::npos; });
  if (!host_code) return "";
  return "the source has host code (main, cudaMalloc, <iostream> and the like), which NVRTC does "
         "not compile: say compiler = \"nvcc\" in [kernel]";
}

bool is_about_entry(const CompileResult& result) {
  if (result.ok) return false;
  if (result.reason.starts_with("the source has no kernel '")) return true;
  const std::string& log = result.detail ? result.detail->log : result.reason;
  return log.find("__nv_name_map(") != std::string::npos ||                         // NVRTC's
         log.starts_with("entry '") || log.find("\nentry '") != std::string::npos;  // nvcc's
}

std::string exceeded_resource(std::string_view log) {
  const std::size_t begin = log.find("uses too much ");
  if (begin == std::string_view::npos) return "";
  return std::string(log.substr(begin, log.find('\n', begin) - begin));
}

}  // namespace gtune
