#include "spec/reference_reader.hpp"

#include <algorithm>

#include "spec/argument_reader.hpp"
#include "spec/fill_reader.hpp"
#include "spec/fixed_params_reader.hpp"
#include "spec/launch_reader.hpp"
#include "spec/source_file.hpp"
#include "spec/step_action_reader.hpp"
#include "spec/step_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

struct ExpressionsOf {
  std::vector<const Expression*> operator()(const BufferSpec& buffer) const {
    return {&buffer.count};
  }
  std::vector<const Expression*> operator()(const ScalarSpec& scalar) const {
    return {&scalar.value};
  }
  std::vector<const Expression*> operator()(const TextureSpec& texture) const {
    std::vector<const Expression*> all;
    for (const Expression& one : texture.extent) all.push_back(&one);
    return all;
  }
  std::vector<const Expression*> operator()(const StructSpec& spec) const {
    std::vector<const Expression*> all;
    for (const StructMemberSpec& member : spec.members) all.push_back(&member.value);
    return all;
  }
  std::vector<const Expression*> operator()(const TensorMapSpec& map) const {
    std::vector<const Expression*> all = {&map.when, &map.offset};
    for (const auto* list : {&map.sizes, &map.strides, &map.box}) {
      for (const Expression& one : *list) all.push_back(&one);
    }
    return all;
  }
};

/// One result serves all configurations, so arguments may not depend on parameters. Inputs and
/// outputs may: their checks compare only the common part.
void require_no_parameter(const SpecContext& context, const ArgumentSpec& argument,
                          const Place& place) {
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  if (buffer != nullptr && buffer->direction != Direction::workspace) return;
  if (buffer != nullptr && !buffer->memory.param.empty()) {
    context.fail(place, "'memory' of the reference's argument '" + buffer->name +
                            "' depends on parameter '" + buffer->memory.param +
                            "'; expected a kind of memory");
  }
  for (const Expression* expression : std::visit(ExpressionsOf{}, argument)) {
    for (const std::size_t slot : expression->slots()) {
      if (!context.is_param(slot)) continue;
      context.fail(place, "the reference's argument '" + name_of(argument) +
                              "' depends on parameter '" + context.scope.slot_name(slot) +
                              "'; expected only problem sizes and device facts");
    }
  }
}

const ArgumentSpec& find_argument(const SpecContext& context, const TomlValue& item,
                                  const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : spec.args) {
    if (name_of(argument) == item.text) return argument;
    names.push_back(name_of(argument));
  }
  context.fail(item.place, "'" + item.text + "' is not an argument of the kernel" +
                               did_you_mean(item.text, names) +
                               (did_you_mean(item.text, names).empty()
                                    ? "; expected one's name, or a table for an argument that the "
                                      "reference alone has"
                                    : ""));
}

/// The reference has the kernel's inputs and outputs; its own arguments are scalars and workspaces.
void require_own_kind(const SpecContext& context, const ArgumentSpec& argument,
                      const TomlValue& table) {
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  const bool is_workspace = buffer != nullptr && buffer->direction == Direction::workspace;
  if (is_workspace || std::holds_alternative<ScalarSpec>(argument) ||
      std::holds_alternative<StructSpec>(argument)) {
    return;
  }
  context.fail(table.place,
               "the reference's own argument '" + name_of(argument) + "' is a " +
                   (buffer != nullptr                               ? "buffer"
                    : std::holds_alternative<TextureSpec>(argument) ? "texture"
                                                                    : "tensor map") +
                   "; expected a scalar, a struct, a workspace, or the name of one of the "
                   "kernel's arguments");
}

