#pragma once

#include <map>
#include <string>

#include "jit/kernel_request.hpp"
#include "model/line_profile.hpp"

namespace gtune {

/// Short names of a kernel's own files: relative to the folder of its source, so that they mean the
/// same in another checkout.
class OwnFileNames {
 public:
  /// `config`: any valid one.
  OwnFileNames(const KernelSpec& spec, const KernelSources& sources, const Config& config);

  /// Replaces the paths of own files. Others, as of the toolkit's headers, stay.
  void shorten(LineProfile& profile) const;
  /// The own files' paths and names.
  [[nodiscard]] const std::map<std::string, std::string>& names() const { return m_names; }

 private:
  [[nodiscard]] std::string short_name(const std::string& file) const;

  std::string m_given;                         // the name of the kernel's source, as given
  std::string m_source;                        // its short name
  std::map<std::string, std::string> m_names;  // by canonical path
};

}  // namespace gtune
