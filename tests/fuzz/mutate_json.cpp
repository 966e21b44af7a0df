#include <algorithm>
#include <array>

#include "model/checked_json.hpp"
#include "mutate.hpp"

namespace gtune::fuzz {
namespace {

using nlohmann::json;

/// nlohmann writes values recursively, so deeper texts are changed as bytes.
constexpr int most_depth = 100;
/// Stands in the tree for a text that a tree cannot hold.
constexpr const char* placeholder = "@placeholder@";

int depth_of(const std::string& text) {
  int depth = 0;
  int deepest = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return deepest;
}

void collect(json& node, std::vector<json*>& nodes) {
  nodes.push_back(&node);
  if (!node.is_structured()) return;
  for (json& child : node) collect(child, nodes);
}

std::string dumped(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Text of a value that a tree cannot hold, or only at great cost.
std::string raw_value(Random& random) {
  switch (random.below(6)) {
    case 0: {
      const std::size_t depth = some_length(one_in(20, random) ? 200000 : 600, random);
      return std::string(depth, '[') + std::string(depth, ']');
    }
    case 1: {
      const std::size_t depth = some_length(one_in(20, random) ? 50000 : 600, random);
      std::string text;
      for (std::size_t i = 0; i < depth; ++i) text += R"({"a":)";
      return text + "1" + std::string(depth, '}');
    }
    case 2:
      return '"' + hostile_text(random) + '"';
    case 3: {
      static constexpr std::array<std::string_view, 6> escapes = {R"("\u0000")", R"("a\u0000b")",
                                                                  R"("\ud800")", R"("\u001b[2J")",
                                                                  R"("\n")",     R"("\u202e")"};
      return std::string(pick(escapes, random));
    }
    case 4: {
      std::string text = "[";
      for (std::size_t i = some_length(20000, random); i > 0; --i) text += "0.5,";
      return text + "1]";
    }
    default:
      return hostile_number(random);
  }
}

json other_value(Random& random) {
  static const std::array<json, 14> values = {nullptr,
                                              true,
                                              false,
                                              0,
                                              -1,
                                              1.5,
                                              "",
                                              "nan",
                                              "-inf",
                                              "ok",
                                              json::array(),
                                              json::object(),
                                              json::array({json::array()}),
                                              json{{"bytes", {255, 0}}}};
  return pick(values, random);
}

void change_scalar(json& node, Random& random) {
  if (node.is_number_integer()) {
    const auto value = node.is_number_unsigned()
                           ? node.get<std::uint64_t>()
                           : static_cast<std::uint64_t>(node.get<std::int64_t>());
    const std::array<std::uint64_t, 6> changed = {value + 1, value - 1,   0 - value,
                                                  value * 2, value << 31, value ^ (1ULL << 62)};
    node = static_cast<std::int64_t>(pick(changed, random));
  } else if (node.is_number_float()) {
    static constexpr std::array<double, 6> factors = {-1, 0, 1e-300, 1e300, 1.001, 0.5};
    node = node.get<double>() * pick(factors, random);
  } else if (node.is_string()) {
    auto text = node.get<std::string>();
    node = mutate_bytes(std::move(text), "", {}, random);
  } else {
    node = other_value(random);
  }
}

void change_object(json& node, Random& random) {
  if (node.empty() || one_in(4, random)) {
    node[one_in(2, random) ? "extra" : placeholder] = other_value(random);
    return;
  }
  auto at = node.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random.below(node.size())));
  if (one_in(2, random)) {
    node.erase(at);
    return;
  }
  const json value = *at;
  node[at.key() + "x"] = value;
  node.erase(at.key());
}

void change_array(json& node, Random& random) {
  if (node.empty()) {
    node.push_back(other_value(random));
    return;
  }
  const std::size_t at = random.below(node.size());
  switch (random.below(4)) {
    case 0:
      node.erase(at);
      break;
    case 1: {
      const json value = node[at];
      for (std::size_t i = some_length(64, random); i > 0; --i) node.push_back(value);
      break;
    }
    case 2:
      node.insert(node.begin() + static_cast<std::ptrdiff_t>(at), other_value(random));
      break;
    default:
      std::swap(node[at], node[random.below(node.size())]);
  }
}

void change(json& root, std::string& raw, Random& random) {
  std::vector<json*> nodes;
  collect(root, nodes);
  json& node = *pick(nodes, random);
  switch (random.below(6)) {
    case 0:
      node = other_value(random);
      break;
    case 1:
      node = placeholder;
      raw = raw_value(random);
      break;
    case 2:
      node = json(*pick(nodes, random));
      break;
    default:
      if (node.is_object()) {
        change_object(node, random);
      } else if (node.is_array()) {
        change_array(node, random);
      } else {
        change_scalar(node, random);
      }
  }
}

}  // namespace

std::string mutate_json(const std::string& text, const std::string& other, Random& random) {
  static constexpr std::array<std::string_view, 10> words = {"{", "}",    "[",  "]",    ",",
                                                             ":", "null", "\"", "true", "1e999"};
  json root = depth_of(text) > most_depth || one_in(8, random) ? json(json::value_t::discarded)
                                                               : json::parse(text, nullptr, false);
  if (root.is_discarded()) return mutate_bytes(text, other, words, random);
  std::string raw = hostile_text(random);
  change(root, raw, random);
  std::string out = dumped(root);
  const std::string quoted = '"' + std::string(placeholder) + '"';
  if (const auto at = out.find(quoted + ":"); at != out.npos) {  // a duplicate or hostile key
    out.replace(at, quoted.size(), one_in(2, random) ? "\"name\"" : '"' + raw + '"');
  } else if (const auto value = out.find(quoted); value != out.npos) {
    out.replace(value, quoted.size(), raw);
  }
  return out;
}

std::string mutate_json_lines(const std::string& text, const std::string& other, Random& random) {
  if (one_in(5, random)) return mutate_lines(text, other, random);
  std::vector<std::string> lines = lines_of(text);
  if (lines.empty()) return other;
  // The first line has another form and determines how all others are read.
  std::string& line = one_in(6, random) ? lines.front() : lines[random.below(lines.size())];
  line = mutate_json(line, other.substr(0, other.find('\n')), random);
  return joined(lines);
}

}  // namespace gtune::fuzz