std::vector<ArgumentSpec> read_own_arguments(const SpecContext& context, const TomlValue& list,
                                             const KernelSpec& spec) {
  const std::string what = "'args' of 'reference'";
  context.expect(list, Kind::array, what);
  context.expect_few(list, what);
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : spec.args) names.push_back(name_of(argument));
  std::vector<ArgumentSpec> arguments;
  for (const TomlValue& item : list.items) {
    if (item.kind == Kind::string) {
      arguments.push_back(find_argument(context, item, spec));
      if (auto* buffer = std::get_if<BufferSpec>(&arguments.back())) {
        buffer->symbol.clear();
        buffer->passed = true;
        buffer->memory = {};  // the reference gets a copy in device memory
      }
    } else {
      arguments.push_back(read_argument(context, item, spec.params, names));
      require_own_kind(context, arguments.back(), item);
    }
    require_no_parameter(context, arguments.back(), item.place);
  }
  for (const ArgumentSpec& output : spec.args) {
    const auto same = [&](const ArgumentSpec& one) { return name_of(one) == name_of(output); };
    if (!is_output(output) || std::any_of(arguments.begin(), arguments.end(), same)) continue;
    context.fail(list.place, "the reference does not get '" + name_of(output) +
                                 "', which the kernel writes; expected every output among its "
                                 "'args'");
  }
  return arguments;
}

/// Adds the buffers for the source's variables, which the reference may read as well.
void add_symbols(const KernelSpec& spec, std::vector<ArgumentSpec>& arguments) {
  for (const ArgumentSpec& argument : spec.args) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer == nullptr || buffer->symbol.empty()) continue;
    const auto same = [&](const ArgumentSpec& one) { return name_of(one) == buffer->name; };
    if (std::none_of(arguments.begin(), arguments.end(), same)) arguments.push_back(argument);
  }
}

/// { params = { ... } }: the tuned kernel in this configuration.
ReferenceSpec read_tuned_kernel(const SpecContext& context, const TomlValue& table,
                                const KernelSpec& spec) {
  context.expect_keys(table, "'reference' with 'params'", {"params"});
  const TomlValue& params = *table.find("params");
  ReferenceSpec reference{spec.steps, spec.source, spec.args};
  reference.params = read_fixed_params(context, params, "'params' of 'reference'", spec);
  reference.is_tuned_kernel = true;
  for (const Parameter& param : spec.params) {
    if (reference.params.find(param.name)) continue;
    context.fail(params.place, "'params' of 'reference' has no value for '" + param.name +
                                   "'; expected one for every parameter");
  }
  return reference;
}

/// { baseline = "NAME" }
ReferenceSpec read_named_baseline(const SpecContext& context, const TomlValue& table,
                                  const KernelSpec& spec) {
  context.expect_keys(table, "'reference' with 'baseline'", {"baseline"});
  const TomlValue& name = *table.find("baseline");
  context.expect(name, Kind::string, "'baseline' of 'reference'");
  std::vector<std::string> names;
  for (const Baseline& baseline : spec.baselines) {
    names.push_back(baseline.name);
    if (baseline.name != name.text) continue;
    return {baseline.steps, spec.source, spec.args, baseline.params};
  }
  context.fail(name.place, "'" + name.text + "' is not a baseline of this spec" +
                               did_you_mean(name.text, names));
}

/// A reference without 'args' gets the kernel's own buffers, which must be accessible to kernels.
void require_all_reached(const SpecContext& context, const Place& place, const KernelSpec& spec) {
  for (const ArgumentSpec& argument : spec.args) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer == nullptr || buffer->memory.is_always_reached()) continue;
    context.fail(place, "'" + buffer->name + "' is " + buffer->memory.text() +
                            ", and the reference has no 'args'; expected 'args', which "
                            "copies what it names to device memory");
  }
}

/// A host function accepts only numbers and memory of its process.
void require_for_host(const SpecContext& context, const std::vector<ArgumentSpec>& arguments,
                      const Place& place) {
  for (const ArgumentSpec& argument : arguments) {
    if (std::holds_alternative<BufferSpec>(argument) ||
        std::holds_alternative<ScalarSpec>(argument)) {
      continue;
    }
    context.fail(place, "a reference on the host cannot be given '" + name_of(argument) +
                            "'; expected 'args' of buffers and scalars");
  }
}

