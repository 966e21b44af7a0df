#pragma once

#include <string>

#include "report/document.hpp"

namespace gtune {

/// What text_of shows, as HTML: facts as a list of terms, tables, notes, and parts under headings.
/// All texts may come from someone else's files. `level`: of the document's heading, 1 to 6.
[[nodiscard]] std::string html_of(const Document& document, int level);

/// One table, with its title as the caption. The script of a page makes tables with headings
/// sortable; cells with numbers carry them unscaled.
[[nodiscard]] std::string html_of(const Table& table);

}  // namespace gtune
