// The JSON Schema of specs, tuner_configs/gtune.schema.json, accepts what the reader accepts.
#include <algorithm>
#include <fstream>
#include <set>

#include "model/checked_json.hpp"
#include "model/plan.hpp"
#include "spec/spec_reader.hpp"
#include "spec/spec_text.hpp"
#include "spec/toml_value.hpp"
#include "support.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path sources = GTUNE_SOURCE_DIR;
/// No key has this name or a similar one.
const std::string unknown = "qqqqqqqqqqqqqqqqqqqqqqqq";

const json& schema() {
  static const json read = json::parse(std::ifstream(sources / "tuner_configs/gtune.schema.json"));
  return read;
}

const json& resolved(const json& node) {
  if (!node.contains("$ref")) return node;
  return schema().at(json::json_pointer(node.at("$ref").get<std::string>().substr(1)));
}

std::set<std::string> keys_of_schema(const std::string& pointer) {
  std::set<std::string> keys;
  for (const auto& [key, value] : schema().at(json::json_pointer(pointer)).items())
    keys.insert(key);
  return keys;
}

/// A spec with the unknown key in one table and no mistake before it, and where the schema lists
/// the keys of that table.
struct KeysOfATable {
  std::string kernel, size = "n = 1", param = "B = [1]", launch, arg, fill, root, work, check,
                      output, reference = "reference = \"none\"", baseline;
  std::vector<std::string> pointers;
};

std::set<std::string> keys_of_reader(const KeysOfATable& table) {
  const TemporaryFolder folder;
  folder.write("k.cu", "");
  const std::string text =
      table.root + "\n[kernel]\nsource = \"k.cu\"\nentry = \"k\"\n" + table.kernel +
      "\n[problem]\n" + table.size + "\n[params]\n" + table.param +
      "\n[launch]\ngrid = [1]\nblock = [32]\n" + table.launch +
      "\n[[args]]\nname = \"y\"\ntype = \"f32\"\ncount = 1\ndirection = \"inout\"\n" + table.fill +
      "\n" + table.arg + "\n[work]\n" + table.work + "\n" + table.baseline +
      "\n[check]\nrtol = 0\n" + table.reference + "\n" + table.check + "\n" + table.output;
  const SpecReading reading = read_all_mistakes(text, folder.path() / "k.toml", {});
  const std::string begin = "unknown key '" + unknown + "' in ";
  const std::string expected = "; expected one of ";
  std::set<std::string> keys;
  for (const SpecMistake& mistake : reading.mistakes) {
    if (!mistake.line.starts_with(begin)) continue;
    std::string rest = mistake.line.substr(mistake.line.find(expected) + expected.size());
    for (std::size_t at = 0; at != std::string::npos; rest = rest.substr(at + 2)) {
      at = rest.find(", ");
      keys.insert(rest.substr(0, at));
      if (at == std::string::npos) break;
    }
  }
  EXPECT_FALSE(keys.empty()) << text << (reading.mistakes.empty() ? "" : reading.mistakes[0].line);
  return keys;
}

