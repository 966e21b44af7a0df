#pragma once

#include <span>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// The fill of a buffer for which the spec gives none.
[[nodiscard]] FillSpec default_fill(ElementType type);
/// Reads a fill. `what` names it in errors.
[[nodiscard]] FillSpec read_fill(const SpecContext& context, const TomlValue& value,
                                 ElementType type, const std::string& what);
/// Finds a data file; its path is relative to the spec's folder.
[[nodiscard]] std::filesystem::path find_data_file(const SpecContext& context,
                                                   const TomlValue& name, const std::string& what);
/// Fails if a fill copies a buffer that is not an earlier argument of the same type.
void require_copied(const SpecContext& context, const TomlValue& table, const BufferSpec& buffer,
                    std::span<const ArgumentSpec> before);

}  // namespace gtune
