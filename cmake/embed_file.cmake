# Writes the text of the file IN to the header OUT, as a constant SYMBOL of raw string literals. Each piece
# stays below 64 KiB, which every compiler accepts for one literal.
file(READ ${IN} text)
set(body "")
string(LENGTH "${text}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 12000 piece)
  string(APPEND body "R\"gtune_raw(${piece})gtune_raw\"\n")
  math(EXPR at "${at} + 12000")
endwhile()
file(WRITE ${OUT} "#pragma once\n\n#include <string_view>\n\nnamespace gtune::embedded {\n\n"
                  "inline constexpr std::string_view ${SYMBOL} =\n${body};\n\n}  // namespace gtune::embedded\n")
