#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/kernel_spec.hpp"
#include "spec/toml_value.hpp"

namespace gtune {

/// The places of a spec's parts: "file:line:column". A part that the file does not spell out, such
/// as a baseline's launch, has the place of the part that determines it.
class SpecPlaces {
 public:
  explicit SpecPlaces(const KernelSpec& spec);

  /// The entry of the tuned kernel, or of a step.
  [[nodiscard]] std::string entry(std::size_t step) const;
  [[nodiscard]] std::string arguments() const;
  [[nodiscard]] std::string argument(std::size_t index) const;
  [[nodiscard]] std::string parameter(std::string_view name) const;
  [[nodiscard]] std::string constraints() const;
  /// Follows keys of tables, and names of items in an array, as far as they exist (see CaseError).
  [[nodiscard]] std::string at(const std::vector<std::string>& keys) const;
  [[nodiscard]] std::string reference() const;
  /// Like at(), but prefers the reference's own arguments if it has any.
  [[nodiscard]] std::string reference_part(std::vector<std::string> keys) const;
  [[nodiscard]] std::string reference_argument(std::size_t index) const;
  /// The compare entry of this output.
  [[nodiscard]] std::string compare(std::string_view output) const;
  /// A size in an entry of `also`, or the entry if it does not give that size.
  [[nodiscard]] std::string awkward_size(std::size_t entry, std::string_view size) const;
  [[nodiscard]] std::string baseline(std::size_t index) const;

 private:
  [[nodiscard]] std::string of(const TomlValue* value) const;
  [[nodiscard]] const TomlValue* reference_value() const;

  std::string m_file;
  TomlValue m_root;
};

}  // namespace gtune
