#include "spec/variant_reader.hpp"

#include <algorithm>
#include <system_error>

#include "spec/reserved_names.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

VariantOption::Variant read_variant(const SpecContext& context, const TomlEntry& entry,
                                    const VariantOption& option,
                                    const std::filesystem::path& spec_file) {
  const std::string what = "'" + entry.key + "' of variant option '" + option.name + "'";
  if (entry.key == option.default_value) {
    context.fail(entry.place, what + " is the default, which is this spec; expected another value");
  }
  const std::string& name = context.expect(entry.value, Kind::string, what).text;
  const std::filesystem::path file = spec_file.parent_path() / name;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    const std::string folder = spec_file.parent_path().string();
    context.fail(entry.value.place, "there is no spec '" + name + "'; expected it in " +
                                        (folder.empty() ? "." : folder));
  }
  if (std::filesystem::equivalent(file, spec_file, ignored)) {
    context.fail(entry.value.place, what + " is this very spec; expected another one");
  }
  return {entry.key, file};
}

}  // namespace

std::vector<VariantOption> read_variants(const SpecContext& context, const TomlValue& table,
                                         const std::filesystem::path& spec_file) {
  context.expect_few(table, "[variants]");
  std::vector<VariantOption> options;
  for (const TomlEntry& entry : table.entries) {
    const std::string what = "variant option '" + entry.key + "'";
    context.expect_identifier(entry.key, entry.place, "variant option");
    if (context.scope.find(entry.key) != nullptr) {
      context.fail(entry.place, what +
                                    " has the name of a problem size, a parameter or a let; "
                                    "expected another name");
    }
    if (is_reserved_option(entry.key)) {
      context.fail(entry.place, what + " has the name of gtune's option --" + entry.key +
                                    "; expected another name");
    }
    context.expect(entry.value, Kind::table, what);
    context.expect_keys(entry.value, what, {"default", "specs", "help"});
    const TomlValue& default_value = context.require(entry.value, "default", what);
    VariantOption option{entry.key,
                         context.expect(default_value, Kind::string, "'default' of " + what).text,
                         context.optional_string(entry.value, "help"),
                         {}};
    const TomlValue& specs = context.require(entry.value, "specs", what);
    context.expect(specs, Kind::table, "'specs' of " + what);
    if (specs.entries.empty()) {
      context.fail(specs.place, "'specs' of " + what +
                                    " is empty; expected at least one, as in { value = "
                                    "\"FILE.toml\" }");
    }
    context.expect_few(specs, "'specs' of " + what);
    for (const TomlEntry& variant : specs.entries) {
      option.variants.push_back(read_variant(context, variant, option, spec_file));
    }
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace gtune
