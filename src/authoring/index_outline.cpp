#include "authoring/index_outline.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "authoring/array_reach.hpp"
#include "authoring/cooperative_groups.hpp"
#include "authoring/local_names.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/plain_arithmetic.hpp"
#include "authoring/pointer_copies.hpp"
#include "authoring/shared_index.hpp"
#include "authoring/thread_arrays.hpp"
#include "authoring/thread_digits.hpp"

namespace gtune {
namespace {

using Terms = std::vector<IndexTerm>;

class IndexReader {
 public:
  IndexReader(const Tokens& body, const std::vector<std::string>& arguments,
              const ElementBytes& bytes, const Tokens& called)
      : m_body(body),
        m_arguments(arguments),
        m_bytes(bytes),
        m_called(called),
        m_locals(body),
        m_thread_digits(thread_digits(m_locals)) {}

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
      if (is_moved) read_move(until_end_of_sum(m_body, at + 3), at);
      if (is_argument(m_body[at])) read_offset(at);
    }
    for (std::size_t at = 0; at < m_body.size(); ++at) read_remainder(at);
    use_multiples_of_pitch();
    use_digits();
    read_shared_arrays();
    use_highest_digit();
    // Threads along x that are numbered within a tile are as many as it has elements, or fewer.
    if (numbers_threads()) m_outline.axes[0].is_tile_of_pointer = true;
    if (has_lanes()) {
      m_outline.axes[0].is_warp = true;
      if (!m_rows_of_x.empty()) m_outline.axes[1].threads = m_rows_of_x;
    }
    const ElementBound bound(m_locals, m_arguments, m_tiles);
    const ArrayReach arrays_reach(m_body, m_locals, bound);
    for (const std::string& array : arrays) {
      const ArrayReach::Reach reach = arrays_reach.of(array, bytes_of(array));
      for (const auto& [pitch, span] : reach.spans) m_outline.spans.emplace(pitch, text_of(span));
      m_outline.multiples.emplace(array, reach.multiple);
      if (!reach.most) continue;
      // Shared memory has no elements to spare.
      const bool adds_up = !reach.sum.empty() && is_dynamic_shared(array);
      const std::string elements = adds_up ? reach.sum : text_of(*reach.most);
      if (reach.is_complete) {
        m_outline.elements.emplace(array, elements);
      } else if (!reach.most->of.factors.empty()) {  // a number alone is no hint: x[0]
        m_outline.least_elements.emplace(array, elements);
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

  /// `extern __shared__ float array[];`
  [[nodiscard]] bool is_dynamic_shared(const std::string& array) const {
    for (std::size_t at = 0; at < m_body.size(); ++at) {
      if (stands_at(m_body, at, {array, "[", "]", ";"})) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t bytes_of(const std::string& array) const {
    const auto known = m_bytes.find(array);
    return known == m_bytes.end() ? 0 : known->second;
  }

  /// Also true for a member of an argument: "params.width".
  [[nodiscard]] bool is_argument(const std::string& name) const {
    return is_among(m_arguments, name);
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
    // `(blockIdx.x * ROWS + r) * HEAD_DIM + d`: a row's elements, which other indices skip as well.
    std::erase_if(stride->factors, [&](const std::string& one) {
      const bool is_shared = std::ranges::any_of(
          terms, [&](const IndexTerm& other) { return &other != term && other.has(one); });
      return is_shared && meaning_of(one, std::nullopt) == NameMeaning::size;
    });
    return stride;
  }

  /// Reads threads and tile: `(blockIdx.x * UNROLL + u) * BLOCK + threadIdx.x` means that a block
  /// has BLOCK threads and computes UNROLL * BLOCK elements.
  void read_index(const Tokens& text, std::size_t at) {
    auto terms = m_locals.expand(text, at, true);
    if (!terms) return;
    *terms = m_locals.with_constants(*terms);
    read_block_of_x(*terms);
    read_highest_digit(*terms);
    note_halo(*terms);
    read_digits(*terms);
    read_low_digit(*terms);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      AxisOutline& outline = m_outline.axes[axis];
      const auto tile = stride_of(*terms, on_axis("blockIdx", axis));
      const auto step = stride_of(*terms, on_axis("threadIdx", axis));
      if (tile) note_product(axis, *terms, *tile, step);
      if (tile) note_rows(axis, *terms);
      if (!tile || !outline.sharers.empty()) continue;
      if (tile->text() == "1") {  // out[blockIdx.x]: one per block
        outline.has_row_blocks = true;
        continue;
      }
      if (may_be_of_pitch(*terms, axis, *tile)) {
        m_multiples_of_pitch.at(axis) = *tile;
        continue;
      }
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

  void note_rows(std::size_t axis, const Terms& terms) {
    const IndexTerm& block = *term_with(terms, on_axis("blockIdx", axis));
    if (!pitch_of(block, m_arguments).empty()) m_outline.axes.at(axis).has_rows = true;
  }

  /// Whether the number of elements per block may belong to the pitch: rows of 2 * n elements in
  /// `blockIdx.x * 2 * n + i`, unless the index has rows of n as well, `+ r * n`.
  [[nodiscard]] bool may_be_of_pitch(const Terms& terms, std::size_t axis,
                                     const IndexTerm& tile) const {
    const IndexTerm& block = *term_with(terms, on_axis("blockIdx", axis));
    const auto pitch = pitch_of(block, m_arguments);
    if (!tile.factors.empty() || pitch.empty()) return false;
    return std::ranges::none_of(terms, [&](const IndexTerm& other) {
      return &other != &block && pitch_of(other, m_arguments) == pitch &&
             other.factors.size() > pitch.size();
    });
  }

  /// Other indices say what such a number is: with rows of n, each block has one.
  void use_multiples_of_pitch() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const AxisOutline& outline = m_outline.axes.at(axis);
      const auto& multiple = m_multiples_of_pitch.at(axis);
      const bool is_tile =
          multiple && !outline.has_row_blocks && outline.tile.empty() && outline.sharers.empty();
      if (is_tile) set_tile(axis, *multiple);
    }
  }

  /// `(float4*)(in + blockIdx.x * n)`, `reinterpret_cast<float4*>(in) + blockIdx.x * n`, where `in`
  /// is at `at`.
  void read_offset(std::size_t at) {
    const auto cast = cast_of_pointer(m_body, at, 1);
    if (!cast) return;
    read_index(cast->offset, at);
    const std::size_t end = cast->at + cast->length;
    if (token_at(m_body, end) == "+") read_index(until_end_of_sum(m_body, end + 1), at);
  }

  /// A block of TPV * VPB threads, `blockIdx.x * TPV * VPB + threadIdx.x`, unless threads have
  /// several elements of their own.
  void note_product(std::size_t axis, const Terms& terms, const IndexTerm& tile,
                    const std::optional<IndexTerm>& step) {
    const bool is_it = axis == 0 && step && step->text() == "1" && terms.size() == 2 &&
                       tile.factors.size() > 1 && !m_is_strided[0];
    const bool is_known = std::ranges::none_of(
        tile.factors, [](const std::string& one) { return one.find('.') != std::string::npos; });
    if (is_it && is_known) m_threads_of_product = tile;
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

  /// Blocks along an axis are the lowest digit of an index whose other terms are multiples of a
  /// size: n for x in `row * n + blockIdx.x * TILE + threadIdx.x`.
  void read_low_digit(const Terms& terms) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const IndexTerm* lowest = term_with(terms, on_axis("blockIdx", axis));
      const bool is_low = lowest != nullptr && pitch_of(*lowest, m_arguments).empty();
      if (!is_low || !m_digits.at(axis).empty()) continue;
      std::set<std::string> sizes;
      bool is_first = true;
      for (const IndexTerm& term : terms) {
        const auto pitch = pitch_of(term, m_arguments);
        if (pitch.empty()) continue;
        const std::set<std::string> own(pitch.begin(), pitch.end());
        if (is_first) sizes = own;
        std::erase_if(sizes, [&](const std::string& one) { return !own.contains(one); });
        is_first = false;
      }
      const bool is_one = sizes.size() == 1 && !looks_like_pitch(*sizes.begin());
      const bool is_only = std::ranges::all_of(terms, [&](const IndexTerm& term) {
        const bool is_of_block = std::ranges::any_of(
            term.factors, [](const auto& one) { return one.starts_with("blockIdx."); });
        return !pitch_of(term, m_arguments).empty() || &term == lowest || !is_of_block;
      });
      if (!is_one || !is_only) continue;
      m_digits.at(axis) = *sizes.begin();
      m_digit_counts_blocks.at(axis) = stride_of(terms, on_axis("blockIdx", axis))->text() == "1";
    }
  }

  /// The highest digit of the threads' number has as many values as fit a block's tile: BM / TM in
  /// `blockIdx.y * BM + (threadIdx.x / (BN / TN)) * TM + i`.
  void read_highest_digit(const Terms& terms) {
    for (const auto& [name, digit] : m_thread_digits) {
      const IndexTerm* own = digit.radix ? nullptr : term_with(terms, name);
      if (own == nullptr || m_threads_by_digits) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const IndexTerm* block = term_with(terms, on_axis("blockIdx", axis));
        if (block == nullptr || pitch_of(*block, m_arguments) != pitch_of(*own, m_arguments)) {
          continue;
        }
        const auto tile = stride_of(terms, on_axis("blockIdx", axis));
        const auto step = stride_of(terms, name);
        auto values = exact_quotient(*tile, *step);
        for (const IndexTerm& other : terms) {  // rows that a thread has: `+ i * ROWS`
          for (const std::string& factor : other.factors) {
            const auto rows = quotient(other, {1, {factor}});
            const bool is_step = m_locals.is_local(factor) && factor != name && rows && values &&
                                 !rows->factors.empty() && quotient(*values, *rows);
            if (is_step && !m_thread_digits.contains(factor)) values = rows;
          }
        }
        if (values && values->text() != "1") m_threads_by_digits = digit.divisor * *values;
      }
    }
  }

  /// A loop over elements that begins with the highest digit steps by its number of values:
  /// `for (j = threadIdx.x / 32; j < m; j += WARPS)`.
  void read_steps_of_digits() {
    for (const auto& [name, definitions] : m_locals.definitions()) {
      const IndexTerm* step = m_locals.step(name);
      if (step == nullptr || m_threads_by_digits || step->text() == "1") continue;
      const bool is_known = std::ranges::none_of(step->factors, [&](const std::string& one) {
        return one.find('.') != std::string::npos || m_locals.is_local(one);
      });
      for (const auto& definition : definitions) {
        const auto digit = is_known && definition.is_whole ? thread_digit(definition.text, m_locals)
                                                           : std::nullopt;
        const bool is_warp = digit && (digit->divisor * *step).text() == "32";  // lanes of one
        if (!digit || digit->radix || is_warp) continue;
        m_threads_by_digits = digit->divisor * *step;
      }
    }
  }

  /// What nothing else shows, of a block whose size is not asked for.
  void use_highest_digit() {
    AxisOutline& outline = m_outline.axes[0];
    read_steps_of_digits();
    if (outline.has_block_size || !outline.threads.empty() || m_outline.axes[1].has_threads) return;
    if (m_threads_by_digits) {
      outline.threads = m_threads_by_digits->text();
      outline.is_split = true;
    } else if (m_threads_of_product) {
      outline.threads = m_threads_of_product->text();
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
    if (along_x != nullptr && pitch_of(*block, m_arguments) == pitch_of(*along_x, m_arguments))
      m_x_is_across_blocks = true;
    if (along_y == nullptr || pitch_of(*block, m_arguments) != pitch_of(*along_y, m_arguments))
      return;
    const auto rows = stride_of(terms, on_axis("blockIdx", 0));
    if (rows->text() != "1" && rows->text() != on_axis("blockDim", 1)) m_rows_of_x = rows->text();
  }

  /// Whether the threads along x are the lanes of a warp: they exchange values, none has an element
  /// of its own along the grid, and the block has threads along y as well.
  [[nodiscard]] bool has_lanes() const {
    const auto is_exchange = [](const std::string& token) {
      return token.starts_with("__shfl") || token.starts_with("__reduce_") || token == "__syncwarp";
    };
    const bool exchange =
        std::ranges::any_of(m_body, is_exchange) || std::ranges::any_of(m_called, is_exchange);
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
        const bool is_name = factor.find('.') == std::string::npos && !is_argument(factor);
        const bool is_within = is_name && stride && !stride->factors.empty();
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
    auto terms = m_locals.expand(shared.of_thread, at, true);
    if (!axis || !terms) return;
    *terms = m_locals.with_constants(*terms);
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
    auto terms = m_locals.expand(text, at, true);
    if (!terms || limit == nullptr) return std::nullopt;
    *terms = m_locals.with_constants(*terms);
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
    outline.bound = text_of({*known, limit->more, limit->others});
    const auto blocks = stride_of(*terms, on_axis("blockIdx", *only));
    const bool has_one_each = blocks->text() == "1";
    const bool has_threads = term_with(*terms, on_axis("threadIdx", *only)) != nullptr;
    outline.bound_counts_blocks = has_one_each && !has_threads;
    // A tile counts what the bound counts: x, although an index has 2 * x.
    if (has_threads && !has_one_each && outline.sharers.empty()) set_tile(*only, *blocks);
    return only;
  }

  const Tokens& m_body;
  const std::vector<std::string>& m_arguments;
  const ElementBytes& m_bytes;
  const Tokens& m_called;
  LocalNames m_locals;
  std::map<std::string, ThreadDigit> m_thread_digits;
  std::optional<IndexTerm> m_threads_by_digits;   // along x
  std::optional<IndexTerm> m_threads_of_product;  // along x: TPV * VPB for their tile
  IndexOutline m_outline;
  std::array<std::optional<IndexTerm>, 3> m_multiples_of_pitch;  // see may_be_of_pitch()
  std::array<bool, 3> m_is_strided = {};  // threads take turns: i += blockDim.x
  std::array<bool, 3> m_has_halo = {};    // threads begin before their block's tile
  bool m_x_is_across_blocks = false;      // an index has both blockIdx.x and threadIdx.x
  std::string m_rows_of_x;                // ROWS in blockIdx.x * ROWS + threadIdx.y
  std::array<std::optional<IndexTerm>, 3> m_tiles;
  std::array<std::string, 3> m_digits;             // bounds by read_digits()
  std::array<bool, 3> m_digit_counts_blocks = {};  // rather than elements
};

}  // namespace

IndexOutline outline_indices(const OutlinedKernel& kernel, const std::vector<std::string>& arrays,
                             const ElementBytes& bytes, const Tokens& called,
                             const TypeBytes& types) {
  const Tokens plain =
      with_named_digits(plain_arithmetic(without_groups(kernel.body), kernel.arguments, types));
  const std::vector<std::string> arguments = kernel.argument_names();
  return IndexReader(plain, arguments, bytes, called).run(arrays);
}

}  // namespace gtune
