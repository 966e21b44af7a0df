#include "authoring/cpp_types.hpp"

#include <algorithm>
#include <map>

#include "model/plan.hpp"

namespace gtune {
namespace {

constexpr int deepest_alias = 8;

/// "unsigned long" for `long unsigned int`; the words of an integer type may stand in any order.
std::string integer_name(const Tokens& words) {
  const auto count = [&](std::string_view word) {
    return std::count(words.begin(), words.end(), word);
  };
  std::string name = count("unsigned") != 0 ? "unsigned " : "";
  if (count("char") != 0) return count("signed") != 0 ? "signed char" : name + "char";
  if (count("short") != 0) return name + "short";
  if (count("long") > 1) return name + "long long";
  return name + (count("long") == 1 ? "long" : "int");
}

bool is_integer_word(const std::string& word) {
  static const Tokens words = {"unsigned", "signed", "int", "long", "short", "char"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The compiler's name for a type that a header defines.
std::string name_of_word(const std::string& word) {
  static const std::map<std::string, std::string> names = {{"int8_t", "signed char"},
                                                           {"uint8_t", "unsigned char"},
                                                           {"int16_t", "short"},
                                                           {"uint16_t", "unsigned short"},
                                                           {"int32_t", "int"},
                                                           {"uint32_t", "unsigned int"},
                                                           {"int64_t", "long"},
                                                           {"uint64_t", "unsigned long"},
                                                           {"size_t", "unsigned long"},
                                                           {"ptrdiff_t", "long"},
                                                           {"uint", "unsigned int"},
                                                           {"uchar", "unsigned char"},
                                                           {"ushort", "unsigned short"},
                                                           {"ulong", "unsigned long"},
                                                           {"half", "__half"},
                                                           {"half2", "__half2"},
                                                           {"nv_bfloat16", "__nv_bfloat16"},
                                                           {"nv_bfloat162", "__nv_bfloat162"}};
  const auto found = names.find(word);
  return found == names.end() ? word : found->second;
}

bool is_no_type(const std::string& token) {
  static const Tokens words = {"volatile", "mutable",           "struct",     "class", "typename",
                               "std",      "__restrict__",      "__restrict", ":",     "register",
                               "inline",   "__grid_constant__", "restrict"};
  return std::find(words.begin(), words.end(), token) != words.end();
}

SpelledType spelled(const Tokens& tokens, const TypeOutline& types, int depth) {
  SpelledType type;
  Tokens words;
  bool is_const = false;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const std::string& token = tokens[at];
    if (token == "<" && !words.empty()) {
      const std::size_t end = past_brackets(tokens, at);
      words.back() += joined(slice(tokens, at, end));
      at = end - 1;
    } else if (token == "*") {
      ++type.pointers;
    } else if (token == "const") {
      is_const = is_const || type.pointers == 0;
    } else if (!is_no_type(token)) {
      words.push_back(token);
    }
  }
  type.points_to_const = is_const && type.pointers > 0;
  if (!words.empty() && std::all_of(words.begin(), words.end(), is_integer_word)) {
    type.name = integer_name(words);
    return type;
  }
  const std::string last = words.empty() ? "" : words.back();
  const auto alias = types.aliases.find(last);
  if (alias == types.aliases.end() || depth == deepest_alias) {
    type.name = name_of_word(last);
    return type;
  }
  SpelledType meant = spelled(alias->second, types, depth + 1);
  meant.pointers += type.pointers;
  meant.points_to_const = meant.points_to_const || type.points_to_const;
  return meant;
}

}  // namespace

std::size_t ElementOf::bytes() const { return size_of(element_type_from_string(type)); }

std::size_t ElementOf::value_bytes() const { return bytes() * static_cast<std::size_t>(count); }

std::size_t ElementOf::alignment() const {
  const bool is_wide = count == 2 || count == 4;
  return std::min<std::size_t>(bytes() * static_cast<std::size_t>(is_wide ? count : 1), 16);
}

ElementOf element_of(const std::string& cpp) {
  static const std::map<std::string, std::string> types = {
      {"float", "f32"},        {"double", "f64"},
      {"__half", "f16"},       {"__nv_bfloat16", "bf16"},
      {"int", "i32"},          {"unsigned int", "u32"},
      {"long", "i64"},         {"unsigned long", "u64"},
      {"long long", "i64"},    {"unsigned long long", "u64"},
      {"short", "i16"},        {"unsigned short", "u16"},
      {"char", "i8"},          {"signed char", "i8"},
      {"unsigned char", "u8"}, {"bool", "u8"},
      {"__half2", "f16"},      {"__nv_bfloat162", "bf16"}};
  if (const auto found = types.find(cpp); found != types.end()) {
    return {found->second, cpp == "__half2" || cpp == "__nv_bfloat162" ? 2 : 1};
  }
  static const std::map<std::string, std::string> vectors = {
      {"float", "f32"}, {"double", "f64"}, {"int", "i32"},      {"uint", "u32"},
      {"short", "i16"}, {"ushort", "u16"}, {"char", "i8"},      {"uchar", "u8"},
      {"long", "i64"},  {"ulong", "u64"},  {"longlong", "i64"}, {"ulonglong", "u64"}};
  if (cpp == "dim3") return {"u32", 3};
  const char last = cpp.empty() ? ' ' : cpp.back();
  if (last >= '1' && last <= '4') {
    const auto found = vectors.find(cpp.substr(0, cpp.size() - 1));
    if (found != vectors.end()) return {found->second, last - '0'};
  }
  return {"u8", 1, false};
}

SpelledType spelled_type(const Tokens& tokens, const TypeOutline& types) {
  return spelled(tokens, types, 0);
}

std::string without_namespaces(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

}  // namespace gtune
