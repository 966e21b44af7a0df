#include "model/json.hpp"

#include <cmath>
#include <limits>

#include "model/value_word.hpp"

template class nlohmann::basic_json<>;

namespace gtune {

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_fault(const std::exception& error) {
  const std::string text = error.what();
  if (dynamic_cast<const nlohmann::json::parse_error*>(&error) != nullptr) {
    const bool cut_off = text.find("unexpected end of input") != text.npos ||
                         text.find("missing closing quote") != text.npos;
    return cut_off ? "not valid JSON: it ends too early" : "not valid JSON";
  }
  const std::size_t code = text.starts_with("[json.exception.") ? text.find("] ") : text.npos;
  return code == text.npos ? text : text.substr(code + 2);
}

using nlohmann::json;

json value_json(std::int64_t value) {
  const auto word = word_of_value(value);
  return word ? json(*word) : json(value);
}

std::int64_t value_from(const json& in) {
  if (const auto* word = in.get_ptr<const std::string*>()) return value_of_word(*word);
  return in.get<std::int64_t>();
}

void to_json(json& out, const NamedValues& values) {
  // An array of pairs keeps the spec's order, which a JSON object would lose.
  out = json::array();
  for (const auto& [name, value] : values.entries())
    out.push_back(json::array({name, value_json(value)}));
}

void from_json(const json& in, NamedValues& values) {
  values = {};
  for (const auto& pair : in) {
    values.set(pair.at(0).get<std::string>(), value_from(pair.at(1)));
  }
}

void to_json(json& out, const TimingMode& mode) { out = mode.text(); }

void from_json(const json& in, TimingMode& mode) {
  mode = timing_mode_from_string(in.get<std::string>());
}

void to_json(json& out, Status status) { out = to_string(status); }

void from_json(const json& in, Status& status) {
  status = status_from_string(in.get<std::string>());
}

void to_json(json& out, const DeviceLimits& limits) {
  out = json::object();
  for (const auto& [name, value] : k_device_limits) out[name] = limits.*value;
}

void from_json(const json& in, DeviceLimits& limits) {
  for (const auto& [name, value] : k_device_limits) {
    const auto found = in.find(name);
    limits.*value = found == in.end() ? std::nullopt : found->get<std::optional<double>>();
  }
}

namespace {

/// A device as the macro below reads and writes it: without its limits.
struct FactsButLimits : DeviceFacts {};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FactsButLimits, name, uuid, cc_major, cc_minor, sm_count,
                                   warp_size, max_threads_per_block, max_threads_per_sm,
                                   max_blocks_per_sm, registers_per_block, registers_per_sm,
                                   shared_per_block, shared_per_block_optin, shared_per_sm,
                                   reserved_shared_per_block, l2_bytes, memory_bytes,
                                   max_sm_clock_mhz, max_memory_clock_mhz, memory_bus_bits,
                                   driver_version, runtime_version, replayed)

}  // namespace

void to_json(json& out, const DeviceFacts& facts) {
  out = FactsButLimits{facts};
  out.update(json(facts.limits));
}

void from_json(const json& in, DeviceFacts& facts) {
  facts = DeviceFacts(in.get<FactsButLimits>());
  in.get_to(facts.limits);
}

void to_json(json& out, Objective objective) { out = to_string(objective); }

void from_json(const json& in, Objective& objective) {
  objective = objective_from_string(in.get<std::string>());
}

