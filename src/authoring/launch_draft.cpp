#include "authoring/launch_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "authoring/argument_kind.hpp"
#include "authoring/draft_limits.hpp"
#include "authoring/index_terms.hpp"
#include "authoring/name_guess.hpp"

namespace gtune {
namespace {

constexpr std::int64_t usual_threads = 256;

std::string axis_word(const char* name, std::size_t axis) {
  return std::string(name) + "." + "xyz"[axis];
}

std::optional<std::int64_t> literal(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size();
  return is_all && value > 0 ? std::optional(value) : std::nullopt;
}

/// "ceil_div(n, B)" for "(n + B - 1) / B"; also for numbers, as in "(n + 255) / 256".
std::string as_ceil_div(std::string text) {
  const Tokens tokens = source_tokens(text);
  if (token_at(tokens, 0) == "(" && past_brackets(tokens, 0) == tokens.size()) {
    text = text.substr(1, text.size() - 2);
  }
  const std::size_t at = text.rfind(") / ");
  if (!text.starts_with('(') || at == std::string::npos) return text;
  const std::string divisor = text.substr(at + 4);
  const std::string dividend = text.substr(1, at - 1);
  const auto number = literal(divisor);
  for (const std::string& end :
       {" + " + divisor + " - 1", " + " + std::to_string(number.value_or(1) - 1)}) {
    const bool is_it = dividend.ends_with(end) && dividend.find_first_of("()") == std::string::npos;
    if (!is_it) continue;
    return fmt::format("ceil_div({}, {})", dividend.substr(0, dividend.size() - end.size()),
                       divisor);
  }
  return text;
}

/// The axes along which each block takes a pointer of a table: `rows[blockIdx.z]`, or `rows[b]`
/// with `b = blockIdx.z`.
std::array<bool, 3> axes_of_tables(const KernelFacts& facts, const OutlinedKernel& kernel) {
  const Tokens& body = kernel.body;
  std::set<std::string> tables;
  for (std::size_t i = 0; i < std::min(facts.types.size(), kernel.arguments.size()); ++i) {
    const bool is_table = argument_kind(facts, i) == ArgumentKind::pointer_table;
    if (is_table) tables.insert(kernel.arguments[i].name);
  }
  std::array<bool, 3> axes = {};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::string of_axis(1, "xyz"[axis]);
    std::set<std::string> blocks;
    for (std::size_t at = 0; at < body.size(); ++at) {
      if (stands_at(body, at + 1, {"=", "blockIdx", ".", of_axis, ";"})) blocks.insert(body[at]);
      if (token_at(body, at + 1) != "[" || !tables.contains(body[at])) continue;
      const bool is_variable = token_at(body, at + 3) == "]" && blocks.contains(body[at + 2]);
      const bool is_block = stands_at(body, at + 2, {"blockIdx", ".", of_axis, "]"});
      axes.at(axis) = axes.at(axis) || is_variable || is_block;
    }
  }
  return axes;
}

/// Whether the source may say by another name, or in another function, which block a thread is of.
bool may_ask_for_block(const KernelFacts& facts) {
  return std::ranges::any_of(std::array{"blockIdx", "gridDim", "ctaid", "this_grid", "grid_group",
                                        "group_index", "block_index", "block_rank"},
                             [&](const char* word) { return facts.words.contains(word); });
}

class LaunchDrafter {
 public:
  LaunchDrafter(const KernelFacts& facts, const OutlinedKernel& kernel, const IndexOutline& indices,
                const HostLaunch& host, SpecDraft& draft, bool may_tune)
      : m_body(kernel.body),
        m_axes(indices.axes),
        m_chooses_table(axes_of_tables(facts, kernel)),
        m_has_one_block(!may_ask_for_block(facts)),
        m_host(host),
        m_bound(bound_in_parameters(kernel.launch_bounds, draft)),
        m_most_threads(most_threads(kernel.launch_bounds, draft)),
        m_draft(draft),
        m_may_tune(may_tune),
        m_is_tuned(!draft.params().empty()) {}

