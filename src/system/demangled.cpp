#include "system/demangled.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gtune {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text ? text.get() : name;
}

}  // namespace gtune
