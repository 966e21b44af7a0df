#include "authoring/thread_arrays.hpp"

#include <optional>
#include <string>

namespace gtune {
namespace {

constexpr int most_arrays = 16;  // to look at, each of which takes as long as the body

/// The texts in `[a][b]`; none if a bracket is not closed. `at`: of the first bracket; then the
/// position after the last one.
std::vector<Tokens> in_brackets(const Tokens& tokens, std::size_t& at) {
  std::vector<Tokens> texts;
  while (token_at(tokens, at) == "[") {
    const std::size_t end = past_brackets(tokens, at, most_index_tokens);
    if (end >= tokens.size()) return {};
    texts.push_back(slice(tokens, at + 1, end - 1));
    at = end;
  }
  return texts;
}

/// The axis of `threadIdx.x`, or of a variable that always is.
std::optional<std::size_t> axis_of_thread(const Tokens& index, const LocalNames& locals) {
  if (index.size() == 1 && locals.is_moved(index[0])) return std::nullopt;
  const Tokens whole = index.size() == 1 ? locals.only_definition(index[0]) : index;
  if (whole.size() != 3 || !stands_at(whole, 0, {"threadIdx", "."})) return std::nullopt;
  const std::size_t axis = std::string_view("xyz").find(whole[2]);
  return axis < 3 ? std::optional(axis) : std::nullopt;
}

/// The dimensions of an array by the axis of the threads that number them; absent unless each index
/// is a thread's.
std::optional<std::array<Tokens, 3>> extents_of(const std::vector<Tokens>& dimensions,
                                                const std::vector<Tokens>& indices,
                                                const LocalNames& locals) {
  if (indices.empty() || indices.size() > dimensions.size()) return std::nullopt;
  std::array<Tokens, 3> extents;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto axis = axis_of_thread(indices[i], locals);
    if (!axis) return std::nullopt;
    extents.at(*axis) = dimensions[i];
  }
  return extents;
}

/// Reads what follows the declaration of `name` in its block: the first write that every thread
/// executes, or else the first of any.
std::optional<ThreadArray> first_write(const Tokens& body, std::size_t from,
                                       const std::string& name,
                                       const std::vector<Tokens>& dimensions,
                                       const LocalNames& locals) {
  std::optional<ThreadArray> first;
  int depth = 0;  // of braces, from the declaration on
  for (std::size_t at = from; at < body.size() && depth >= 0; ++at) {
    if (body[at] == "{") ++depth;
    if (body[at] == "}") --depth;
    if (body[at] != name || token_at(body, at + 1) != "[") continue;
    std::size_t end = at + 1;
    const std::vector<Tokens> indices = in_brackets(body, end);
    if (token_at(body, end) != "=" || is_equality(body, end)) continue;
    const auto extents = extents_of(dimensions, indices, locals);
    if (!extents) continue;
    const std::string& before = body[at - 1];
    const bool is_of_all = depth == 0 && (before == ";" || before == "{" || before == "}");
    if (is_of_all) return ThreadArray{*extents, true};
    if (!first) first = ThreadArray{*extents, false};
  }
  return first;
}

}  // namespace

std::vector<ThreadArray> arrays_of_threads(const Tokens& body, const LocalNames& locals) {
  std::vector<ThreadArray> arrays;
  int left = most_arrays;
  for (std::size_t at = 0; at < body.size() && left > 0; ++at) {
    if (body[at] != "__shared__") continue;
    --left;
    std::size_t name = at + 1;
    while (is_word(token_at(body, name)) && token_at(body, name + 1) != "[") ++name;
    std::size_t end = name + 1;
    const std::vector<Tokens> dimensions = in_brackets(body, end);
    if (dimensions.empty() || token_at(body, end) != ";") continue;
    auto array = first_write(body, end, body[name], dimensions, locals);
    if (array) arrays.push_back(std::move(*array));
  }
  return arrays;
}

}  // namespace gtune