std::vector<KeysOfATable> all_tables() {
  const std::string key = unknown + " = 1";
  const std::string arg = "[[args]]\nname = \"z\"\n" + key + "\n";
  const std::string references = "/definitions/reference/anyOf/";
  std::vector<KeysOfATable> all(30);
  std::size_t i = 0;
  const auto next = [&](const std::string& pointer) -> KeysOfATable& {
    all.at(i).pointers = {pointer};
    return all.at(i++);
  };
  next("/properties").root = key;
  next("/properties/kernel/properties").kernel = key;
  next("/properties/problem/additionalProperties/anyOf/1/properties").size =
      "n = { default = 1, " + key + " }";
  next("/properties/params/additionalProperties/anyOf/1/properties").param =
      "B = { values = [1], " + key + " }";
  next("/properties/launch/properties").launch = key;
  next("/properties/steps/items/properties").baseline = "[[steps]]\nentry = \"k\"\n" + key;
  const std::string steps = "/properties/steps/items/properties/";
  next(steps + "copy/properties").baseline = "[[steps]]\n[steps.copy]\n" + key;
  next(steps + "fill/properties").baseline = "[[steps]]\n[steps.fill]\n" + key;
  next(steps + "repeat/anyOf/1/properties").baseline =
      "[[steps]]\nentry = \"k\"\n[steps.repeat]\ncount = 1\n" + key;
  next("/definitions/passed/anyOf/1/properties").baseline =
      "[[steps]]\nentry = \"k\"\ngrid = [1]\nblock = [1]\nargs = [{ name = \"y\", " + key + " }]";
  next("/definitions/buffer/properties").arg = arg + "type = \"f32\"\ncount = 1";
  next("/definitions/scalar/properties").arg = arg + "type = \"f32\"\nvalue = 1";
  next("/definitions/tensor_map/properties").arg = arg + "type = \"tensor_map\"";
  next("/definitions/texture/properties").arg = arg + "type = \"texture\"";
  next("/definitions/surface/properties").arg = arg + "type = \"surface\"";
  next("/definitions/struct/properties").arg = arg + "type = \"struct\"";
  next("/definitions/struct/properties/members/items/properties").arg =
      "[[args]]\nname = \"z\"\ntype = \"struct\"\nmembers = [{ of = \"y\", " + key + " }]";
  next("/definitions/fill/anyOf/1/properties").fill = "fill = { " + key + " }";
  next("/definitions/fill/anyOf/2/properties").fill = "fill = { file = \"a\", " + key + " }";
  next("/properties/work/properties").work = key;
  next("/properties/check/properties").check = key;
  next("/properties/check/properties/outputs/additionalProperties/properties").output =
      "[check.outputs.y]\n" + key;
  next("/properties/check/properties/outputs/additionalProperties/properties/compare/properties")
      .output = "[check.outputs.y.compare]\n" + key;
  next("/properties/baselines/items/properties").baseline = "[[baselines]]\n" + key;
  next("/properties/variants/additionalProperties/properties").output =
      "[variants.v]\ndefault = \"a\"\n" + key;
  next(references + "2/properties").reference = "reference = { params = {}, " + key + " }";
  next(references + "3/properties").reference = "reference = { baseline = \"a\", " + key + " }";
  next(references + "4/properties").reference = "reference = { files = {}, " + key + " }";
  next(references + "5/properties").reference =
      "reference = { host = \"k.cu\", entry = \"r\", " + key + " }";
  // The reader also names the keys of the other forms.
  KeysOfATable& entry = next(references + "1/properties");
  entry.reference = "reference = { entry = \"r\", " + key + " }";
  for (const char* form : {"2", "3", "4", "5"})
    entry.pointers.push_back(references + form + "/properties");
  EXPECT_EQ(i, all.size());
  return all;
}

TEST(Schema, HasTheKeysThatTheReaderTakes) {
  for (const KeysOfATable& table : all_tables()) {
    std::set<std::string> keys;
    for (const std::string& pointer : table.pointers) keys.merge(keys_of_schema(pointer));
    EXPECT_EQ(keys_of_reader(table), keys) << table.pointers.front();
  }
}

/// Fails if a table of the reader is missing above.
TEST(Schema, KnowsEveryTableOfTheReader) {
  std::size_t tables = 0;
  for (const auto& file : fs::directory_iterator(sources / "src/spec")) {
    if (file.path().extension() != ".cpp" || file.path().stem() == "spec_context") continue;
    const std::string text = read_spec_text(file.path());
    const std::string call = "expect_keys(";
    for (auto at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) ++tables;
  }
  EXPECT_EQ(tables, all_tables().size());
}

