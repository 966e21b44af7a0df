#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jit/compile_request.hpp"

// A file of the cubin cache holds the result of one compile.
namespace gtune {

/// The first bytes of every entry, in every version.
inline constexpr std::string_view cache_entry_mark = "gtun";

/// The bytes of the entry for a key.
[[nodiscard]] std::vector<std::byte> to_cache_entry(const std::string& key,
                                                    const CompileResult& result);

/// The result in an entry; absent if it is damaged or has another key or version.
[[nodiscard]] std::optional<CompileResult> from_cache_entry(const std::string& key,
                                                            std::span<const std::byte> entry);

/// `KEY.cubin` with a key of 32 hex digits.
[[nodiscard]] bool is_cache_entry_name(std::string_view file_name);

/// `KEY.PROCESS.NUMBER.tmp`: an entry that is being written.
[[nodiscard]] bool is_cache_draft_name(std::string_view file_name);

}  // namespace gtune
