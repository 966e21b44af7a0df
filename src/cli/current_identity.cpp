#include "cli/current_identity.hpp"

#include <spdlog/spdlog.h>

#include "tune/identity.hpp"

namespace gtune {

KernelIdentity current_identity(const KernelSpec& spec) {
  const std::string note = unknown_include_note(spec);
  if (!note.empty()) spdlog::info("note: {}", note);
  return identity_of(spec);
}

}  // namespace gtune