TEST(Schema, HasTheElementTypes) {
  std::vector<std::string> words;
  for (int i = 0; i <= static_cast<int>(ElementType::u64); ++i) {
    words.emplace_back(to_string(static_cast<ElementType>(i)));
  }
  for (const char* kind : {"buffer", "scalar"}) {
    EXPECT_EQ(schema()["definitions"][kind]["properties"]["type"]["enum"].get<decltype(words)>(),
              words);
  }
}

json json_of(const TomlValue& value) {
  switch (value.kind) {
    case TomlValue::Kind::string:
      return value.text;
    case TomlValue::Kind::integer:
      return value.integer;
    case TomlValue::Kind::real:
      return value.real;
    case TomlValue::Kind::boolean:
      return value.boolean;
    case TomlValue::Kind::array: {
      json list = json::array();
      for (const TomlValue& item : value.items) list.push_back(json_of(item));
      return list;
    }
    default: {
      json table = json::object();
      for (const TomlEntry& entry : value.entries) table[entry.key] = json_of(entry.value);
      return table;
    }
  }
}

bool is_of_type(const json& value, const json& type) {
  if (type.is_array()) {
    return std::any_of(type.begin(), type.end(),
                       [&](const json& one) { return is_of_type(value, one); });
  }
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "boolean" && value.is_boolean();
}

bool validates(const json& value, const json& rule);

bool keys_validate(const json& value, const json& rule) {
  const json properties = rule.value("properties", json::object());
  for (const json& name : rule.value("required", json::array())) {
    if (!value.contains(name.get<std::string>())) return false;
  }
  for (const auto& [key, item] : value.items()) {
    const json& of_key = properties.contains(key)                ? properties.at(key)
                         : rule.contains("additionalProperties") ? rule.at("additionalProperties")
                                                                 : json(true);
    if (of_key.is_boolean() ? !of_key.get<bool>() : !validates(item, of_key)) return false;
  }
  return value.size() >= rule.value("minProperties", std::size_t{0}) &&
         value.size() <= rule.value("maxProperties", value.size());
}

/// Covers the part of JSON Schema that gtune.schema.json uses.
bool validates(const json& value, const json& rule) {
  if (rule.contains("$ref")) return validates(value, resolved(rule));
  const auto passes = [&](const json& one) { return validates(value, one); };
  for (const json& one : rule.value("allOf", json::array())) {
    if (!passes(one)) return false;
  }
  if (rule.contains("anyOf") && std::none_of(rule["anyOf"].begin(), rule["anyOf"].end(), passes)) {
    return false;
  }
  if (rule.contains("type") && !is_of_type(value, rule["type"])) return false;
  if (rule.contains("const") && rule["const"] != value) return false;
  if (rule.contains("enum") &&
      std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end()) {
    return false;
  }
  if (value.is_object() && !keys_validate(value, rule)) return false;
  if (!value.is_array()) return true;
  if (value.size() < rule.value("minItems", std::size_t{0})) return false;
  if (value.size() > rule.value("maxItems", value.size())) return false;
  return !rule.contains("items") || std::all_of(value.begin(), value.end(), [&](const json& item) {
    return validates(item, rule.at("items"));
  });
}

TEST(Schema, TakesTheShippedSpecs) {
  std::size_t count = 0;
  for (const auto& file : fs::directory_iterator(sources / "tuner_configs")) {
    if (file.path().extension() != ".toml") continue;
    const json spec = json_of(parse_toml(read_spec_text(file.path()), file.path().string()));
    EXPECT_TRUE(validates(spec, schema())) << file.path();
    ++count;
    json broken = spec;
    broken["launch"]["colour"] = 1;
    EXPECT_FALSE(validates(broken, schema())) << file.path();
    broken = spec;
    broken["args"][0].erase("name");
    EXPECT_FALSE(validates(broken, schema())) << file.path();
  }
  EXPECT_GE(count, 4U);
}

}  // namespace
}  // namespace gtune::test