namespace {

/// JSON has no infinities, so they are strings.
json real_json(double value) {
  if (!std::isinf(value)) return value;
  return value < 0 ? "-inf" : "inf";
}

double real_from(const json& in) {
  if (!in.is_string()) return in.get<double>();
  const auto word = in.get<std::string>();
  if (word != "inf" && word != "-inf") throw std::invalid_argument("no number: '" + word + "'");
  return word == "inf" ? std::numeric_limits<double>::infinity()
                       : -std::numeric_limits<double>::infinity();
}

json node_json(const Node& node) {
  return json::array(
      {static_cast<int>(node.operation), node.real, node.operands, node.value, node.real_value});
}

/// Accepts only known operations on earlier steps: the device does not check them.
Node node_from(const json& in, std::size_t position) {
  Node node;
  const auto operation = in.at(0).get<int>();
  if (operation < 0 || operation > static_cast<int>(Operation::select)) {
    throw std::invalid_argument("no operation: " + std::to_string(operation));
  }
  node.operation = static_cast<Operation>(operation);
  in.at(1).get_to(node.real);
  in.at(2).get_to(node.operands);
  for (int i = 0; i < operand_count(node.operation); ++i) {
    if (node.operands.at(static_cast<std::size_t>(i)) < position) continue;
    throw std::invalid_argument("a step's operand is not before it");
  }
  in.at(3).get_to(node.value);
  in.at(4).get_to(node.real_value);
  return node;
}

json fill_json(const Fill& fill) {
  return {{"kind", to_string(fill.kind)},
          {"low", real_json(fill.low)},
          {"high", real_json(fill.high)},
          {"each", fill.each},
          {"of", fill.of}};
}

Fill fill_from(const json& in) {
  Fill fill;
  fill.kind = fill_kind_from_string(in.at("kind").get<std::string>());
  fill.low = real_from(in.at("low"));
  fill.high = real_from(in.at("high"));
  in.at("each").get_to(fill.each);
  in.at("of").get_to(fill.of);
  return fill;
}

json buffer_json(const BufferPlan& buffer) {
  return {{"kind", "buffer"},
          {"name", buffer.name},
          {"type", to_string(buffer.type)},
          {"count", buffer.count},
          {"direction", to_string(buffer.direction)},
          {"fill", fill_json(buffer.fill)},
          {"symbol", buffer.symbol},
          {"memory", to_string(buffer.memory)}};
}

BufferPlan buffer_from(const json& in) {
  BufferPlan buffer;
  in.at("name").get_to(buffer.name);
  buffer.type = element_type_from_string(in.at("type").get<std::string>());
  in.at("count").get_to(buffer.count);
  buffer.direction = direction_from_string(in.at("direction").get<std::string>());
  buffer.fill = fill_from(in.at("fill"));
  in.at("symbol").get_to(buffer.symbol);
  buffer.memory = memory_kind_from_string(in.at("memory").get<std::string>());
  return buffer;
}

json map_json(const TensorMapPlan& map) {
  return {{"kind", "tensor_map"}, {"name", map.name},
          {"of", map.of},         {"offset", map.offset},
          {"sizes", map.sizes},   {"strides", map.strides},
          {"box", map.box},       {"swizzle", to_string(map.swizzle)}};
}

TensorMapPlan map_from(const json& in) {
  TensorMapPlan map;
  in.at("name").get_to(map.name);
  in.at("of").get_to(map.of);
  in.at("offset").get_to(map.offset);
  in.at("sizes").get_to(map.sizes);
  in.at("strides").get_to(map.strides);
  in.at("box").get_to(map.box);
  map.swizzle = swizzle_from_string(in.at("swizzle").get<std::string>());
  return map;
}

json texture_json(const TexturePlan& texture) {
  return {{"kind", "texture"},
          {"name", texture.name},
          {"of", texture.of},
          {"extent", texture.extent},
          {"channels", texture.channels},
          {"filter", to_string(texture.filter)},
          {"address", to_string(texture.address)},
          {"normalized_coordinates", texture.normalized_coordinates},
          {"normalized_values", texture.normalized_values},
          {"linear_memory", texture.linear_memory},
          {"is_surface", texture.is_surface}};
}

TexturePlan texture_from(const json& in) {
  TexturePlan texture;
  in.at("name").get_to(texture.name);
  in.at("of").get_to(texture.of);
  in.at("extent").get_to(texture.extent);
  if (texture.extent.empty() || texture.extent.size() > most_texture_dimensions) {
    throw std::invalid_argument("no texture has so many dimensions");
  }
  in.at("channels").get_to(texture.channels);
  texture.filter = texture_filter_from_string(in.at("filter").get<std::string>());
  texture.address = texture_address_from_string(in.at("address").get<std::string>());
  in.at("normalized_coordinates").get_to(texture.normalized_coordinates);
  in.at("normalized_values").get_to(texture.normalized_values);
  in.at("linear_memory").get_to(texture.linear_memory);
  in.at("is_surface").get_to(texture.is_surface);
  return texture;
}

json scalar_json(const ScalarPlan& scalar) {
  return {{"kind", "scalar"},
          {"name", scalar.name},
          {"type", to_string(scalar.type)},
          {"integer", scalar.integer},
          {"real", scalar.real}};
}

ScalarPlan scalar_from(const json& in) {
  ScalarPlan scalar;
  in.at("name").get_to(scalar.name);
  scalar.type = element_type_from_string(in.at("type").get<std::string>());
  in.at("integer").get_to(scalar.integer);
  in.at("real").get_to(scalar.real);
  return scalar;
}

json struct_json(const StructPlan& plan) {
  json members = json::array();
  for (const StructMember& member : plan.members) {
    members.push_back({{"type", to_string(member.type)},
                       {"integer", member.integer},
                       {"real", member.real},
                       {"of", member.of},
                       {"alignment", member.alignment}});
  }
  return {{"kind", "struct"},
          {"name", plan.name},
          {"members", std::move(members)},
          {"by_address", plan.by_address}};
}

StructPlan struct_from(const json& in) {
  StructPlan plan;
  in.at("name").get_to(plan.name);
  const json& members = in.at("members");
  if (members.size() > most_struct_members) throw std::invalid_argument("too many members");
  for (const json& one : members) {
    StructMember& member = plan.members.emplace_back();
    member.type = element_type_from_string(one.at("type").get<std::string>());
    one.at("integer").get_to(member.integer);
    one.at("real").get_to(member.real);
    one.at("of").get_to(member.of);
    one.at("alignment").get_to(member.alignment);
    if (!is_alignment(member.alignment)) throw std::invalid_argument("no alignment of a member");
  }
  in.at("by_address").get_to(plan.by_address);
  return plan;
}

struct ArgumentForm {
  json operator()(const BufferPlan& buffer) const { return buffer_json(buffer); }
  json operator()(const ScalarPlan& scalar) const { return scalar_json(scalar); }
  json operator()(const TensorMapPlan& map) const { return map_json(map); }
  json operator()(const TexturePlan& texture) const { return texture_json(texture); }
  json operator()(const StructPlan& plan) const { return struct_json(plan); }
};

}  // namespace

