#include "authoring/name_guess.hpp"

#include <algorithm>
#include <cctype>

namespace gtune {
namespace {

using Words = std::vector<std::string>;

/// A larger value is more likely a problem size than a tuning parameter.
constexpr std::int64_t largest_tuned = 4096;

/// "BLOCK", "SIZE", "X" for blockSizeX, BLOCK_SIZE_X or block_size_x.
Words words_of(const std::string& name) {
  Words words;
  bool begins = true;
  char before = ' ';
  for (const char c : name) {
    const auto is_lower = [](char one) { return std::islower(static_cast<unsigned char>(one)); };
    const bool is_capital = std::isupper(static_cast<unsigned char>(c)) != 0;
    begins = begins || (is_capital && is_lower(before) != 0);
    if (c == '_') {
      begins = true;
    } else {
      if (begins) words.emplace_back();
      words.back() += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      begins = false;
    }
    before = c;
  }
  return words;
}

bool has_any(const Words& words, const Words& wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// Also finds parts within a word: "BLOCK" in "blocksize".
bool has_part(const Words& words, const Words& parts) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return word.find(part) != word.npos; });
  });
}

bool looks_tuned(const Words& words) {
  static const Words parts = {"BLOCK", "THREAD",  "TILE",   "UNROLL", "WARP",   "STAGE",
                              "CHUNK", "COARSEN", "VECTOR", "NTHR",   "CLUSTER"};
  static const Words wanted = {"TPB",   "BS",    "BM",   "BN",  "BK",  "TM",    "TN",  "TK",
                               "WM",    "WN",    "WK",   "VEC", "PER", "ITEMS", "WPT", "BLK",
                               "SPLIT", "GROUP", "BX",   "BY",  "BZ",  "TX",    "TY",  "TZ",
                               "ILP",   "DIMX",  "WPTX", "USE", "CTA", "PIPE",  "BUF", "ENABLE"};
  return has_part(words, parts) || has_any(words, wanted);
}

bool looks_like_extent(const Words& words) {
  static const Words parts = {"WIDTH", "HEIGHT", "LENGTH", "COUNT", "ELEM"};
  static const Words wanted = {"SIZE",    "M",      "N",     "K",     "L",     "W",     "H",
                               "C",       "NX",     "NY",    "NZ",    "ROWS",  "ROW",   "COLS",
                               "COL",     "LEN",    "NUM",   "DIM",   "BATCH", "BINS",  "CHANNELS",
                               "DEPTH",   "RADIUS", "ORDER", "TOTAL", "MAX",   "HEADS", "STRIDE",
                               "CLASSES", "DIMS",   "NBINS"};
  return has_part(words, parts) || has_any(words, wanted);
}

bool looks_constant(const Words& words) {
  static const Words wanted = {
      "ALPHA",     "BETA",      "GAMMA", "DELTA", "EPS",   "EPSILON", "SCALE", "FACTOR", "LAMBDA",
      "DT",        "DX",        "DY",    "DZ",    "MU",    "SIGMA",   "OMEGA", "PI",     "TOL",
      "TOLERANCE", "SOFTENING", "G",     "TAU",   "THETA", "RHO",     "NU",    "DAMPING"};
  return has_any(words, wanted);
}

/// OpenCV's word for a pitch: `src_step`.
bool is_step_of_rows(const Words& words) {
  static const Words matrices = {"SRC",    "DST", "IN",    "OUT", "INPUT",
                                 "OUTPUT", "IMG", "IMAGE", "ROW"};
  return words.size() > 1 && words.back() == "STEP" && has_any(words, matrices);
}

}  // namespace

NameMeaning meaning_of(const std::string& name, std::optional<std::int64_t> value) {
  const Words words = words_of(name);
  if (looks_tuned(words) && value.value_or(0) <= largest_tuned) return NameMeaning::tuned;
  if (looks_like_extent(words) || value.value_or(0) > largest_tuned) return NameMeaning::size;
  return looks_constant(words) ? NameMeaning::constant : NameMeaning::unclear;
}

bool looks_like_block(const std::string& name) {
  const Words words = words_of(name);
  static const Words wanted = {"TPB", "BS", "BX", "BY", "BZ", "BLK"};
  const bool is_of_thread = has_any(words, {"PER"});
  const bool is_group = has_any(words, {"WORK"}) && has_any(words, {"GROUP"});
  return !is_of_thread &&
         (has_part(words, {"BLOCK", "THREAD", "NTHR"}) || has_any(words, wanted) || is_group);
}

bool looks_like_setting(const std::string& name) {
  static const Words wanted = {"OFFSET",     "START",  "BEGIN",    "FIRST",   "AXIS",     "SEED",
                               "MODE",       "FLAG",   "SHIFT",    "ITER",    "ITERS",    "STEP",
                               "STEPS",      "INDEX",  "ID",       "LEVEL",   "KIND",     "DEVICE",
                               "ITERATIONS", "RADIUS", "PAD",      "PADDING", "DILATION", "INC",
                               "INCX",       "INCY",   "STEPSIZE", "LOG"};
  const Words words = words_of(name);
  return has_any(words, wanted) && !is_step_of_rows(words);
}

