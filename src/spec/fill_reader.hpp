#pragma once

#include <span>
#include <string>

#include "spec/spec_context.hpp"

namespace gtune {

/// What a buffer is filled with where the spec says nothing.
[[nodiscard]] FillSpec default_fill(ElementType type);
/// `what` names it in errors.
[[nodiscard]] FillSpec read_fill(const SpecContext& context, const TomlValue& value,
                                 ElementType type, const std::string& what);
/// A file of the spec's, looked for from its folder.
[[nodiscard]] std::filesystem::path find_data_file(const SpecContext& context,
                                                   const TomlValue& name, const std::string& what);
/// A fill that copies another buffer's contents: one of the arguments before it, of the same type.
void require_copied(const SpecContext& context, const TomlValue& table, const BufferSpec& buffer,
                    std::span<const ArgumentSpec> before);

}  // namespace gtune
