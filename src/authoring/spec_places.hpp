#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/toml_value.hpp"

namespace gtune {

/// Where the parts of a spec stand: "file:line:column". A part that the file does not have by
/// itself, such as a baseline's launch, stands where what it follows from does.
class SpecPlaces {
 public:
  explicit SpecPlaces(const KernelSpec& spec);

  /// Of the tuned kernel, or of a step that says one.
  [[nodiscard]] std::string entry(std::size_t step) const;
  [[nodiscard]] std::string arguments() const;
  [[nodiscard]] std::string argument(std::size_t index) const;
  [[nodiscard]] std::string parameter(std::string_view name) const;
  [[nodiscard]] std::string constraints() const;
  /// Of tables by key, those of an array by name, as far as they are there (see CaseError).
  [[nodiscard]] std::string at(const std::vector<std::string>& keys) const;
  [[nodiscard]] std::string reference() const;
  /// As at(); of arguments the reference's own, where it has some.
  [[nodiscard]] std::string reference_part(std::vector<std::string> keys) const;
  [[nodiscard]] std::string reference_argument(std::size_t index) const;
  /// Of the entry that judges this output.
  [[nodiscard]] std::string compare(std::string_view output) const;
  [[nodiscard]] std::string baseline(std::size_t index) const;

 private:
  [[nodiscard]] std::string of(const TomlValue* value) const;
  [[nodiscard]] const TomlValue* reference_value() const;

  std::string m_file;
  TomlValue m_root;
};

}  // namespace gtune
