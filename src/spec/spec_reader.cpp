#include "spec/spec_reader.hpp"

#include <algorithm>
#include <set>

#include "spec/argument_reader.hpp"
#include "spec/check_readers.hpp"
#include "spec/compiled_slots.hpp"
#include "spec/compiler_options.hpp"
#include "spec/device_slots.hpp"
#include "spec/entry.hpp"
#include "spec/kernel_name.hpp"
#include "spec/launch_reader.hpp"
#include "spec/name_readers.hpp"
#include "spec/source_file.hpp"
#include "spec/spec_text.hpp"
#include "spec/step_action_reader.hpp"
#include "spec/step_conditions.hpp"
#include "spec/step_reader.hpp"
#include "spec/suggestion.hpp"
#include "spec/variant_reader.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;
using Kind = TomlValue::Kind;

class SpecReader {
 public:
  SpecReader(std::string text, const fs::path& file, std::span<const fs::path> kernel_folders)
      : m_source_folders({file.parent_path()}), m_context(file.string()) {
    m_source_folders.insert(m_source_folders.end(), kernel_folders.begin(), kernel_folders.end());
    m_spec.file = file;
    m_spec.text = std::move(text);
    m_root = parse_toml(m_spec.text, file.string());
    m_steps = m_root.find("steps");
  }

  /// Throws the first mistake.
  KernelSpec read() {
    read_parts();
    return std::move(m_spec);
  }

  /// Collects all mistakes that are not consequences of others.
  SpecReading read_all() {
    m_context.collect_mistakes();
    read_parts();
    SpecReading reading{std::nullopt, m_context.mistakes(), std::move(m_unread)};
    std::stable_sort(reading.mistakes.begin(), reading.mistakes.end(),
                     [](const SpecMistake& a, const SpecMistake& b) { return a.place < b.place; });
    // The rest of the spec can be checked even if its name is wrong.
    const std::size_t of_the_name = m_has_wrong_name ? 1 : 0;
    if (reading.mistakes.size() == of_the_name) reading.spec = std::move(m_spec);
    return reading;
  }

 private:
  /// "[launch]", "[[args]]"
  [[nodiscard]] static std::string in_brackets(const std::string& key) {
    const bool is_list = key == "args" || key == "steps" || key == "baselines";
    return is_list ? "[[" + key + "]]" : "[" + key + "]";
  }

