// docs/spec_keys.md is generated from the JSON Schema of specs, which another test compares with
// the reader.
#include <array>

#include "golden.hpp"
#include "model/checked_json.hpp"

namespace gtune::test {
namespace {

using nlohmann::json;

struct Section {
  const char* title;
  const char* table;  // its JSON pointer in the schema
};

constexpr std::array<Section, 30> sections = {{
    {"A spec", ""},
    {"[kernel]", "/properties/kernel"},
    {"[problem], a size that is a table", "/properties/problem/additionalProperties/anyOf/1"},
    {"[params], a parameter that is a table", "/properties/params/additionalProperties/anyOf/1"},
    {"[launch]", "/properties/launch"},
    {"[[steps]]", "/properties/steps/items"},
    {"copy of a step", "/properties/steps/items/properties/copy"},
    {"fill of a step", "/properties/steps/items/properties/fill"},
    {"repeat of a step, a table", "/properties/steps/items/properties/repeat/anyOf/1"},
    {"args of a step, a table", "/definitions/passed/anyOf/1"},
    {"[[args]], a buffer", "/definitions/buffer"},
    {"[[args]], a scalar", "/definitions/scalar"},
    {"[[args]], a tensor map", "/definitions/tensor_map"},
    {"[[args]], a texture", "/definitions/texture"},
    {"[[args]], a surface", "/definitions/surface"},
    {"[[args]], a struct", "/definitions/struct"},
    {"members of a struct", "/definitions/struct/properties/members/items"},
    {"fill, by a rule", "/definitions/fill/anyOf/1"},
    {"fill, from a file", "/definitions/fill/anyOf/2"},
    {"[work]", "/properties/work"},
    {"[check]", "/properties/check"},
    {"[check.outputs.NAME]", "/properties/check/properties/outputs/additionalProperties"},
    {"compare of an output",
     "/properties/check/properties/outputs/additionalProperties/properties/compare"},
    {"reference, a kernel", "/definitions/reference/anyOf/1"},
    {"reference, a configuration", "/definitions/reference/anyOf/2"},
    {"reference, a baseline", "/definitions/reference/anyOf/3"},
    {"reference, files", "/definitions/reference/anyOf/4"},
    {"reference, a function on the host", "/definitions/reference/anyOf/5"},
    {"[[baselines]]", "/properties/baselines/items"},
    {"[variants.NAME]", "/properties/variants/additionalProperties"},
}};

/// A value in TOML syntax.
std::string toml_of(const json& value) {
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, item] : value.items()) {
    text += (text.empty() ? "" : ", ") + (value.is_object() ? key + " = " : "") + toml_of(item);
  }
  return value.is_object() ? "{ " + text + " }" : "[" + text + "]";
}

std::string default_of(const json& table, const std::string& key) {
  for (const json& required : table.value("required", json::array())) {
    if (required == key) return "required";
  }
  const json& property = table.at("properties").at(key);
  return property.contains("default") ? "`" + toml_of(property.at("default")) + "`" : "";
}

std::string words_of(const json& property) {
  std::string text = property.at("description").get<std::string>();
  if (!property.contains("enum")) return text;
  std::string words;
  for (const json& word : property.at("enum")) {
    words +=
        (words.empty() ? "" : ", ") + (word.is_string() ? word.get<std::string>() : word.dump());
  }
  return text + " One of " + words + ".";
}

std::string row_of(const json& table, const std::string& key) {
  const json& property = table.at("properties").at(key);
  const std::string example = property.contains("examples")
                                  ? "`" + key + " = " + toml_of(property.at("examples").at(0)) + "`"
                                  : "";
  return "| `" + key + "` | " + default_of(table, key) + " | " + example + " | " +
         words_of(property) + " |\n";
}

std::string section_of(const json& schema, const Section& section) {
  const auto& table = schema.at(json::json_pointer(section.table));
  std::string text = std::string("\n## ") + section.title + "\n\n" +
                     table.at("description").get<std::string>() +
                     "\n\n| key | default | example | |\n|---|---|---|---|\n";
  // Required keys come first.
  for (const bool required : {true, false}) {
    for (const auto& [key, property] : table.at("properties").items()) {
      if ((default_of(table, key) == "required") == required) text += row_of(table, key);
    }
  }
  return text;
}
TEST(SpecKeys, TheirDocumentIsOfTheSchema) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const auto schema = json::parse(std::ifstream(root / "tuner_configs/gtune.schema.json"));
  std::string text =
      "# The keys of a spec\n\nEach key of each table, with its default and an example. "
      "[spec.md](spec.md) explains them.\nscripts/update_golden.sh writes this file from "
      "[gtune.schema.json](../tuner_configs/gtune.schema.json).\n";
  for (const Section& section : sections) text += section_of(schema, section);
  expect_file(root / "docs/spec_keys.md", text);
}

}  // namespace
}  // namespace gtune::test
