#include "authoring/index_outline.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "authoring/cooperative_groups.hpp"
#include "authoring/local_names.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/plain_arithmetic.hpp"
#include "authoring/shared_index.hpp"
#include "authoring/thread_arrays.hpp"

namespace gtune {
namespace {

using Terms = std::vector<IndexTerm>;

std::string on_axis(const char* name, std::size_t axis) {
  return std::string(name) + "." + "xyz"[axis];
}

/// `a` divided by `b`; absent if `b` does not divide it.
std::optional<IndexTerm> quotient(IndexTerm a, const IndexTerm& b) {
  for (const std::string& factor : b.factors) {
    const auto at = std::find(a.factors.begin(), a.factors.end(), factor);
    if (at == a.factors.end()) return std::nullopt;
    a.factors.erase(at);
  }
  if (b.number == 0 || a.number % b.number != 0) return std::nullopt;
  a.number /= b.number;
  return a;
}

class IndexReader {
 public:
  IndexReader(const Tokens& body, const std::vector<std::string>& arguments)
      : m_body(body), m_arguments(arguments), m_locals(body) {}

  [[nodiscard]] IndexOutline run(const std::vector<std::string>& arrays) && {
    read_names();
    for (const auto& [name, definitions] : m_locals.definitions()) {
      for (const auto& [at, text, is_whole] : definitions) {
        const auto shared =
            shared_index(text, [&](const std::string& of) { return m_locals.only_definition(of); });
        if (shared) read_shared(name, *shared, at);
      }
    }
    for (const auto& [name, definitions] : m_locals.definitions()) {
      for (const auto& [at, text, is_whole] : definitions) {
        read_index(text, at);
        read_bound(name, text, at);
      }
    }
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      if (m_body[at] != "[") continue;
      const std::size_t end = past_brackets(m_body, at, most_index_tokens);
      if (end < m_body.size()) read_index(slice(m_body, at + 1, end - 1), at);
    }
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      const bool is_moved = is_argument(m_body[at]) && stands_at(m_body, at + 1, {"+", "="});
      if (is_moved) read_move(until_end_of_sum(at + 3), at);
    }
    for (std::size_t at = 0; at < m_body.size(); ++at) read_remainder(at);
    use_digits();
    read_shared_arrays();
    // Threads along x that are numbered within a tile are as many as it has elements, or fewer.
    if (numbers_threads()) m_outline.axes[0].is_tile_of_pointer = true;
    if (has_lanes()) {
      m_outline.axes[0].is_warp = true;
      if (!m_rows_of_x.empty()) m_outline.axes[1].threads = m_rows_of_x;
    }
    for (const std::string& array : arrays) {
      const Reach reach = reach_of(array);
      if (!reach.most) continue;
      if (reach.is_complete) {
        m_outline.elements.emplace(array, text_of(*reach.most));
      } else if (!reach.most->of.factors.empty()) {  // a number alone is no hint: x[0]
        m_outline.least_elements.emplace(array, text_of(*reach.most));
      }
    }
    return std::move(m_outline);
  }

