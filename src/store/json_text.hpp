#pragma once

#include <string>
#include <vector>

#include "model/named_values.hpp"
#include "store/records.hpp"

// The JSON in text columns. Equal values give equal text, so that the text can be a key.
namespace gtune {

/// Such as {"BK":8,"BM":128}, sorted by name.
[[nodiscard]] std::string values_text(const NamedValues& values);
/// The names in `order` come first, in that order. Throws std::invalid_argument for other text.
[[nodiscard]] NamedValues values_from(const std::string& text,
                                      const std::vector<std::string>& order);

[[nodiscard]] std::string names_text(const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> names_from(const std::string& text);

[[nodiscard]] std::string ids_text(const std::vector<MeasurementId>& ids);
[[nodiscard]] std::vector<MeasurementId> ids_from(const std::string& text);

[[nodiscard]] std::string summary_text(const RunSummary& summary);
[[nodiscard]] RunSummary summary_from(const std::string& text);

[[nodiscard]] std::string line_profile_text(const LineProfile& profile);
/// Throws std::invalid_argument if it is impossible.
[[nodiscard]] LineProfile line_profile_from(const std::string& text);

[[nodiscard]] std::string facts_text(const DeviceFacts& facts);
/// Fields that an older gtune did not record get their defaults.
[[nodiscard]] DeviceFacts facts_from(const std::string& text);

}  // namespace gtune
