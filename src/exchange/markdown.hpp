#pragma once

#include <string>
#include <vector>

// Markdown as GitHub renders it.
namespace gtune {

/// `text` as one line that renders as itself: no markup, links, HTML, mentions or column ends.
[[nodiscard]] std::string markdown_text(const std::string& text);

struct MarkdownColumn {
  std::string heading;
  bool is_number = false;  // aligned to the right
};

/// A table of cells that are Markdown already, in lines that end with a newline.
[[nodiscard]] std::string markdown_table(const std::vector<MarkdownColumn>& columns,
                                         const std::vector<std::vector<std::string>>& rows);

}  // namespace gtune
