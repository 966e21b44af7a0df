#include "spec/launch_reader.hpp"

#include "spec/entry.hpp"

namespace gtune {
namespace {

std::vector<Expression> read_dimensions(const SpecContext& context, const TomlValue& list,
                                        const std::string& what, Depends depends) {
  if (list.kind != TomlValue::Kind::array) {
    const std::string own = list.kind == TomlValue::Kind::string    ? "\"" + list.text + "\""
                            : list.kind == TomlValue::Kind::integer ? std::to_string(list.integer)
                                                                    : "";
    context.fail(list.place, what + " is " + std::string(to_string(list.kind)) +
                                 "; expected an array" +
                                 (own.empty() ? "" : ", as in [" + own + "]"));
  }
  if (list.items.empty() || list.items.size() > 3) {
    context.fail(list.place, what + " has " + std::to_string(list.items.size()) +
                                 " dimensions; expected 1 to 3");
  }
  std::vector<Expression> dimensions;
  for (const TomlValue& item : list.items) {
    if (item.kind == TomlValue::Kind::integer && item.integer < 1) {
      context.fail(item.place, what + " has a dimension of " + std::to_string(item.integer) +
                                   "; expected 1 or more");
    }
    dimensions.push_back(context.expression(item, what, depends));
  }
  return dimensions;
}

/// Fails if shared memory depends on occupancy, which itself depends on shared memory.
void require_no_occupancy(const SpecContext& context, const TomlValue& value,
                          const Expression& shared, const std::string& what) {
  for (const std::size_t slot : shared.slots()) {
    if (!context.is_compiled(slot) || context.scope.slot_name(slot) != "resident_blocks") continue;
    context.fail(value.place, "'shared' of " + what +
                                  " depends on 'resident_blocks', which follows from it; expected "
                                  "other names");
  }
}

bool read_flag(const SpecContext& context, const TomlValue& table, const char* key,
               const std::string& what) {
  const TomlValue* flag = table.find(key);
  if (flag == nullptr) return false;
  return context.expect(*flag, TomlValue::Kind::boolean, "'" + std::string(key) + "' of " + what)
      .boolean;
}

}  // namespace

std::vector<std::string_view> with_launch_keys(std::vector<std::string_view> others) {
  others.insert(others.end(),
                {"grid", "block", "shared", "cluster", "carveout", "cooperative", "programmatic"});
  return others;
}

LaunchSpec read_launch(const SpecContext& context, const TomlValue& table, const std::string& what,
                       Depends depends) {
  // All but the block may depend on the compiler's facts: occupancy depends on the block.
  const Depends compiled = depends == Depends::on_anything ? Depends::on_compiled : depends;
  LaunchSpec launch;
  launch.grid =
      read_dimensions(context, context.require(table, "grid", what), "'grid' of " + what, compiled);
  launch.block = read_dimensions(context, context.require(table, "block", what),
                                 "'block' of " + what, depends);
  if (const TomlValue* shared = table.find("shared")) {
    launch.shared_bytes = context.expression(*shared, "'shared' of " + what, compiled);
    require_no_occupancy(context, *shared, launch.shared_bytes, what);
    if (shared->kind == TomlValue::Kind::integer && shared->integer < 0) {
      context.fail(shared->place, "'shared' of " + what + " is negative; expected 0 or more");
    }
  }
  if (const TomlValue* cluster = table.find("cluster")) {
    launch.cluster = read_dimensions(context, *cluster, "'cluster' of " + what, compiled);
  }
  if (const TomlValue* carveout = table.find("carveout")) {
    launch.carveout = context.expression(*carveout, "'carveout' of " + what, compiled);
  }
  launch.cooperative = read_flag(context, table, "cooperative", what);
  launch.programmatic = read_flag(context, table, "programmatic", what);
  return launch;
}

std::string read_entry(const SpecContext& context, const TomlValue& value,
                       const std::string& what) {
  const std::string& entry = context.expect(value, TomlValue::Kind::string, what).text;
  if (!is_entry(entry)) {
    context.fail(value.place,
                 what + " is '" + entry +
                     "'; expected a kernel's name, as in \"sgemm\" or \"sgemm<BM,BN>\"");
  }
  return entry;
}

Expression threads_per_block(const SpecContext& context, const LaunchSpec& launch) {
  std::string text;
  for (const Expression& dimension : launch.block) {
    text += (text.empty() ? "(" : "*(") + dimension.text() + ")";
  }
  return context.composed(text);
}

std::vector<Expression> launch_conditions(const SpecContext& context, const LaunchSpec& launch) {
  std::vector<Expression> conditions;
  const auto at_least = [&](const Expression& value, const char* least) {
    conditions.push_back(context.composed("(" + value.text() + ") >= " + least));
  };
  for (const Expression& dimension : launch.grid) at_least(dimension, "1");
  for (const Expression& dimension : launch.block) at_least(dimension, "1");
  // Without it the search would compile configurations that the device cannot launch.
  conditions.push_back(
      context.composed(threads_per_block(context, launch).text() + " <= dev_max_threads"));
  at_least(launch.shared_bytes, "0");
  for (std::size_t i = 0; i < launch.cluster.size(); ++i) {
    at_least(launch.cluster[i], "1");
    const std::string grid = i < launch.grid.size() ? launch.grid[i].text() : "1";
    conditions.push_back(
        context.composed("(" + grid + ") % (" + launch.cluster[i].text() + ") == 0"));
  }
  if (launch.carveout) {
    const std::string percent = "(" + launch.carveout->text() + ")";
    conditions.push_back(context.composed(percent + " >= -1 && " + percent + " <= 100"));
  }
  return conditions;
}

}  // namespace gtune