void to_json(json& out, const ElementProgram& program) {
  json steps = json::array();
  for (const Node& node : program.steps) steps.push_back(node_json(node));
  out = {{"steps", std::move(steps)}, {"text", program.text}};
}

void from_json(const json& in, ElementProgram& program) {
  program = {};
  const json& steps = in.at("steps");
  if (steps.size() > most_element_steps) throw std::invalid_argument("too many steps");
  for (const json& step : steps) program.steps.push_back(node_from(step, program.steps.size()));
  in.at("text").get_to(program.text);
}

void to_json(json& out, const ArgumentPlan& argument) {
  out = std::visit(ArgumentForm{}, argument);
}

void from_json(const json& in, ArgumentPlan& argument) {
  const auto kind = in.at("kind").get<std::string>();
  if (kind == "buffer") {
    argument = buffer_from(in);
  } else if (kind == "scalar") {
    argument = scalar_from(in);
  } else if (kind == "tensor_map") {
    argument = map_from(in);
  } else if (kind == "texture") {
    argument = texture_from(in);
  } else if (kind == "struct") {
    argument = struct_from(in);
  } else {
    throw std::invalid_argument("no kind of argument: '" + kind + "'");
  }
}

namespace {

struct ActionForm {
  json operator()(const KernelLaunch& launch) const {
    return {{"kind", "launch"},
            {"kernel", launch.kernel},
            {"launch", launch.launch},
            {"arguments", launch.arguments}};
  }
  json operator()(const BufferCopy& copy) const {
    return {{"kind", "copy"}, {"from", copy.from}, {"to", copy.to}};
  }
  json operator()(const BufferSet& set) const {
    return {{"kind", "set"}, {"range", set.range}, {"byte", set.byte}};
  }
};

StepAction action_from(const json& in) {
  const auto kind = in.at("kind").get<std::string>();
  if (kind == "launch") {
    return KernelLaunch{in.at("kernel").get<std::string>(), in.at("launch").get<LaunchPlan>(),
                        in.at("arguments").get<std::vector<PassedArgument>>()};
  }
  if (kind == "copy") {
    return BufferCopy{in.at("from").get<BufferRange>(), in.at("to").get<BufferRange>()};
  }
  if (kind != "set") throw std::invalid_argument("no kind of step: '" + kind + "'");
  const auto byte = in.at("byte").get<int>();
  if (byte < 0 || byte > 255) throw std::invalid_argument("no byte: " + std::to_string(byte));
  return BufferSet{in.at("range").get<BufferRange>(), byte};
}

}  // namespace

void to_json(json& out, const StepPlan& step) {
  out = std::visit(ActionForm{}, step.action);
  out["name"] = step.name;
  out["setup"] = step.setup;
  out["stream"] = step.stream;
  out["after"] = step.after;
}

void from_json(const json& in, StepPlan& step) {
  in.at("name").get_to(step.name);
  in.at("setup").get_to(step.setup);
  in.at("stream").get_to(step.stream);
  if (step.stream < 0 || step.stream >= most_streams) {
    throw std::invalid_argument("no stream: " + std::to_string(step.stream));
  }
  in.at("after").get_to(step.after);
  step.action = action_from(in);
}

}  // namespace gtune