  [[nodiscard]] LaunchDraft run() {
    const std::size_t block_rank = rank(m_host.block, &AxisOutline::has_threads, true);
    for (std::size_t axis = 0; axis < block_rank; ++axis) {
      m_launch.block.push_back(threads_along(axis, block_rank));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string& threads = axis < block_rank ? m_launch.block[axis] : one;
      m_draft.set_meaning(axis_word("blockDim", axis), threads);
    }
    if (m_may_tune) use_blocks_values(block_rank);
    const std::size_t grid_rank = rank(m_host.grid, &AxisOutline::has_blocks, false);
    for (std::size_t axis = 0; axis < grid_rank; ++axis) {
      m_launch.grid.push_back(blocks_along(axis, grid_rank));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string& blocks = axis < grid_rank ? m_launch.grid[axis] : one;
      m_draft.set_meaning(axis_word("gridDim", axis), blocks);
      m_draft.set_meaning(axis_word("extent", axis), extent_along(axis, blocks));
    }
    if (auto shared = allowed(m_host.shared, least_bytes)) m_launch.shared = std::move(*shared);
    m_launch.is_from_source = m_all_of_host;
    if (block_rank == 1 && m_may_tune && m_most_threads) {
      m_draft.limit_values(m_launch.block[0], *m_most_threads);
    }
    return std::move(m_launch);
  }

 private:
  inline static const std::string one = "1";
  inline static const std::string lanes = "32";  // of a warp

  /// The maximum in __launch_bounds__ if it names a parameter; such kernels are launched with it.
  [[nodiscard]] static std::string bound_in_parameters(const Tokens& bounds,
                                                       const SpecDraft& draft) {
    const auto text = draft.translate(spaced(without_brackets(bounds)));
    const bool is_bound = text && draft.names_parameter(*text) && may_reach(*text, least_dimension);
    return is_bound ? *text : "";
  }

  /// The maximum in __launch_bounds__; absent if it is missing or not a constant.
  [[nodiscard]] static std::optional<std::int64_t> most_threads(const Tokens& bounds,
                                                                const SpecDraft& draft) {
    const auto text = draft.translate(spaced(bounds));
    const auto most = text ? constant_value(source_tokens(*text)) : std::nullopt;
    return most.value_or(0) >= least_dimension ? most : std::nullopt;
  }

  /// The number of dimensions that the kernel, the host or a parameter's name shows.
  [[nodiscard]] std::size_t rank(const std::array<std::string, 3>& host, bool AxisOutline::*named,
                                 bool is_block) const {
    for (std::size_t axis = 3; axis-- > 1;) {
      const bool is_of_host = !host.at(axis).empty() && host.at(axis) != "1";
      const bool is_of_name =
          is_block && m_may_tune && !m_axes[0].is_split && !m_draft.block_param(axis).empty();
      if (m_axes.at(axis).*named || is_of_host || is_of_name) return axis + 1;
    }
    return 1;
  }

  /// The text as an expression of the spec; absent if it has no meaning there, cannot be `least` or
  /// more, or if a reference would depend on a parameter.
  [[nodiscard]] std::optional<std::string> allowed(const std::string& text,
                                                   std::int64_t least = least_dimension) const {
    auto translated = m_draft.translate(text);
    if (!translated || !may_reach(*translated, least)) return std::nullopt;
    const bool names_parameter = m_draft.names_parameter(*translated);
    return names_parameter && !m_may_tune ? std::nullopt : translated;
  }

  /// "256" for "16 * 16".
  [[nodiscard]] static std::optional<std::string> as_literal(std::optional<std::string> text) {
    const auto product = text ? index_terms(source_tokens(*text)) : std::nullopt;
    const bool is_number = product && product->size() == 1 && product->front().factors.empty();
    return is_number ? product->front().text() : text;
  }

  std::string threads_along(std::size_t axis, std::size_t rank) {
    const AxisOutline& outline = m_axes.at(axis);
    const auto of_host = allowed(m_host.block.at(axis));
    if (of_host && m_draft.names_parameter(*of_host)) return *of_host;
    if (outline.is_warp) {
      m_all_of_host = m_all_of_host && of_host == lanes;
      return lanes;
    }
    const auto of_kernel = as_literal(allowed(outline.threads));
    if (outline.is_split && m_may_tune && rank == 1 && !m_bound.empty()) return m_bound;
    if (of_kernel && !literal(*of_kernel)) return *of_kernel;
    if (m_may_tune && !m_draft.block_param(axis).empty()) return m_draft.block_param(axis);
    const bool has_bound = rank == 1 && m_may_tune && !m_bound.empty() && !of_host && !of_kernel;
    if (has_bound) return m_bound;
    const auto tile = outline.is_tile_of_pointer ? std::nullopt : allowed(outline.tile);
    if (tile && !outline.has_block_size && outline.has_threads && outline.threads.empty() &&
        tile->find(' ') == std::string::npos) {
      return *tile;
    }
    const std::string known = of_host.value_or(of_kernel.value_or(""));
    const bool is_of_both = of_host && literal(*of_host) && names_what_kernel_names(axis);
    const bool is_fixed = of_kernel || (of_host && !outline.has_block_size) || is_of_both;
    if (!m_may_tune || (is_fixed && !m_draft.params().empty())) {
      m_all_of_host = m_all_of_host && of_host;
      return known.empty() ? std::to_string(default_threads(axis, rank)) : known;
    }
    if (!outline.has_block_size && m_is_tuned && known.empty()) {
      return std::to_string(default_threads(axis, rank));
    }
    m_all_of_host = false;
    return add_block(axis, rank, literal(known), is_fixed);
  }

