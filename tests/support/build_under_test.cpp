#include "support/build_under_test.hpp"

namespace gtune::test {

const std::string& gtune_binary() {
  static const std::string path = GTUNE_BINARY;
  return path;
}

bool is_sanitized() {
#ifdef GTUNE_SANITIZED
  return true;
#else
  return false;
#endif
}

}  // namespace gtune::test
