#include "authoring/cooperative_groups.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace gtune {
namespace {

enum class GroupKind { block, grid, tile };

struct Group {
  GroupKind kind = GroupKind::block;
  Tokens lanes = {};  // of a tile
};

struct MemberText {
  GroupKind kind;
  const char* member;
  const char* text;  // L stands for a tile's lanes
  bool is_rank;      // a number, of a block or grid of one dimension
};

constexpr MemberText k_members[] = {
    {GroupKind::block, "thread_rank", "threadIdx.x", true},
    {GroupKind::block, "thread_index", "threadIdx", false},
    {GroupKind::block, "group_index", "blockIdx", false},
    {GroupKind::block, "group_dim", "blockDim", false},
    {GroupKind::block, "dim_threads", "blockDim", false},
    {GroupKind::block, "size", "blockDim.x", true},
    {GroupKind::block, "num_threads", "blockDim.x", true},
    {GroupKind::grid, "thread_rank", "(blockIdx.x * blockDim.x + threadIdx.x)", true},
    {GroupKind::grid, "block_rank", "blockIdx.x", true},
    {GroupKind::grid, "block_index", "blockIdx", false},
    {GroupKind::grid, "size", "(gridDim.x * blockDim.x)", true},
    {GroupKind::grid, "num_threads", "(gridDim.x * blockDim.x)", true},
    {GroupKind::grid, "num_blocks", "gridDim.x", true},
    {GroupKind::grid, "dim_blocks", "gridDim", false},
    {GroupKind::grid, "group_dim", "gridDim", false},
    {GroupKind::tile, "thread_rank", "(threadIdx.x % L)", true},
    {GroupKind::tile, "meta_group_rank", "(threadIdx.x / L)", true},
    {GroupKind::tile, "meta_group_size", "(blockDim.x / L)", true},
    {GroupKind::tile, "size", "L", true},
    {GroupKind::tile, "num_threads", "L", true},
};

class GroupReader {
 public:
  explicit GroupReader(const Tokens& body) : m_body(body) {
    for (std::size_t at = 0; at < body.size(); ++at) {
      const bool is_index = body[at] == "threadIdx" || body[at] == "blockIdx";
      const bool is_member = token_at(body, at + 1) == ".";
      if (is_index && is_member && token_at(body, at + 2) != "x") m_is_flat = false;
      const bool is_call = body[at] == "thread_index" || body[at] == "group_index";
      if (is_call && !stands_at(body, at + 1, {"(", ")", ".", "x"})) m_is_flat = false;
    }
  }

  [[nodiscard]] Tokens run() && {
    Tokens out;
    for (std::size_t at = 0; at < m_body.size();) {
      std::size_t end = at;
      const std::optional<Group> group = group_at(end);
      if (!group) {
        out.push_back(m_body[at++]);
        continue;
      }
      const bool is_call = end > at + 1;
      const std::optional<Tokens> text = member_at(*group, end);
      if (text) {
        if (is_call) out.resize(before_namespaces(out, out.size()));
        out.insert(out.end(), text->begin(), text->end());
      } else {
        if (is_call) remember(at, *group);
        out.insert(out.end(), m_body.begin() + static_cast<std::ptrdiff_t>(at),
                   m_body.begin() + static_cast<std::ptrdiff_t>(end));
      }
      at = end;
    }
    return out;
  }

 private:
  /// The position of `cg` in `cg::` before `at`; `at` if there is no namespace.
  [[nodiscard]] static std::size_t before_namespaces(const Tokens& tokens, std::size_t at) {
    while (at > 2 && tokens[at - 1] == ":" && tokens[at - 2] == ":" && is_word(tokens[at - 3])) {
      at -= 3;
    }
    return at;
  }

  /// The group named at `at`, by a call or a variable; moves `at` past it.
  [[nodiscard]] std::optional<Group> group_at(std::size_t& at) const {
    if (stands_at(m_body, at, {"this_thread_block", "(", ")"})) {
      at += 3;
      return Group{GroupKind::block};
    }
    if (stands_at(m_body, at, {"this_grid", "(", ")"})) {
      at += 3;
      return Group{GroupKind::grid};
    }
    if (stands_at(m_body, at, {"tiled_partition", "<"})) {
      const std::size_t call = past_brackets(m_body, at + 1, k_most_tokens);
      if (token_at(m_body, call) != "(") return std::nullopt;
      Tokens lanes = slice(m_body, at + 2, call - 1);
      if (lanes.size() > 1) {
        lanes.insert(lanes.begin(), "(");
        lanes.emplace_back(")");
      }
      at = std::min(past_brackets(m_body, call, k_most_tokens), m_body.size());
      return Group{GroupKind::tile, lanes};
    }
    const bool is_member = at > 0 && m_body[at - 1] == ".";
    const auto known = is_member ? m_groups.end() : m_groups.find(m_body[at]);
    if (known == m_groups.end() || token_at(m_body, at + 1) != ".") return std::nullopt;
    ++at;
    return known->second;
  }

  /// What `.thread_rank()` at `at` says; moves `at` past it.
  [[nodiscard]] std::optional<Tokens> member_at(const Group& group, std::size_t& at) const {
    const std::string_view name = token_at(m_body, at + 1);
    if (!stands_at(m_body, at, {".", name, "(", ")"})) return std::nullopt;
    const auto found = std::find_if(
        std::begin(k_members), std::end(k_members),
        [&](const MemberText& each) { return each.kind == group.kind && each.member == name; });
    if (found == std::end(k_members) || (found->is_rank && !m_is_flat)) return std::nullopt;
    at += 4;
    return with_arguments(source_tokens(found->text), {{"L", group.lanes}});
  }

  /// `auto block = cg::this_thread_block();`: the variable before the call at `at`.
  void remember(std::size_t at, const Group& group) {
    at = before_namespaces(m_body, at);
    if (at > 1 && m_body[at - 1] == "=" && is_word(m_body[at - 2]))
      m_groups[m_body[at - 2]] = group;
  }

  static constexpr std::size_t k_most_tokens = 200;

  const Tokens& m_body;
  bool m_is_flat = true;                  // no threads along y
  std::map<std::string, Group> m_groups;  // by variable
};

}  // namespace

Tokens without_groups(const Tokens& body) { return GroupReader(body).run(); }

}  // namespace gtune
