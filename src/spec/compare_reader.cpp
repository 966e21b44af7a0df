#include "spec/compare_reader.hpp"

#include <algorithm>

#include "spec/argument_reader.hpp"
#include "spec/launch_reader.hpp"
#include "spec/source_file.hpp"
#include "spec/step_action_reader.hpp"
#include "spec/step_reader.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

using Kind = TomlValue::Kind;

/// One launch serves all configurations, so its arguments may not depend on parameters.
void require_no_parameter(const SpecContext& context, const Expression& expression,
                          const std::string& name, const Place& place) {
  for (const std::size_t slot : expression.slots()) {
    if (!context.is_param(slot)) continue;
    context.fail(place, "'" + name + "' in 'args' of 'compare' depends on parameter '" +
                            context.scope.slot_name(slot) +
                            "'; expected only problem sizes and device facts");
  }
}

std::string text_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

class ComparedArguments {
 public:
  ComparedArguments(const SpecContext& context, const std::string& output, const KernelSpec& spec,
                    bool has_reference)
      : m_context(context), m_output(output), m_spec(spec) {
    for (const ArgumentSpec& argument : spec.args) m_names.push_back(name_of(argument));
    for (const ArgumentSpec& argument : spec.args) {
      if (!has_reference || !is_output(argument)) continue;
      m_special.push_back(name_of(argument) + std::string(reference_suffix));
    }
    m_special.push_back(output + std::string(mismatches_suffix));
  }

  [[nodiscard]] std::vector<ArgumentSpec> read(const TomlValue& list) {
    const std::string what = "'args' of 'compare'";
    m_context.expect(list, Kind::array, what);
    m_context.expect_few(list, what);
    for (const TomlValue& item : list.items) m_arguments.push_back(read_one(item));
    require("'" + m_special.back() + "', which receives the number of errors", m_special.back(),
            list);
    require("'" + m_output + "', which it checks", m_output, list);
    return std::move(m_arguments);
  }

 private:
  [[nodiscard]] ArgumentSpec read_one(const TomlValue& item) {
    if (item.kind == Kind::string) return read_name(item);
    ArgumentSpec own = read_argument(m_context, item, {}, m_names);
    const auto* scalar = std::get_if<ScalarSpec>(&own);
    if (scalar == nullptr) {
      m_context.fail(item.place,
                     "'" + name_of(own) +
                         "' is a table, but not a scalar; expected a scalar, or the name "
                         "of one of the kernel's arguments");
    }
    require_no_parameter(m_context, scalar->value, scalar->name, item.place);
    return own;
  }

  [[nodiscard]] ArgumentSpec read_name(const TomlValue& item) const {
    if (item.text == m_special.back()) {
      return BufferSpec{
          item.text, ElementType::u64, Expression{std::int64_t{1}}, Direction::workspace, {}};
    }
    if (std::find(m_special.begin(), m_special.end(), item.text) != m_special.end()) {
      BufferSpec reference =
          *m_spec.find_buffer(item.text.substr(0, item.text.size() - reference_suffix.size()));
      reference.name = item.text;
      reference.direction = Direction::in;
      return passed(std::move(reference), item);
    }
    for (const ArgumentSpec& argument : m_spec.args) {
      if (name_of(argument) != item.text) continue;
      if (const auto* buffer = std::get_if<BufferSpec>(&argument)) return passed(*buffer, item);
      if (const auto* scalar = std::get_if<ScalarSpec>(&argument)) {
        require_no_parameter(m_context, scalar->value, item.text, item.place);
        return argument;
      }
      m_context.fail(item.place, "'" + item.text +
                                     "' in 'args' of 'compare' is not a buffer or scalar; expected "
                                     "one of these");
    }
    std::vector<std::string> names = m_names;
    names.insert(names.end(), m_special.begin(), m_special.end());
    const std::string suggestion = did_you_mean(item.text, names);
    m_context.fail(item.place,
                   "'" + item.text + "' in 'args' of 'compare' is not known" +
                       (suggestion.empty() ? "; expected an argument of the kernel" + also_known()
                                           : suggestion));
  }

  [[nodiscard]] std::string also_known() const {
    if (m_special.size() > 1) return ", or one of " + text_of(m_special);
    return " or " + text_of(m_special) + " (reference = \"none\" has no results)";
  }

  [[nodiscard]] ArgumentSpec passed(BufferSpec buffer, const TomlValue& item) const {
    require_no_parameter(m_context, buffer.count, item.text, item.place);
    buffer.symbol.clear();
    buffer.passed = true;
    if (!buffer.memory.param.empty()) buffer.memory = {};  // the entry gets the copy on the device
    return buffer;
  }

  void require(const std::string& what, const std::string& name, const TomlValue& list) const {
    const auto is_it = [&](const ArgumentSpec& one) { return name_of(one) == name; };
    if (std::any_of(m_arguments.begin(), m_arguments.end(), is_it)) return;
    m_context.fail(list.place, "'args' of 'compare' has no " + what);
  }

  const SpecContext& m_context;
  const std::string& m_output;
  const KernelSpec& m_spec;
  std::vector<std::string> m_names;    // the kernel's arguments, then the entry's own scalars
  std::vector<std::string> m_special;  // results of the reference, then the count
  std::vector<ArgumentSpec> m_arguments;
};

}  // namespace

CompareSpec read_compare(const SpecContext& context, const TomlValue& table,
                         const std::string& output, const KernelSpec& spec, bool has_reference,
                         std::span<const std::filesystem::path> source_folders) {
  const std::string what = "'compare' of [check.outputs." + output + "]";
  context.expect(table, Kind::table, what);
  context.expect_keys(table, what, with_launch_keys({"source", "entry", "args"}));
  CompareSpec compare{{}, spec.source, {}};
  if (const TomlValue* source = table.find("source")) {
    compare.source = find_source(context, *source, "'source' of " + what, source_folders);
  }
  std::string entry =
      read_entry(context, context.require(table, "entry", what), "'entry' of " + what);
  LaunchSpec launch = read_launch(context, table, what, Depends::on_sizes_and_device);
  compare.args = ComparedArguments(context, output, spec, has_reference)
                     .read(context.require(table, "args", what));
  compare.steps = one_launch(std::move(entry), std::move(launch), all_arguments(compare.args));
  return compare;
}

}  // namespace gtune