  /// Skips tables that depend on broken ones; only their absence is a mistake.
  void leave_unread(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      if (m_root.find(key) != nullptr) {
        m_unread.push_back(in_brackets(key));
      } else if (key == "launch" || key == "args" || key == "check") {
        m_context.attempt([&] { fail_without(key); });
      }
    }
  }

  [[noreturn]] void fail_without(const std::string& key) {
    m_context.end_if_misspelt(m_root, key);
    m_context.fail(Place{}, "the spec has no table " + in_brackets(key) + "; expected one");
  }

  void read_parts() {
    m_context.expect_keys(m_root, "the spec",
                          {"kernel", "problem", "params", "let", "constraints", "launch", "steps",
                           "args", "work", "check", "baselines", "variants"});
    m_context.attempt([&] { read_kernel(require_table("kernel")); });
    bool has_names = m_context.attempt(
        [&] { m_spec.sizes = read_problem(m_context, require_table("problem")); });
    has_names &=
        m_context.attempt([&] { m_spec.params = read_params(m_context, require_table("params")); });
    for (const std::string_view name : device_slot_names) {
      m_context.scope.add_slot(std::string(name));
    }
    for (const std::string_view name : compiled_slot_names) {
      m_context.scope.add_yielding_slot(std::string(name));
    }
    if (!has_names) {
      leave_unread({"let", "constraints", m_steps == nullptr ? "launch" : "steps", "args", "work",
                    "baselines", "check", "variants"});
      return;
    }
    read_rules();
    read_runs();
    m_context.attempt([&] {
      if (const TomlValue* variants = optional_table("variants")) {
        m_spec.variants = read_variants(m_context, *variants, m_spec.file);
      }
    });
  }

  /// Reads [work], the baselines and [check], in this order: [check] may refer to baselines.
  void read_runs() {
    m_context.attempt([&] {
      if (const TomlValue* work = optional_table("work")) m_spec.work = read_work(m_context, *work);
    });
    const std::size_t before_baselines = m_context.failures();
    m_context.attempt([&] {
      if (const TomlValue* baselines = m_root.find("baselines")) {
        m_spec.baselines = read_baselines(m_context, *baselines, m_spec);
      }
    });
    if (!m_has_arguments || m_context.failures() > before_baselines) {
      leave_unread({"check"});
      return;
    }
    m_context.attempt([&] {
      m_spec.check = read_check(m_context, require_table("check"), m_spec, m_source_folders);
    });
  }

  const TomlValue& require(const char* key, Kind kind) {
    const TomlValue* value = m_root.find(key);
    if (value == nullptr) fail_without(key);
    return m_context.expect(*value, kind, "'" + std::string(key) + "'");
  }

  const TomlValue& require_table(const char* key) { return require(key, Kind::table); }

  const TomlValue* optional_table(const char* key) {
    return m_root.find(key) == nullptr ? nullptr : &require_table(key);
  }

  void read_kernel(const TomlValue& table) {
    m_context.expect_keys(table, "[kernel]",
                          {"name", "help", "source", "entry", "compiler", "options", "macros"});
    m_context.attempt([&] { read_name(table); });
    m_context.attempt([&] { m_spec.help = m_context.optional_string(table, "help"); });
    m_context.attempt([&] {
      const TomlValue& source = m_context.require(table, "source", "[kernel]");
      m_spec.source = find_source(m_context, source, "'source' of [kernel]", m_source_folders);
    });
    m_context.attempt([&] {
      if (m_steps != nullptr)
        return refuse_beside_steps(table.find("entry"), "'entry' of [kernel]");
      const TomlValue& entry = m_context.require(table, "entry", "[kernel]");
      m_entry = read_entry(m_context, entry, "'entry' of [kernel]");
      m_entry_place = entry.place;
    });
    m_context.attempt([&] { read_compiler(table); });
    m_options = table.find("options");
    m_macros = table.find("macros");
  }

  void read_compiler(const TomlValue& table) {
    const TomlValue* name = table.find("compiler");
    if (name == nullptr) return;
    m_context.expect(*name, Kind::string, "'compiler' of [kernel]");
    if (name->text == "nvcc") {
      m_spec.compiler = Compiler::nvcc;
    } else if (name->text != "nvrtc") {
      m_context.fail(name->place, "'compiler' of [kernel] is '" + name->text +
                                      "'; expected \"nvrtc\" or \"nvcc\"");
    }
  }

  void read_name(const TomlValue& table) {
    m_spec.name = m_spec.file.stem().string();
    Place name_place = table.place;
    if (const TomlValue* name = table.find("name")) {
      m_spec.name = m_context.expect(*name, Kind::string, "'name' of [kernel]").text;
      name_place = name->place;
    }
    const std::string why = why_no_kernel_name(m_spec.name);
    if (why.empty()) return;
    m_context.complain(name_place, why);
    m_has_wrong_name = true;
  }

  void refuse_beside_steps(const TomlValue* value, const std::string& what) const {
    if (value == nullptr) return;
    m_context.fail(value->place,
                   "the spec has [[steps]] and " + what + "; expected one of the two");
  }

  /// Whether it is part of a name with namespaces, which is C++'s: `(::ns::Mode)MODE`.
  [[nodiscard]] static bool is_qualified(const std::string& entry, const std::string& name) {
    return entry.find("::" + name) != std::string::npos ||
           entry.find(name + "::") != std::string::npos;
  }

  [[nodiscard]] static bool is_of_builtin_type(const std::string& name) {
    static const std::set<std::string> words = {"bool",   "char",     "const", "double",
                                                "float",  "int",      "long",  "short",
                                                "signed", "unsigned", "void"};
    return words.contains(name);
  }

  /// Refuses a name in an entry that looks like a misspelt name of the spec. Other names are C++'s.
  void require_known(const std::string& name, const Place& entry) {
    if (m_context.scope.find(name) != nullptr || is_of_builtin_type(name)) return;
    const std::string suggestion = did_you_mean(name, m_context.scope.names());
    if (suggestion.empty()) return;
    m_context.fail(entry,
                   "'" + name + "' in the entry is not a parameter, size or let" + suggestion);
  }

  void read_stated_macros() {
    const std::size_t before = m_context.failures();
    m_spec.macros = read_macros(m_context, *m_macros, m_spec);
    if (m_context.failures() > before) return;
    for (const TomlEntry& entry : m_macros->entries) {
      if (entry.value.kind == Kind::integer) continue;
      TomlValue has_value = entry.value;
      has_value.text = "0 * (" + entry.value.text + ") == 0";
      m_spec.launch_conditions.push_back(
          m_context.expression(has_value, "macro '" + entry.key + "'", m_context.scope));
    }
  }

  void read_rules() {
    if (m_options != nullptr && !m_spec.source.empty()) {
      m_context.attempt([&] {
        m_context.expect(*m_options, Kind::array, "'options' of [kernel]");
        m_spec.options = read_compiler_options(m_context, *m_options, m_spec);
      });
    }
    m_context.attempt([&] {
      const TomlValue* lets = optional_table("let");
      if (lets == nullptr) return;
      m_context.declare_ahead(*lets);
      m_spec.lets = read_lets(m_context, *lets);
    });
    const std::size_t before = m_context.failures();
    m_context.attempt([&] {
      m_spec.args = read_arguments(m_context, require("args", Kind::array), m_spec.params);
    });
    m_has_arguments = m_context.failures() == before;
    const bool has_launch = read_tuned_steps();
    read_entries();
    if (m_macros != nullptr) m_context.attempt([&] { read_stated_macros(); });
    if (!has_launch) {
      leave_unread({"constraints"});
      return;
    }
    m_context.attempt([&] {
      m_spec.constraints = existence_rules(m_context, require_table("params"), m_spec.params);
      if (const TomlValue* constraints = optional_table("constraints")) {
        for (NamedExpression& own : read_constraints(m_context, *constraints, m_spec.steps)) {
          const bool after_compile = m_context.names_compiled(own.expression);
          (after_compile ? m_spec.compiled_constraints : m_spec.constraints)
              .push_back(std::move(own));
        }
      }
    });
  }

  /// False if the launches are broken, so that constraints cannot refer to them.
  bool read_tuned_steps() {
    const std::size_t before = m_context.failures();
    const Scope without_counters = m_context.scope;
    if (m_steps == nullptr) {
      m_context.attempt([&] { read_tuned_launch(require_table("launch")); });
    } else if (m_has_arguments) {
      m_context.attempt([&] { refuse_beside_steps(m_root.find("launch"), "[launch]"); });
      m_context.attempt([&] { m_spec.steps = read_steps(m_context, *m_steps, m_spec.args); });
    } else {
      leave_unread({"steps"});
      return false;
    }
    const bool all_read = m_context.failures() == before;
    if (all_read) {
      m_context.attempt([&] {
        m_spec.launch_conditions =
            step_conditions(m_context, m_spec.steps, places_of_steps(), m_spec.args);
      });
    }
    m_context.scope = without_counters;
    return all_read;
  }

  /// Of the tables that describe them.
  [[nodiscard]] std::vector<Place> places_of_steps() const {
    if (m_steps == nullptr) return {m_root.find("launch")->place};
    std::vector<Place> places;
    for (const TomlValue& step : m_steps->items) places.push_back(step.place);
    return places;
  }

  void read_tuned_launch(const TomlValue& table) {
    m_context.expect_keys(table, "[launch]", with_launch_keys({}));
    LaunchSpec launch = read_launch(m_context, table, "[launch]", Depends::on_anything);
    m_spec.steps = one_launch(m_entry, std::move(launch), all_arguments(m_spec.args));
  }

  /// A let in an entry must have a value, like a macro.
  void read_entries() {
    if (m_steps == nullptr && m_spec.steps.empty()) {  // its launch is wrong
      m_spec.steps = one_launch(m_entry, {}, all_arguments(m_spec.args));
    }
    for (std::size_t i = 0; i < m_spec.steps.size(); ++i) {
      const StepSpec& step = m_spec.steps[i];
      if (step.launch() == nullptr) continue;
      const Place place = m_steps == nullptr ? m_entry_place : m_steps->items[i].place;
      for (const std::string& name : template_arguments(step.launch()->entry)) {
        if (!is_qualified(step.launch()->entry, name)) {
          m_context.attempt([&] { require_known(name, place); });
        }
        if (m_spec.find_let(name) == nullptr) continue;
        m_context.compose_at(place);
        m_context.attempt([&] {
          const Expression has_value = m_context.composed(name + " == " + name);
          m_spec.launch_conditions.push_back(unless_left_out(m_context, step, has_value));
        });
      }
    }
  }

  std::vector<fs::path> m_source_folders;
  SpecContext m_context;
  TomlValue m_root;
  KernelSpec m_spec;
  const TomlValue* m_steps = nullptr;  // null: the spec has one launch
  std::string m_entry;                 // of that launch
  bool m_has_arguments = false;
  bool m_has_wrong_name = false;
  const TomlValue* m_options = nullptr;
  const TomlValue* m_macros = nullptr;
  Place m_entry_place;
  std::vector<std::string> m_unread;  // tables, if mistakes are collected
};

}  // namespace

KernelSpec read_spec(const std::filesystem::path& file,
                     std::span<const std::filesystem::path> kernel_folders) {
  return parse_spec(read_spec_text(file), file, kernel_folders);
}

KernelSpec parse_spec(std::string text, const std::filesystem::path& file,
                      std::span<const std::filesystem::path> kernel_folders) {
  return SpecReader(std::move(text), file, kernel_folders).read();
}

SpecReading read_all_mistakes(std::string text, const std::filesystem::path& file,
                              std::span<const std::filesystem::path> kernel_folders) {
  try {
    return SpecReader(std::move(text), file, kernel_folders).read_all();
  } catch (const SpecError& error) {  // not TOML
    return {std::nullopt, {error.mistake()}, {"the rest of the file"}};
  }
}

}  // namespace gtune
