#include "authoring/instantiations.hpp"

#include "authoring/cpp_types.hpp"
#include "authoring/launcher_arguments.hpp"

namespace gtune {
namespace {

constexpr std::size_t longest_head = 64;  // from `template` to the kernel's name
constexpr std::size_t most_found = 64;

}  // namespace

std::vector<std::vector<Tokens>> explicit_instantiations(const Tokens& source,
                                                         const OutlinedKernel& kernel) {
  const std::string name = without_namespaces(kernel.name);
  std::vector<std::vector<Tokens>> found;
  for (std::size_t at = 0; at < source.size() && found.size() < most_found; ++at) {
    if (source[at] != "template" || token_at(source, at + 1) == "<") continue;
    for (std::size_t word = at + 1; word < source.size() && word - at < longest_head; ++word) {
      if (source[word] == ";" || source[word] == "{") break;
      if (source[word] != name) continue;
      std::vector<Tokens> arguments = template_arguments_at(source, ++word);
      if (!arguments.empty() && token_at(source, word) == "(")
        found.push_back(std::move(arguments));
      break;
    }
  }
  return found;
}

}  // namespace gtune