  /// Whether the host's block is a constant that the kernel names as well: `s[BLOCK_SIZE]`.
  [[nodiscard]] bool names_what_kernel_names(std::size_t axis) const {
    return std::ranges::any_of(source_tokens(m_host.block.at(axis)), [&](const std::string& word) {
      return is_word(word) && std::ranges::find(m_body, word) != m_body.end();
    });
  }

  /// A parameter of any name that is the block's size has the values of one.
  void use_blocks_values(std::size_t rank) {
    if (rank == 1) use_factors_values(m_launch.block[0]);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const std::string name = rank == 1 ? "BLOCK" : std::string("BLOCK_") + "XYZ"[axis];
      m_draft.replace_guess(m_launch.block[axis], guessed_values(name, std::nullopt, false));
      // A tile with a halo, `TILE + 2 * R` threads: no more than a block holds.
      const std::string& tile = m_axes.at(axis).tile;
      const bool has_halo = stands_at(source_tokens(m_launch.block[axis]), 0, {tile, "+"});
      if (has_halo && rank > 1) m_draft.replace_guess(tile, {8, 16, 24});
    }
  }

  /// Parameters whose product is the block have values with which it has some 64 to 1024 threads.
  void use_factors_values(const std::string& block) {
    const Tokens words = source_tokens(block);
    Tokens factors, divisors;
    std::int64_t number = 1;
    std::size_t end_of_divisor = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
      if (at > 0 && words[at - 1] == "/") {
        end_of_divisor = words[at] == "(" ? past_brackets(words, at) : at + 1;
      }
      const bool divides = at < end_of_divisor;
      if (is_word(words[at])) (divides ? divisors : factors).push_back(words[at]);
      if (!divides) number *= literal(words[at]).value_or(1);
    }
    if (factors.size() + divisors.size() < 2 && number == 1) return;
    const bool has_warps = number >= 32;
    std::vector<std::int64_t> values = {8, 16, 32};
    if (factors.size() > 2) values = {4, 8};
    if (has_warps) values = {1, 2, 4};
    if (has_warps && factors.size() == 1) values = {2, 4, 8};
    if (!divisors.empty()) values = {32, 64, 128};
    for (const std::string& factor : factors) m_draft.replace_guess(factor, values);
    for (const std::string& divisor : divisors) m_draft.replace_guess(divisor, {4, 8});
  }

  /// The threads along an axis: 256 in total. Only a block of one dimension respects launch bounds.
  [[nodiscard]] std::int64_t default_threads(std::size_t axis, std::size_t rank) const {
    if (rank == 1) return std::min(m_most_threads.value_or(usual_threads), usual_threads);
    return axis < 2 ? 16 : 1;
  }

  std::string add_block(std::size_t axis, std::size_t rank, std::optional<std::int64_t> known,
                        bool is_fixed) {
    const std::string name = rank == 1 ? "BLOCK" : std::string("BLOCK_") + "XYZ"[axis];
    const std::int64_t usual = known.value_or(default_threads(axis, rank));
    if (is_fixed) {
      return m_draft.add_param(name, {usual},
                               "fixed by the source; make it a macro (#ifndef) or a template "
                               "parameter to tune it");
    }
    return m_draft.add_param(name, guessed_values(name, usual, false), "threads per block");
  }

  std::string blocks_along(std::size_t axis, std::size_t rank) {
    if (m_chooses_table.at(axis)) return pointers_of_table(axis);
    const auto host = grid_of_host(axis);
    if (host && !fits_one_problem(*host, axis)) return *host;
    if (const auto rows = rows_of_host(axis)) return *rows;
    m_all_of_host = false;
    const AxisOutline& outline = m_axes.at(axis);
    const bool is_one = rank > 1 || (m_has_one_block && outline.has_threads);
    if (!outline.has_blocks && is_one) return one;
    const auto bound = allowed(outline.bound);
    std::string elements = bound ? *bound : elements_along(axis, rank);
    if (bound && outline.bound_counts_blocks) return elements;
    const auto tile = allowed(outline.tile);
    const bool is_block_each = outline.has_blocks && has_block_each(axis);
    if (!outline.sharers.empty()) {
      const auto sharers = allowed(outline.sharers);
      if (!tile || !sharers) return elements;  // a block each is enough
      elements += " * " + *sharers;
    }
    const std::string threads = axis < m_launch.block.size() ? m_launch.block[axis] : one;
    const std::string each = is_block_each ? one : tile ? *tile : threads;
    return each == one ? elements : fmt::format("ceil_div({}, {})", elements, each);
  }

  /// The draft's tables are shorter than the program's.
  [[nodiscard]] std::string pointers_of_table(std::size_t axis) {
    std::string blocks = std::to_string(tables_of_a_batch);
    for (const DraftSize& size : m_draft.sizes()) {
      const bool is_of_tables = looks_like_batch(size.name) && size.value == tables_of_a_batch;
      if (is_of_tables) blocks = size.name;
    }
    m_all_of_host = m_all_of_host && grid_of_host(axis) == blocks;
    return blocks;
  }

  /// Whether each element along the axis has a block of its own, such as a row: a block that has a
  /// problem size of elements, `blockIdx.x * cols`, has a row of them.
  [[nodiscard]] bool has_block_each(std::size_t axis) const {
    const AxisOutline& outline = m_axes.at(axis);
    return outline.tile.empty() || (outline.bound.empty() && names_size(outline.tile));
  }

  [[nodiscard]] bool names_size(const std::string& text) const {
    return std::ranges::any_of(source_tokens(text), [&](const std::string& word) {
      return std::ranges::any_of(m_draft.sizes(),
                                 [&](const auto& size) { return size.name == word; });
    });
  }

  /// Whether a grid of the host names no problem size, although the kernel has a bound.
  [[nodiscard]] bool fits_one_problem(const std::string& grid, std::size_t axis) const {
    const auto bound = allowed(m_axes.at(axis).bound);
    return bound && !literal(*bound) && !literal(grid) && !names_size(grid);
  }

  /// The host's grid, if the block is the host's as well or the grid follows blockDim.
  [[nodiscard]] std::optional<std::string> grid_of_host(std::size_t axis) const {
    const std::string& text = m_host.grid.at(axis);
    if (text.empty())
      return axis > 0 && !m_host.grid[0].empty() ? std::optional(one) : std::nullopt;
    bool is_hosts_block = true;
    for (std::size_t i = 0; i < m_launch.block.size(); ++i) {
      is_hosts_block = is_hosts_block && m_draft.translate(m_host.block.at(i)) == m_launch.block[i];
    }
    const bool follows_block = text.find("blockDim") != std::string::npos;
    const auto blocks = is_hosts_block || follows_block ? allowed(text) : std::nullopt;
    return blocks ? std::optional(as_ceil_div(*blocks)) : std::nullopt;
  }

  /// A name in the host's grid that the kernel does not know becomes a size, if the kernel shows no
  /// other number of blocks: `dim3 grid(nrows, nchannels)`.
  std::optional<std::string> rows_of_host(std::size_t axis) {
    const std::string& name = m_host.grid.at(axis);
    const AxisOutline& outline = m_axes.at(axis);
    const bool is_open = outline.has_blocks && outline.bound.empty() && outline.tile.empty();
    const bool is_name = is_word(name) && source_tokens(name).size() == 1;
    if (!m_may_tune || !is_open || !is_name) return std::nullopt;
    if (auto argument = allowed(name)) return argument;
    if (meaning_of(name, std::nullopt) == NameMeaning::tuned) return std::nullopt;
    std::string rows = m_draft.add_rows(name);
    m_draft.set_meaning(name, rows);
    return rows;
  }

  /// Elements along an axis: n for ceil_div(n, TILE) or n / TILE blocks, otherwise blocks * tile.
  [[nodiscard]] std::string extent_along(std::size_t axis, const std::string& blocks) const {
    const std::string tile = m_draft.translate(m_axes.at(axis).tile).value_or(one);
    for (const auto& [begin, end] :
         {std::pair("ceil_div(", ", " + tile + ")"), std::pair("", " / " + tile)}) {
      const std::string_view start = begin;
      if (!blocks.starts_with(start) || !blocks.ends_with(end)) continue;
      return blocks.substr(start.size(), blocks.size() - start.size() - end.size());
    }
    return tile == one ? blocks : fmt::format("{} * {}", blocks, tile);
  }

  [[nodiscard]] std::string elements_along(std::size_t axis, std::size_t rank) {
    const bool is_whole = rank == 1 && !m_axes[0].tile.empty() && !has_tile_of_rows();
    if (rank == 1 && (is_whole || !m_axes[0].has_blocks)) return m_draft.product();
    const bool is_block_each = has_block_each(axis);
    const auto digit = is_block_each ? allowed(m_axes.at(axis).low_digit) : std::nullopt;
    if (digit) return fmt::format("{} * {}", high_digit(*digit), *digit);
    std::string only =
        is_block_each ? extent_of_grid(rank > 1 ? std::optional(axis) : std::nullopt) : "";
    if (!only.empty()) return only;
    std::string batch = m_draft.batch();
    if (!batch.empty() && (rank == 1 || is_block_each)) return batch;
    // A grid of one dimension that is not tiled has a block per row.
    std::string extent = m_draft.extent_along(rank == 1 ? 1 : axis);
    if (!extent.empty()) return extent;
    // If each block handles a row, the kernel may have no argument for the number of rows.
    if (axis == 2 && is_block_each && m_may_tune) return m_draft.add_rows("batch");
    const bool has_own = rank == 1 ? m_axes[0].has_row_blocks || has_tile_of_rows()
                                   : m_axes.at(axis).has_rows && is_of_other_axis(axis);
    return has_own && m_may_tune ? m_draft.add_rows() : m_draft.extent(axis);
  }

  /// Whether a block along x has a number of rows, `blockIdx.x * 2 * n`, which is no number of
  /// elements.
  [[nodiscard]] bool has_tile_of_rows() const {
    return m_axes[0].has_rows && literal(m_axes[0].tile).has_value();
  }

  /// Whether the size that this axis would take is already another one's: rows and columns differ.
  [[nodiscard]] bool is_of_other_axis(std::size_t axis) const {
    const std::string extent = m_draft.extent(axis);
    for (std::size_t other = 0; other < m_axes.size(); ++other) {
      if (other != axis && allowed(m_axes.at(other).bound) == extent) return true;
    }
    return false;
  }

  /// With `axis`, none whose name means another one.
  [[nodiscard]] std::string extent_of_grid(std::optional<std::size_t> axis) {
    std::string only = m_draft.extent_of_grid(m_of_grid);
    const auto named = axis_of(only);
    if (only.empty() || (axis && named && *named != *axis)) return "";
    m_of_grid.insert(only);
    return only;
  }

  /// How many blocks there are of each value of `blockIdx % digit`.
  [[nodiscard]] std::string high_digit(const std::string& digit) {
    std::string only = extent_of_grid(std::nullopt);
    if (!only.empty()) return only;
    std::string batch = m_draft.batch();
    if (!batch.empty() && batch != digit) return batch;
    return m_may_tune ? m_draft.add_rows("batch") : one;
  }

  const Tokens& m_body;
  const std::array<AxisOutline, 3>& m_axes;
  std::array<bool, 3> m_chooses_table;  // see axes_of_tables()
  bool m_has_one_block;
  const HostLaunch& m_host;
  std::string m_bound;                         // `WARPS * 32` in __launch_bounds__, or empty
  std::optional<std::int64_t> m_most_threads;  // per block
  SpecDraft& m_draft;
  bool m_may_tune;
  bool m_is_tuned;  // the source itself has tuning parameters
  bool m_all_of_host = true;
  std::set<std::string> m_of_grid;  // extents that nothing else names
  LaunchDraft m_launch;
};

}  // namespace

LaunchDraft draft_launch(const KernelFacts& facts, const IndexOutline& indices, SpecDraft& draft) {
  return LaunchDrafter(facts, facts.kernel, indices, facts.launch, draft, true).run();
}

LaunchDraft draft_reference_launch(const KernelFacts& facts, const SpecDraft& draft) {
  SpecDraft own = draft;  // a copy, since blockDim and gridDim will be the reference's
  const OutlinedKernel& kernel = facts.reference;
  return LaunchDrafter(facts, kernel, outline_indices(kernel), facts.reference_launch, own, false)
      .run();
}

}  // namespace gtune
