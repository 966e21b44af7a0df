#include "authoring/image_use.hpp"

#include <algorithm>

#include "authoring/cpp_types.hpp"

namespace gtune {

ImageUse image_use(const Tokens& body, const std::string& name) {
  ImageUse use;
  for (std::size_t at = 0; at < body.size(); ++at) {
    const std::string& function = body[at];
    if (!function.starts_with("tex") && !function.starts_with("surf")) continue;
    std::size_t open = at + 1;
    if (token_at(body, open) == "<") open = past_brackets(body, open);
    if (token_at(body, open) != "(") continue;
    // The object need not come first: tex2D(&texel, name, x, y).
    const Tokens passed = slice(body, open + 1, past_brackets(body, open) - 1);
    if (std::find(passed.begin(), passed.end(), name) == passed.end()) continue;
    if (open > at + 1 && use.texel.empty()) {
      use.texel = spelled_type(slice(body, at + 2, open - 1), {}).name;
    }
    const auto has = [&](std::string_view part) { return function.find(part) != function.npos; };
    use.dimensions = has("3D") ? 3 : has("2D") ? 2 : 1;
    use.is_linear_memory = use.is_linear_memory || function == "tex1Dfetch";
    (has("write") ? use.is_written : use.is_read) = true;
  }
  return use;
}

}  // namespace gtune