 private:
  void read_names() {
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (token_at(m_body, at + 1) != ".") break;
        if (token_at(m_body, at + 2) != std::string(1, "xyz"[axis])) continue;
        AxisOutline& outline = m_outline.axes[axis];
        outline.has_threads = outline.has_threads || m_body[at] == "threadIdx";
        outline.has_blocks = outline.has_blocks || m_body[at] == "blockIdx";
        outline.has_block_size = outline.has_block_size || m_body[at] == "blockDim";
        const std::string_view after = token_at(m_body, at + 3);
        const bool is_all = after == ")" || after == ";" || after == ",";
        const bool is_added = at > 1 && stands_at(m_body, at - 2, {"+", "=", "blockDim"});
        if (is_added && is_all) m_is_strided.at(axis) = true;
      }
    }
  }

  /// Also true for a member of an argument: "params.width".
  [[nodiscard]] bool is_argument(const std::string& name) const {
    return std::find(m_arguments.begin(), m_arguments.end(), name.substr(0, name.find('.'))) !=
           m_arguments.end();
  }

  /// Whether it is an argument, or a constant that follows from arguments alone.
  [[nodiscard]] bool is_pitch(const std::string& name) const {
    if (is_argument(name)) return true;
    const auto value =
        m_locals.is_local(name) ? m_locals.without_locals({1, {name}}) : std::nullopt;
    return value && std::all_of(value->factors.begin(), value->factors.end(), [&](const auto& one) {
             const Tokens words = source_tokens(one);
             return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
               return !is_word(word) || is_argument(word);
             });
           });
  }

  static const IndexTerm* term_with(const Terms& terms, const std::string& factor) {
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [&](const IndexTerm& term) { return term.has(factor); });
    return found == terms.end() ? nullptr : &*found;
  }

  /// What `factor` is multiplied by, without arguments: those are row pitches.
  [[nodiscard]] std::optional<IndexTerm> stride_of(const Terms& terms,
                                                   const std::string& factor) const {
    const IndexTerm* term = term_with(terms, factor);
    if (term == nullptr) return std::nullopt;
    auto stride = quotient(*term, {1, {factor}});
    std::erase_if(stride->factors, [&](const std::string& one) { return is_pitch(one); });
    return stride;
  }

  /// Reads threads and tile: `(blockIdx.x * UNROLL + u) * BLOCK + threadIdx.x` means that a block
  /// has BLOCK threads and computes UNROLL * BLOCK elements.
  void read_index(const Tokens& text, std::size_t at) {
    const auto terms = m_locals.expand(text, at, true);
    if (!terms) return;
    read_block_of_x(*terms);
    note_halo(*terms);
    read_digits(*terms);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      AxisOutline& outline = m_outline.axes[axis];
      const auto tile = stride_of(*terms, on_axis("blockIdx", axis));
      if (!tile || !outline.sharers.empty()) continue;
      if (tile->text() == "1") {  // out[blockIdx.x]: one per block
        outline.has_row_blocks = true;
        continue;
      }
      const auto step = stride_of(*terms, on_axis("threadIdx", axis));
      if (const auto rows = rows_of_threads(*terms, on_axis("threadIdx", axis))) {
        outline.threads = rows->text();
        if (outline.tile.empty()) set_tile(axis, *tile);
        continue;
      }
      const auto threads =
          step && !m_is_strided.at(axis) ? threads_among(*terms, *tile, *step) : std::nullopt;
      if (threads && outline.threads.empty()) {
        outline.threads = threads->text();
        set_tile(axis, *tile);
      } else if (outline.tile.empty()) {
        set_tile(axis, *tile);
      }
    }
  }

  /// Blocks as the digits of a number, `(blockIdx.x * heads + blockIdx.y) * n`, show how many there
  /// are of the lower one; tiles, `blockIdx.y * TILE * n + blockIdx.x * TILE`, how many elements.
  void read_digits(const Terms& terms) {
    for (std::size_t low = 0; low < 3; ++low) {
      const IndexTerm* lower = term_with(terms, on_axis("blockIdx", low));
      if (lower == nullptr) continue;
      const auto unit = quotient(*lower, {1, {on_axis("blockIdx", low)}});
      for (std::size_t high = 0; high < 3; ++high) {
        const IndexTerm* higher = term_with(terms, on_axis("blockIdx", high));
        const auto whole = higher != nullptr && high != low
                               ? quotient(*higher, {1, {on_axis("blockIdx", high)}})
                               : std::nullopt;
        const auto blocks = whole && unit ? quotient(*whole, *unit) : std::nullopt;
        const bool is_size = blocks && blocks->number == 1 && blocks->factors.size() == 1 &&
                             is_argument(blocks->factors.front()) &&
                             !looks_like_stride(blocks->factors.front());
        if (!is_size || !m_digits.at(low).empty()) continue;
        m_digits.at(low) = blocks->text();
        m_digit_counts_blocks.at(low) = stride_of(terms, on_axis("blockIdx", low))->text() == "1";
      }
    }
  }

  /// Limits in the source count for more.
  void use_digits() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      AxisOutline& outline = m_outline.axes.at(axis);
      if (m_digits.at(axis).empty() || !outline.bound.empty()) continue;
      outline.bound = m_digits.at(axis);
      outline.bound_counts_blocks = m_digit_counts_blocks.at(axis);
    }
  }

  /// `head = blockIdx.x % heads`, directly or through a local name: `heads` is the lower digit.
  void read_remainder(std::size_t at) {
    if (m_body[at] != "%" || at == 0) return;
    const std::string divisor(token_at(m_body, at + 1));
    if (!is_argument(divisor)) return;
    Tokens of = {m_body[at - 1]};
    if (at > 2 && m_body[at - 2] == ".") of = slice(m_body, at - 3, at);
    const auto terms = m_locals.expand(of, at, true);
    if (!terms || terms->size() != 1) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool is_block = terms->front().text() == on_axis("blockIdx", axis);
      if (is_block) m_outline.axes.at(axis).low_digit = divisor;
    }
  }

  /// A pointer that is moved to the block's tile, `c += blockIdx.y * TILE * n`, shows the tile
  /// where no index does.
  void read_move(const Tokens& text, std::size_t at) {
    const auto terms = m_locals.expand(text, at, true);
    if (!terms) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto tile = stride_of(*terms, on_axis("blockIdx", axis));
      const bool is_name =
          tile && tile->factors.size() == 1 && tile->factors.front().find('.') == std::string::npos;
      if (!is_name || !m_outline.axes.at(axis).tile.empty()) continue;
      set_tile(axis, *tile);
      m_outline.axes.at(axis).is_tile_of_pointer = true;
    }
  }

  /// Takes note of axes along which threads begin before their block's tile:
  /// `blockIdx.x * TILE + threadIdx.x - R`.
  void note_halo(const Terms& terms) {
    const bool is_before = std::any_of(terms.begin(), terms.end(),
                                       [](const IndexTerm& term) { return term.number < 0; });
    for (std::size_t axis = 0; is_before && axis < 3; ++axis) {
      const bool is_on = term_with(terms, on_axis("blockIdx", axis)) != nullptr &&
                         term_with(terms, on_axis("threadIdx", axis)) != nullptr;
      m_has_halo.at(axis) = m_has_halo.at(axis) || is_on;
    }
  }

  /// Takes note of an index of a block's threads along x, and of `blockIdx.x * ROWS + threadIdx.y`.
  void read_block_of_x(const Terms& terms) {
    const IndexTerm* block = term_with(terms, on_axis("blockIdx", 0));
    const IndexTerm* along_x = term_with(terms, on_axis("threadIdx", 0));
    const IndexTerm* along_y = term_with(terms, on_axis("threadIdx", 1));
    if (block == nullptr) return;
    if (along_x != nullptr && pitch(*block) == pitch(*along_x)) m_x_is_across_blocks = true;
    if (along_y == nullptr || pitch(*block) != pitch(*along_y)) return;
    const auto rows = stride_of(terms, on_axis("blockIdx", 0));
    if (rows->text() != "1" && rows->text() != on_axis("blockDim", 1)) m_rows_of_x = rows->text();
  }

  /// Whether the threads along x are the lanes of a warp: they exchange values, none has an element
  /// of its own along the grid, and the block has threads along y as well.
  [[nodiscard]] bool has_lanes() const {
    const bool exchange = std::any_of(m_body.begin(), m_body.end(), [](const std::string& token) {
      return token.starts_with("__shfl") || token.starts_with("__reduce_") || token == "__syncwarp";
    });
    return exchange && m_outline.axes[0].has_threads && m_outline.axes[1].has_threads &&
           !m_x_is_across_blocks;
  }

  /// The extents of shared arrays of which each thread writes an element say how many threads there
  /// are, where nothing else does, or where threads load a halo around the block's tile.
  void read_shared_arrays() {
    const std::vector<ThreadArray> arrays = arrays_of_threads(m_body, m_locals);
    const bool is_open = !m_outline.axes[1].has_threads;
    for (const ThreadArray& array : arrays) {
      const Tokens& extent = array.extents[0];
      const bool is_one_word = array.is_of_all && extent.size() == 1;
      const std::string& threads = m_outline.axes[0].threads;
      // A constant that is only the array's size may be the most threads that a block has.
      const bool is_unnamed = threads == on_axis("blockDim", 0) && is_one_word &&
                              std::ranges::count(m_body, extent[0]) > 1 && is_word(extent[0]);
      if (is_open && is_one_word && (threads.empty() || is_unnamed)) {
        m_outline.axes[0].threads = extent[0];
      }
      for (std::size_t axis = 0; axis < 3; ++axis) read_halo(array.extents.at(axis), axis);
    }
  }

  /// `tile[TILE + 2 * R]` where blocks of threads begin R elements before their tile.
  void read_halo(const Tokens& extent, std::size_t axis) {
    if (!m_has_halo.at(axis) || extent.empty() || m_outline.axes.at(axis).tile.empty()) return;
    const std::string threads = spaced(without_brackets(extent));
    if (threads == m_outline.axes.at(axis).tile) return;
    if (threads.ends_with("+ 1")) return;  // padding, for fewer bank conflicts
    m_outline.axes.at(axis).threads = threads;
    m_has_halo.at(axis) = false;  // the first array decides
  }

  void set_tile(std::size_t axis, const IndexTerm& tile) {
    m_outline.axes.at(axis).tile = tile.text();
    m_tiles.at(axis) = tile;
  }

  /// The step of a loop that moves the threads' index: 8 for `y + j` with `j += 8`, where y derives
  /// from threadIdx.y.
  [[nodiscard]] std::optional<IndexTerm> rows_of_threads(const Terms& terms,
                                                         const std::string& thread) const {
    const IndexTerm* of_thread = term_with(terms, thread);
    if (of_thread == nullptr) return std::nullopt;
    const auto stride = quotient(*of_thread, {1, {thread}});
    for (const IndexTerm& other : terms) {
      for (const std::string& factor : other.factors) {
        const auto own = quotient(other, {1, {factor}});
        const IndexTerm* step = m_locals.is_local(factor) ? m_locals.step(factor) : nullptr;
        if (step == nullptr || !own || own->text() != stride->text()) continue;
        const bool is_known = std::none_of(step->factors.begin(), step->factors.end(),
                                           [&](const auto& one) { return m_locals.is_local(one); });
        if (is_known && step->factors.size() <= 1 && step->text() != "1") return *step;
      }
    }
    return std::nullopt;
  }

  /// The threads along a tile: the tile divided by the ranges of the index's other variables.
  [[nodiscard]] std::optional<IndexTerm> threads_among(const Terms& terms, const IndexTerm& tile,
                                                       const IndexTerm& step) const {
    auto threads = quotient(tile, step);
    if (!threads || threads->text() == "1") return std::nullopt;
    for (const IndexTerm& other : terms) {
      for (const std::string& factor : other.factors) {
        const auto stride = quotient(other, {1, {factor}});
        const bool is_within = m_locals.is_local(factor) && stride && !stride->factors.empty();
        if (is_within && quotient(*threads, *stride)) threads = *stride;
      }
    }
    if (threads->factors.size() > 1) return std::nullopt;
    constexpr std::int64_t warp = 32;  // threads; any other number counts elements per thread
    if (!threads->factors.empty() && threads->number != warp) threads->number = 1;
    return threads;
  }

  /// Whether a variable divides the number of a thread, as `threadIdx.x % 8` does.
  [[nodiscard]] bool numbers_threads() const {
    return std::ranges::any_of(m_locals.definitions(), [&](const auto& one) {
      return m_locals.is_of_threads(one.first) &&
             !m_locals.expand(one.second.front().text, one.second.front().at, true);
    });
  }

  /// Only an index with a limit says how many elements there are.
  void read_shared(const std::string& name, const SharedIndex& shared, std::size_t at) {
    const auto axis = read_bound(name, shared.of_thread, at);
    const auto terms = m_locals.expand(shared.of_thread, at, true);
    if (!axis || !terms) return;
    const auto threads = stride_of(*terms, on_axis("blockIdx", *axis));
    if (!threads || threads->text() == "1") return;
    m_outline.axes.at(*axis).tile = threads->text();
    m_outline.axes.at(*axis).sharers = shared.sharers;
    m_tiles.at(*axis).reset();
  }

  /// Takes the limit of a variable that belongs to one axis only as that axis's bound. Returns that
  /// axis if it had none before.
  std::optional<std::size_t> read_bound(const std::string& name, const Tokens& text,
                                        std::size_t at) {
    const UpperBound* limit = m_locals.limit_after(name, at);
    const auto terms = m_locals.expand(text, at, true);
    if (!terms || limit == nullptr) return std::nullopt;
    std::optional<std::size_t> only;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool is_on = term_with(*terms, on_axis("blockIdx", axis)) != nullptr;
      if (!is_on) continue;
      if (only) return std::nullopt;
      only = axis;
    }
    if (!only || !m_outline.axes[*only].bound.empty()) return std::nullopt;
    const auto known = m_locals.without_locals(limit->of);
    if (!known) return std::nullopt;
    AxisOutline& outline = m_outline.axes[*only];
    outline.bound = text_of({*known, limit->more});
    const auto blocks = stride_of(*terms, on_axis("blockIdx", *only));
    outline.bound_counts_blocks =
        blocks->text() == "1" && term_with(*terms, on_axis("threadIdx", *only)) == nullptr;
    return only;
  }

  /// How many elements of an array its indices reach.
  struct Reach {
    std::optional<UpperBound> most = {};  // absent if no index is understood
    bool is_complete = true;              // every index is
  };

  [[nodiscard]] Reach reach_of(const std::string& array) const {
    Reach reach;
    auto& most = reach.most;
    Tokens moved;  // what `array += ...` added
    const std::vector<LoopMove> loops = moves_by_loops(array);
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      const std::size_t length = length_of_name(m_body, at, array);
      if (length == 0 || is_declared(at) || is_equality(m_body, at + length)) continue;
      if (is_first_element(at, length)) {
        if (!most) most = UpperBound{{1, {}}};
        continue;
      }
      if (stands_at(m_body, at + length, {"+", "="})) {
        if (may_repeat(at)) continue;  // see moves_by_loops()
        if (moved.size() > most_index_tokens) return {};
        const Tokens more = until_end_of_sum(at + length + 2);
        if (more.empty()) return {};
        moved.insert(moved.end(), more.begin(), more.end());
        moved.emplace_back("+");
        continue;
      }
      Tokens index = index_at(at + length);
      Tokens before = moved;
      for (const LoopMove& loop : loops) {
        if (loop.text.empty()) return {};
        if (at > loop.begin) before.insert(before.end(), loop.text.begin(), loop.text.end());
      }
      const bool is_short = index.size() + before.size() <= most_index_tokens;
      const bool is_index = !index.empty() && is_short;
      index.insert(index.begin(), before.begin(), before.end());
      const auto elements = is_index ? elements_for(index, at) : std::nullopt;
      const bool is_address = token_at(m_body, at + length) == "+";
      if (!elements || (is_address && elements->of.factors.empty())) {
        reach.is_complete = false;
        continue;
      }
      const bool is_more =
          most && elements->of.text() == most->of.text() && elements->more > most->more;
      if (!most || is_more || reaches_further(elements->of, most->of)) most = elements;
    }
    return reach;
  }

  /// `*total`, `atomicAdd(total, x)`
  [[nodiscard]] bool is_first_element(std::size_t at, std::size_t length) const {
    const std::string_view after = token_at(m_body, at + length);
    if (at < 2 || after == "[" || after == "+") return false;
    const std::string& before = m_body[at - 1];
    const std::string& outer = m_body[at - 2];
    const bool is_value = is_word(outer) || is_number(outer) || outer == ")" || outer == "]";
    if (before == "*") return !is_value;
    return before == "(" && after == "," && outer.starts_with("atomic");
  }

  /// Whether the statement at `at` may be in a loop.
  [[nodiscard]] bool may_repeat(std::size_t at) const {
    const auto end = m_body.begin() + static_cast<std::ptrdiff_t>(at);
    const auto depth = [&](const char* open, const char* close) {
      return std::count(m_body.begin(), end, open) - std::count(m_body.begin(), end, close);
    };
    const bool is_in_head = depth("(", ")") > 0;  // for (...; ++k, row += n)
    return depth("{", "}") > 1 || is_in_head || (at > 0 && m_body[at - 1] == ")");
  }

  /// How far a loop has moved an array: `n * k +` if each pass moves it by `BK * n`, and k by BK.
  struct LoopMove {
    std::size_t begin = 0;
    Tokens text = {};  // empty if that is not understood
  };

  [[nodiscard]] std::vector<LoopMove> moves_by_loops(const std::string& array) const {
    std::vector<LoopMove> moves;
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      const std::size_t length = length_of_name(m_body, at, array);
      if (length == 0 || !stands_at(m_body, at + length, {"+", "="}) || !may_repeat(at)) continue;
      moves.push_back(move_by_loop(until_end_of_sum(at + length + 2), at));
    }
    return moves;
  }

  /// `more`: what the statement at `at` adds. Understood in one loop alone.
  [[nodiscard]] LoopMove move_by_loop(const Tokens& more, std::size_t at) const {
    std::size_t open = at;
    for (int depth = 0; open > 0 && (depth > 0 || m_body[open] != "{"); --open) {
      depth += m_body[open] == "}" ? 1 : m_body[open] == "{" ? -1 : 0;
    }
    std::size_t head = open;
    while (head > 1 && (m_body[head] != "(" || past_brackets(m_body, head) != open)) --head;
    const auto each = index_terms(more);
    const std::size_t begin = head;
    const bool is_of_loop = m_body[at - 1] != ")";  // for (...) for (...) x += n;
    const bool is_loop =
        is_of_loop && head > 1 && m_body[head - 1] == "for" && !may_repeat(head - 1);
    if (!is_loop || !each || each->size() != 1) return {};
    const auto counted = loop_variable(slice(m_body, begin + 1, open - 1));
    if (!counted || m_locals.limit(counted->first, at) == nullptr) return {};
    const auto moved = quotient(each->front(), counted->second);
    if (!moved) return {};
    return {begin, source_tokens((*moved * IndexTerm{1, {counted->first}}).text() + " +")};
  }

  /// The variable that the head of a `for` counts, and by how much: k and BK for `k += BK`. Absent
  /// if another place defines or moves it.
  [[nodiscard]] std::optional<std::pair<std::string, IndexTerm>> loop_variable(
      const Tokens& head) const {
    const auto last = std::find(head.rbegin(), head.rend(), ";").base();
    const Tokens change(last, head.end());
    const bool is_prefixed = stands_at(change, 0, {"+", "+"});
    const std::string name(token_at(change, is_prefixed ? 2 : 0));
    const auto known = m_locals.definitions().find(name);
    if (known == m_locals.definitions().end() || known->second.size() != 1) return std::nullopt;
    std::size_t changes = 0;
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      changes += stands_at(m_body, at, {name, "+"}) && !is_word(token_at(m_body, at + 2)) ? 1 : 0;
    }
    if (is_prefixed && change.size() == 3 && changes == 0) return std::pair(name, IndexTerm{});
    if (changes != 1) return std::nullopt;
    if (stands_at(change, 1, {"+", "+"}) && change.size() == 3) return std::pair(name, IndexTerm{});
    const auto step = index_terms(slice(change, 3, change.size()));
    const bool is_step = stands_at(change, 1, {"+", "="}) && step && step->size() == 1;
    return is_step ? std::optional(std::pair(name, step->front())) : std::nullopt;
  }

  /// The index in the last brackets of `[i][j]` at `at`, or that of `+ i`, an element's address;
  /// empty for anything else.
  [[nodiscard]] Tokens index_at(std::size_t at) const {
    if (token_at(m_body, at) == "+") return until_end_of_sum(at + 1);
    if (token_at(m_body, at) != "[") return {};
    std::size_t end = past_brackets(m_body, at, most_index_tokens);
    while (token_at(m_body, end) == "[") {
      at = end;
      end = past_brackets(m_body, at, most_index_tokens);
    }
    return end < m_body.size() ? slice(m_body, at + 1, end - 1) : Tokens();
  }

  [[nodiscard]] Tokens until_end_of_sum(std::size_t at) const {
    const std::size_t begin = at;
    while (at < m_body.size() && at - begin <= most_index_tokens) {
      const std::string& token = m_body[at];
      if (token == ";" || token == "," || token == ")" || token == "]" || token == "}") break;
      at = token == "(" || token == "[" ? past_brackets(m_body, at, most_index_tokens) : at + 1;
    }
    return at - begin > most_index_tokens ? Tokens() : slice(m_body, begin, at);
  }

  /// `const float* row = rows[b];`, `extern __shared__ float sums[];`
  [[nodiscard]] bool is_declared(std::size_t at) const {
    const bool is_local = at > 0 && (is_word(m_body[at - 1]) || m_body[at - 1] == "*") &&
                          token_at(m_body, at + 1) == "=";
    return is_local || stands_at(m_body, at + 1, {"[", "]"});
  }

  /// "n", "n + 1"; fewer than the product is no matter.
  [[nodiscard]] static std::string text_of(const UpperBound& bound) {
    constexpr std::int64_t small = 1 << 30;  // their sum fits
    const bool is_number =
        bound.of.factors.empty() && bound.of.number < small && bound.more < small;
    if (is_number) return std::to_string(bound.of.number + bound.more);
    std::string text = bound.of.text();
    if (bound.more > 0) return text + " + " + std::to_string(bound.more);
    const bool is_quotient =
        bound.of.number == 1 && bound.of.factors.size() == 1 && text.starts_with('(');
    return is_quotient ? text.substr(1, text.size() - 2) : text;
  }

  /// A bound above every value of an index: its largest product, with limits in place of variables.
  [[nodiscard]] std::optional<UpperBound> elements_for(Tokens index, std::size_t at) const {
    while (token_at(index, 0) == "(" && past_brackets(index, 0) == index.size()) {
      index = slice(index, 1, index.size() - 1);
    }
    const bool is_below = stands_at(index, 1, {"%"});  // i % n
    if (is_below) {
      index = slice(index, 2, index.size());
      if (index.size() > 1) return std::nullopt;
    }
    const auto terms = m_locals.expand(index, at, false);
    if (!terms) return std::nullopt;
    std::optional<UpperBound> most;
    std::int64_t constant = 0;
    bool is_shifted = true;  // by the constant alone: i + 1
    std::int64_t equal = 0;  // variables or sizes with the largest limit: i + n / 2
    for (const IndexTerm& term : *terms) {
      if (term.factors.empty()) constant += term.number;
      if (term.number <= 0 || term.factors.empty()) continue;
      const auto limit = limit_of(term, at);
      if (!limit && is_within_tile(term, *terms, at)) continue;
      if (!limit) return std::nullopt;
      const bool is_one = term.factors.size() == 1 && term.number == 1;
      is_shifted = !most && is_one;
      if (is_one && equal > 0 && limit->of.text() == most->of.text()) {
        ++equal;
      } else if (!most || reaches_further(limit->of, most->of)) {
        most = limit;
        equal = is_one ? 1 : 0;
      }
    }
    if (most && equal > 1) most->of.number *= equal;
    if (!most) return UpperBound{{std::max<std::int64_t>(constant, 0) + 1, {}}};
    most->more = is_shifted && !is_below ? most->more + constant : 0;
    return most;
  }

  /// Whether the term is of threads within the tile of a block or a loop, which another term of the
  /// same pitch places: `(threadIdx.x / 8) * n` beside `blockIdx.y * TILE * n`.
  [[nodiscard]] bool is_within_tile(const IndexTerm& term, const Terms& terms,
                                    std::size_t at) const {
    const bool is_of_threads = std::ranges::any_of(
        term.factors, [&](const auto& one) { return m_locals.is_of_threads(one); });
    const bool is_known = std::ranges::none_of(
        term.factors, [](const std::string& one) { return one.starts_with("gridDim."); });
    return is_of_threads && is_known && term.number == 1 &&
           std::ranges::any_of(terms, [&](const IndexTerm& other) {
             return pitch(other) == pitch(term) && places_tile(other, at);
           });
  }

  /// `blockIdx.y * TILE`, or a loop's variable that counts tiles.
  [[nodiscard]] bool places_tile(const IndexTerm& term, std::size_t at) const {
    const bool is_of_block = std::ranges::any_of(
        term.factors, [](const std::string& one) { return one.starts_with("blockIdx."); });
    if (is_of_block) return term.number > 1 || term.factors.size() > pitch(term).size() + 1;
    return std::ranges::any_of(term.factors, [&](const std::string& one) {
      const UpperBound* limit = m_locals.limit(one, at);
      const IndexTerm* step = m_locals.is_local(one) ? m_locals.step(one) : nullptr;
      return limit != nullptr && is_argument(limit->of.text()) && step != nullptr &&
             step->text() != "1";
    });
  }

  /// The arguments among the factors.
  [[nodiscard]] std::vector<std::string> pitch(const IndexTerm& of) const {
    std::vector<std::string> arguments;
    std::copy_if(of.factors.begin(), of.factors.end(), std::back_inserter(arguments),
                 [&](const std::string& one) { return is_argument(one); });
    return arguments;
  }

  /// Assumes that problem sizes exceed tile sizes, and that extents across all blocks exceed those
  /// within one.
  [[nodiscard]] bool reaches_further(const IndexTerm& a, const IndexTerm& b) const {
    const auto is_of_tile = [&](const std::string& factor) {
      return std::any_of(m_tiles.begin(), m_tiles.end(),
                         [&](const auto& tile) { return tile && tile->has(factor); });
    };
    const auto spans_blocks = [](const std::string& factor) {
      return factor.starts_with("extent.") || factor.starts_with("gridDim.");
    };
    const auto rank = [&](const IndexTerm& term) {
      const auto& factors = term.factors;
      return std::pair(std::count_if(factors.begin(), factors.end(), std::not_fn(is_of_tile)),
                       std::any_of(factors.begin(), factors.end(), spans_blocks));
    };
    return rank(a) == rank(b) ? is_larger(a, b) : rank(a) > rank(b);
  }

  /// Replaces blockIdx * tile by extent, which bounds it.
  [[nodiscard]] IndexTerm with_extents(IndexTerm term) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& tile = m_tiles.at(axis);
      if (!tile) continue;
      auto rest = quotient(term, *tile * IndexTerm{1, {on_axis("blockIdx", axis)}});
      if (!rest) continue;
      rest->factors.push_back(on_axis("extent", axis));
      term = std::move(*rest);
    }
    return term;
  }

  [[nodiscard]] std::optional<UpperBound> limit_of(const IndexTerm& term, std::size_t at) const {
    const IndexTerm whole = with_extents(term);
    IndexTerm limits{whole.number, {}};
    std::int64_t more = 0;
    for (const std::string& factor : whole.factors) {
      if (const UpperBound* limit = m_locals.limit(factor, at)) {
        limits = limits * limit->of;
        more = limit->more;
      } else if (factor.starts_with("blockIdx.")) {
        limits.factors.push_back("gridDim" + factor.substr(factor.find('.')));
      } else if (factor.starts_with("threadIdx.")) {
        limits.factors.push_back("blockDim" + factor.substr(factor.find('.')));
      } else {
        limits.factors.push_back(factor);
        more = factor.starts_with("extent.") ? 0 : 1;  // x[n] needs n + 1 elements
      }
    }
    const auto known = m_locals.without_locals(limits);
    return known ? std::optional(UpperBound{*known, more}) : std::nullopt;
  }

  const Tokens& m_body;
  const std::vector<std::string>& m_arguments;
  LocalNames m_locals;
  IndexOutline m_outline;
  std::array<bool, 3> m_is_strided = {};  // threads take turns: i += blockDim.x
  std::array<bool, 3> m_has_halo = {};    // threads begin before their block's tile
  bool m_x_is_across_blocks = false;      // an index has both blockIdx.x and threadIdx.x
  std::string m_rows_of_x;                // ROWS in blockIdx.x * ROWS + threadIdx.y
  std::array<std::optional<IndexTerm>, 3> m_tiles;
  std::array<std::string, 3> m_digits;             // bounds by read_digits()
  std::array<bool, 3> m_digit_counts_blocks = {};  // rather than elements
};

}  // namespace

IndexOutline outline_indices(const OutlinedKernel& kernel, const std::vector<std::string>& arrays) {
  const Tokens plain = plain_arithmetic(without_groups(kernel.body), kernel.arguments);
  const std::vector<std::string> arguments = kernel.argument_names();
  return IndexReader(plain, arguments).run(arrays);
}

}  // namespace gtune
