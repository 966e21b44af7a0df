#pragma once

#include <cstdlib>
#include <string>

namespace gtune::test {

/// Sets an environment variable, and restores it at the end.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : m_name(name) {
    if (const char* old = std::getenv(name)) m_old = old, m_was_set = true;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { m_was_set ? setenv(m_name, m_old.c_str(), 1) : unsetenv(m_name); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* m_name;
  std::string m_old;
  bool m_was_set = false;
};

}  // namespace gtune::test