bool looks_like_optimization(const std::string& name) {
  Words words = words_of(name);
  // USE_ALIBI selects the result, USE_SHARED does not: the other word decides.
  std::erase_if(words, [](const auto& word) { return word == "USE" || word == "ENABLE"; });
  static const Words parts = {"UNROLL",  "PREFETCH",  "VECTOR",  "CACHE",   "SHARED", "SMEM",
                              "ALIGNED", "ALIGNMENT", "SWIZZL",  "ASYNC",   "PIPELI", "BUFFER",
                              "COALESC", "ATOMIC",    "GUARD",   "LDG",     "WARP",   "SHUFFL",
                              "SHFL",    "STREAM",    "TEXTURE", "CONFLICT"};
  static const Words wanted = {"VEC",  "FAST", "PAD", "PADDED", "CHECK", "CHECKS",
                               "EVEN", "POW2", "TEX", "POW",    "FULL",  "TILED",
                               "RTC",  "TC",   "REG", "REGS",   "BOUND", "BOUNDS"};
  return has_part(words, parts) || has_any(words, wanted) || looks_tuned(words);
}

bool looks_like_epsilon(const std::string& name) {
  return has_any(words_of(name), {"EPS", "EPSILON"});
}

bool looks_like_integers(const std::string& name) {
  static const Words parts = {"INDEX", "INDICES", "IDX", "OFFSET", "ORDINAL"};
  const Words words = words_of(name);
  return has_part(words, parts) || has_any(words, {"INT", "I", "SIZE", "COUNT", "KEY"});
}

bool looks_like_stride(const std::string& name) { return has_part(words_of(name), {"STRIDE"}); }

bool looks_like_pitch(const std::string& name) {
  const Words words = words_of(name);
  const bool is_leading = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.starts_with("LD") && word.size() <= 4;
  });
  return is_leading || is_step_of_rows(words) || has_part(words, {"STRIDE", "PITCH"});
}

bool looks_like_batch(const std::string& name) {
  static const Words wanted = {"BATCH", "BATCHES", "COUNT", "NUM", "NBATCH", "GROUPS", "TABLES"};
  const Words words = words_of(name);
  return has_any(words, wanted) || has_part(words, {"BATCH"});
}

std::optional<std::size_t> axis_of(const std::string& name) {
  static const Words of_x = {"X", "WIDTH", "COLS", "COL", "NX", "N", "W", "COLUMNS", "DIMX"};
  static const Words of_y = {"Y", "HEIGHT", "ROWS", "ROW", "NY", "M", "H", "DIMY"};
  static const Words of_z = {"Z", "DEPTH", "BATCH", "NZ", "D", "DIMZ"};
  const Words words = words_of(name);
  if (words.empty()) return std::nullopt;
  if (has_any(words, of_y)) return 1;
  if (has_any(words, of_z)) return 2;
  if (has_any(words, of_x)) return 0;
  switch (words.back().back()) {
    case 'X':
      return 0;
    case 'Y':
      return 1;
    case 'Z':
      return 2;
    default:
      return std::nullopt;
  }
}

bool looks_like_reference(const std::string& name) {
  const Words words = words_of(name);
  return has_any(words, {"REF", "GOLD"}) || has_part(words, {"REFERENCE", "NAIVE"});
}

bool is_called_naive(const std::string& name) { return has_part(words_of(name), {"NAIVE"}); }

std::int64_t first_value(const std::string& name, std::optional<std::int64_t> usual, bool is_bool) {
  switch (is_bool ? NameMeaning::tuned : meaning_of(name, usual)) {
    case NameMeaning::size:
      return usual.value_or(compiled_size);
    case NameMeaning::constant:
      return usual.value_or(1);
    default:
      return guessed_values(name, usual, is_bool).front();
  }
}

std::vector<std::int64_t> guessed_values(const std::string& name, std::optional<std::int64_t> usual,
                                         bool is_bool) {
  if (is_bool) return {0, 1};
  if (usual && *usual > 1 && *usual <= 1024 && (*usual & (*usual - 1)) == 0) {
    std::vector<std::int64_t> values = {*usual / 2, *usual};
    if (*usual < 1024) values.push_back(*usual * 2);
    return values;
  }
  if (usual) return {*usual};
  if (!looks_like_block(name)) return {1, 2, 4};
  switch (axis_of(name).value_or(3)) {
    case 0:
      return {16, 32, 64};
    case 1:
      return {4, 8, 16};
    case 2:
      return {1, 2};
    default:
      return {64, 128, 256};
  }
}

}  // namespace gtune