/// { host = "FILE", entry = "NAME" }: a C++ function.
ReferenceSpec read_host_reference(const SpecContext& context, const TomlValue& table,
                                  const KernelSpec& spec,
                                  std::span<const std::filesystem::path> source_folders) {
  context.expect_keys(table, "'reference' with 'host'", {"host", "entry", "args"});
  const TomlValue& host = *table.find("host");
  ReferenceSpec reference{{}, spec.source, spec.args};
  reference.source = find_source(context, host, "'host' of 'reference'", source_folders);
  reference.host_entry =
      read_entry(context, context.require(table, "entry", "'reference'"), "'entry' of 'reference'");
  const TomlValue* args = table.find("args");
  if (args != nullptr) {
    reference.args = read_own_arguments(context, *args, spec);
  } else {
    std::erase_if(reference.args, [](const ArgumentSpec& argument) {
      const auto* buffer = std::get_if<BufferSpec>(&argument);
      return buffer != nullptr && (!buffer->passed || !buffer->symbol.empty());
    });
    for (const ArgumentSpec& argument : reference.args) {
      require_no_parameter(context, argument, table.place);
    }
  }
  require_for_host(context, reference.args, args != nullptr ? args->place : table.place);
  return reference;
}

ReferenceSpec read_entry_reference(const SpecContext& context, const TomlValue& value,
                                   const KernelSpec& spec,
                                   std::span<const std::filesystem::path> source_folders) {
  context.expect_keys(
      value, "'reference'",
      with_launch_keys({"source", "entry", "args", "params", "baseline", "files", "host"}));
  ReferenceSpec reference{{}, spec.source, spec.args};
  if (const TomlValue* source = value.find("source")) {
    reference.source = find_source(context, *source, "'source' of 'reference'", source_folders);
  }
  std::string entry =
      read_entry(context, context.require(value, "entry", "'reference'"), "'entry' of 'reference'");
  LaunchSpec launch = read_launch(context, value, "'reference'", Depends::on_sizes_and_device);
  const TomlValue* args = value.find("args");
  if (args == nullptr) require_all_reached(context, value.place, spec);
  if (args != nullptr) {
    reference.args = read_own_arguments(context, *args, spec);
    if (reference.source == spec.source) add_symbols(spec, reference.args);
  }
  reference.steps = one_launch(std::move(entry), std::move(launch), all_arguments(reference.args));
  return reference;
}

}  // namespace

std::optional<ReferenceSpec> read_reference(const SpecContext& context, const TomlValue& value,
                                            const KernelSpec& spec,
                                            std::span<const std::filesystem::path> source_folders) {
  if (value.kind == Kind::string) {
    if (value.text == "none") return std::nullopt;
    context.fail(value.place, "'reference' of [check] is '" + value.text +
                                  "'; expected a table, or \"none\" for results that nothing is "
                                  "compared with");
  }
  context.expect(value, Kind::table, "'reference' of [check]");
  if (value.find("params") != nullptr) return read_tuned_kernel(context, value, spec);
  if (value.find("host") != nullptr) {
    return read_host_reference(context, value, spec, source_folders);
  }
  if (value.find("baseline") != nullptr) return read_named_baseline(context, value, spec);
  return read_entry_reference(context, value, spec, source_folders);
}

std::vector<ResultFile> read_result_files(const SpecContext& context, const TomlValue& table,
                                          const KernelSpec& spec) {
  context.expect_keys(table, "'reference' with 'files'", {"files"});
  const TomlValue& files = *table.find("files");
  context.expect(files, Kind::table, "'files' of 'reference'");
  std::vector<ResultFile> results;
  for (const TomlEntry& entry : files.entries) {
    const BufferSpec* buffer = spec.find_buffer(entry.key);
    if (buffer == nullptr || !is_written(buffer->direction)) {
      context.fail(entry.place, "'" + entry.key + "' is not an output of the kernel");
    }
    results.push_back(
        {entry.key, find_data_file(context, entry.value, "'" + entry.key + "' of 'files'")});
  }
  for (const ArgumentSpec& output : spec.args) {
    if (is_output(output) && files.find(name_of(output)) == nullptr) {
      context.fail(files.place, "'files' has none for '" + name_of(output) +
                                    "', which the kernel writes; expected one for every output");
    }
  }
  return results;
}

}  // namespace gtune
