#include "authoring/spec_check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "authoring/argument_match.hpp"
#include "authoring/checked_kernels.hpp"
#include "authoring/compiler_hints.hpp"
#include "authoring/data_file_mistakes.hpp"
#include "authoring/device_memory.hpp"
#include "authoring/entry_mistake.hpp"
#include "authoring/idle_parameters.hpp"
#include "authoring/impossible_problems.hpp"
#include "authoring/variable_match.hpp"
#include "jit/macro_overrides.hpp"
#include "jit/occupancy.hpp"
#include "jit/step_resources.hpp"
#include "model/error.hpp"
#include "model/value_word.hpp"
#include "spec/device_table.hpp"
#include "spec/evaluate.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/problem_text.hpp"
#include "spec/spec_reader.hpp"
#include "spec/spec_text.hpp"

namespace gtune {
namespace {

/// Larger spaces are sampled at equal intervals.
constexpr std::uint64_t most_launches = 20'000;
constexpr std::size_t most_kinds = 8;

using Types = std::vector<ParameterType>;

/// The default problem, and one more for each other choice of a size.
std::vector<Problem> kinds_of_problem(const KernelSpec& spec) {
  std::vector<Problem> kinds = expand_problems(spec, {});
  const Problem usual = kinds.front();
  for (const ProblemSize& size : spec.sizes) {
    for (const std::int64_t choice : size.choices) {
      if (usual.find(size.name) == choice || kinds.size() >= most_kinds) continue;
      kinds.push_back(expand_problems(spec, {{size.name, {choice}}}).front());
    }
  }
  return kinds;
}

class Check {
 public:
  Check(const KernelSpec& spec, const CheckSettings& settings, SpecCheck& out)
      : m_spec(spec),
        m_settings(settings),
        m_device(typical_device(settings.arch)),
        m_places(spec),
        m_out(out) {
    for (const Parameter& param : spec.params) m_any_config.set(param.name, param.values.front());
  }

  void run(const CompileAll& compile_all) {
    m_out.kernel = m_spec.name;
    std::vector<SampledProblem> problems;
    std::size_t count = m_settings.configs;
    ImpossibleProblems impossible(m_spec, m_device);
    for (const Problem& problem : kinds_of_problem(m_spec)) {
      const Enumeration space = enumerate(m_spec, problem, m_device);
      if (problems.empty()) describe_space(problem, space);
      problems.push_back({problem, sample_configs(space.space, count)});
      count = std::min<std::size_t>(count, 1);  // for each of the other kinds
      impossible.try_all(problem, space.space);
    }
    for (const ImpossibleProblem& each : impossible.found()) {
      complain(
          m_places.awkward_size(each.entry, each.size),
          "an entry of 'also' is possible for no configuration: " + each.size + " = " + each.why,
          each.example);
    }
    check_memory(problems.front());
    check_work(problems.front().problem);
    check_macros();
    if (!problems.front().configs.empty()) check_data(problems.front());
    compile(kernels_to_check(m_spec, m_places, problems, m_device), compile_all);
    complain_if_none_is_left(problems.front());
  }

  /// `example`: a case that shows the mistake; empty: all of them do.
  void complain(const std::string& at, const std::string& line, const std::string& example = "",
                const std::string& log = "") {
    const std::string begin = m_spec.file.string() + ": ";  // errors of evaluation name the file
    const std::string own = line.starts_with(begin) ? line.substr(begin.size()) : line;
    if (!m_reported.insert({at, own}).second) return;
    m_out.mistakes.push_back({at, example.empty() ? own : own + " (" + example + ")", log});
  }

  [[nodiscard]] const SpecPlaces& places() const { return m_places; }

 private:
  void describe_space(const Problem& problem, const Enumeration& space) {
    m_out.problem = problem.text();
    m_out.combinations = space.combinations;
    m_out.valid = space.space.size();
    m_out.excluded = space.excluded;
    m_out.exclusion_reasons = exclusion_reasons(m_spec, problem, m_device, space);
    if (m_out.valid == 0) return complain_of_empty_space(problem_text(m_spec, problem));
    m_out.unused_values = unused_values(space.space);
    try_launches(problem, space.space);
    note_invalid_baselines(problem, space.space);
  }

  /// A search tries baselines of the tuned kernel first, if they are valid configurations.
  void note_invalid_baselines(const Problem& problem, const SearchSpace& space) {
    for (const Baseline& baseline : m_spec.baselines) {
      if (!baseline.is_tuned_kernel) continue;
      Config config = space.config(0);  // for the parameters that the baseline leaves open
      for (const auto& [name, value] : baseline.params.entries()) config.set(name, value);
      const auto why = why_not_valid(problem, config);
      if (!why) continue;
      m_out.notes.push_back("baseline " + baseline.name + " is not a configuration of " +
                            problem_text(m_spec, problem) + ", so no search tries it: " + *why);
    }
  }

  [[nodiscard]] std::optional<std::string> why_not_valid(const Problem& problem,
                                                         const Config& config) const {
    for (const Parameter& param : m_spec.params) {
      const std::int64_t value = *config.find(param.name);
      if (std::ranges::find(param.values, value) == param.values.end()) {
        return param.name + " has no value " + value_text(value);
      }
    }
    return find_violation(m_spec, {problem, config, m_device});
  }

  /// Points to the most restrictive constraint, or to its parameter if it involves only one.
  void complain_of_empty_space(const std::string& problem) {
    const auto most = std::max_element(
        m_out.excluded.begin(), m_out.excluded.end(),
        [](const auto& a, const auto& b) { return a.combinations < b.combinations; });
    const auto reason = std::find_if(
        m_out.exclusion_reasons.begin(), m_out.exclusion_reasons.end(),
        [&](const ExclusionReason& each) { return each.constraint == most->constraint; });
    std::string line = "no configuration is valid for " + problem + " on " + m_settings.arch;
    if (reason == m_out.exclusion_reasons.end()) {
      return complain(m_places.constraints(), line + "; expected at least one");
    }
    // A launch expression with an invalid value is the mistake itself.
    const bool is_expression = most->constraint == launch_constraint && reason->keys.size() > 1;
    const bool has_one_parameter = reason->parameters.size() == 1 && !is_expression;
    line += ": " + most->constraint + " excludes " + std::to_string(most->combinations) + " of " +
            std::to_string(m_out.combinations) + " combinations, " + reason->why;
    complain(has_one_parameter ? m_places.parameter(reason->parameters.front())
                               : m_places.at(reason->keys),
             line, reason->values);
  }

  void try_launches(const Problem& problem, const SearchSpace& space) {
    std::map<std::string, LaunchFault> faults;
    const std::size_t step = std::max<std::size_t>(1, space.size() / most_launches);
    for (std::size_t i = 0; i < space.size(); i += step) {
      ++m_out.launches_tried;
      const Config config = space.config(i);
      const auto why = why_no_launch(m_spec, {problem, config, m_device});
      if (!why) continue;
      LaunchFault& fault = faults[why->reason];
      if (fault.count++ == 0) fault = {why->reason, 1, config, why->keys};
    }
    for (auto& [reason, fault] : faults) m_out.launch_faults.push_back(std::move(fault));
    std::stable_sort(m_out.launch_faults.begin(), m_out.launch_faults.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    std::uint64_t refused = 0;
    for (const LaunchFault& fault : m_out.launch_faults) refused += fault.count;
    if (refused < m_out.launches_tried) return;
    const LaunchFault& first = m_out.launch_faults.front();
    complain(m_places.at(first.keys), first.reason,
             case_text(m_spec, problem, first.example) + "; no configuration can be launched on " +
                 m_settings.arch);
  }

  /// Buffers of the default problem that no device of this architecture can hold.
  void check_memory(const SampledProblem& sampled) {
    if (sampled.configs.empty()) return;
    const Case of{sampled.problem, sampled.configs.front(), m_device};
    try {
      const std::vector<ArgumentPlan> arguments = plan_arguments(m_spec, of);
      complain_of_empty_outputs(of, arguments);
      const auto beyond = buffer_beyond_memory(arguments, m_device);
      if (!beyond) return;
      complain(m_places.at({"args", beyond->buffer}), beyond->line,
               problem_text(m_spec, of.problem));
    } catch (const UserError&) {  // an expression without a value, which kernels_to_check() reports
    }
  }

  /// A run without a result would count as right.
  void complain_of_empty_outputs(const Case& of, const std::vector<ArgumentPlan>& arguments) {
    const auto* last = static_cast<const BufferPlan*>(nullptr);
    for (const ArgumentPlan& argument : arguments) {
      const auto* buffer = std::get_if<BufferPlan>(&argument);
      if (buffer == nullptr || !is_written(buffer->direction)) continue;
      if (buffer->count > 0) return;
      last = buffer;
    }
    if (last == nullptr) return;
    complain(m_places.at({"args", last->name, "count"}),
             "no output has an element for the default problem", problem_text(m_spec, of.problem));
  }

  void check_work(const Problem& problem) {
    for (const auto work : {work_flops, work_bytes}) {
      try {
        (void)work(m_spec, problem);
      } catch (const CaseError& error) {
        complain(m_places.at(error.keys()), error.reason(), problem_text(m_spec, problem));
      }
    }
  }

  void check_macros() {
    const KernelSource source(m_spec.source, m_spec.compiler);
    for (const MacroOverride& each : macro_overrides(m_spec, source, m_settings.arch)) {
      complain(each.place(), each.complaint());
    }
    m_out.idle_parameters = idle_parameters(m_spec, source);
    for (const std::string& note : macro_notes(source, m_spec)) {
      m_out.notes.push_back(note);
    }
  }

  /// Constraints and launches that name what the compiler reports may exclude every configuration.
  /// That is only known if all have been compiled.
  void complain_if_none_is_left(const SampledProblem& usual) {
    std::vector<std::string> reasons;
    for (const auto& [problem, why] : m_excluded) {
      if (problem == usual.problem) reasons.push_back(why);
    }
    if (reasons.empty() || reasons.size() != m_out.valid) return;
    complain(m_places.constraints(),
             "no configuration is left for " + problem_text(m_spec, usual.problem) + " on " +
                 m_settings.arch + ": all " + std::to_string(reasons.size()) +
                 " are compiled and cannot be launched, " + reasons.front());
  }

  void check_data(const SampledProblem& usual) {
    const Case of{usual.problem, usual.configs.front(), m_device};
    for (const DataFileMistake& mistake : data_file_mistakes(m_spec, m_places, of)) {
      complain(mistake.place, mistake.line, problem_text(m_spec, usual.problem));
    }
  }

  void compile(const KernelsToCheck& to_check, const CompileAll& compile_all) {
    for (const RefusedKernel& refused : to_check.refused) {
      complain(refused.place, refused.line, refused.example);
    }
    std::vector<KernelRequest> requests;
    for (const CheckedKernel& kernel : to_check.kernels) requests.push_back(kernel.request);
    const std::vector<CompileResult> results = compile_all(std::move(requests));
    // Keyed by the first error: later lines of the output repeat it for a template's arguments.
    std::map<std::string, std::vector<std::size_t>> failures;
    std::vector<std::string> reasons;  // keys of `failures` in order
    bool entry_is_wrong = false;
    for (std::size_t i = 0; i < results.size(); ++i) {
      add_compile(to_check.kernels[i], results[i]);
      if (results[i].ok) check_variables(to_check.kernels[i], results[i]);
      note_if_excluded(to_check.kernels[i], results[i]);
      if (results[i].ok || m_out.compiles.back().cannot_launch) continue;
      // Without its template arguments, parameters are macros, which can break any part of a
      // source.
      const bool may_be_entry =
          is_about_entry(results[i]) || is_about_macro(to_check.kernels[i], results[i]);
      if (may_be_entry && complain_of_entries(to_check.kernels[i])) {
        entry_is_wrong = true;
        continue;
      }
      std::vector<std::size_t>& same = failures[results[i].reason];
      if (same.empty()) reasons.push_back(results[i].reason);
      same.push_back(i);
    }
    for (const auto& [at, kernel_name, mistake] : m_baseline_mistakes) {
      m_argument_mistakes.add_to_others(at, kernel_name, mistake);
    }
    for (const auto& [at, line] : m_argument_mistakes.all()) complain(at, line);
    for (const std::string& reason : reasons) {
      const std::vector<std::size_t>& same = failures[reason];
      const std::size_t first = same.front();
      if (entry_is_wrong && is_about_macro(to_check.kernels[first], results[first])) continue;
      complain_of_compile(to_check.kernels[first], results[first], same.size() - 1);
    }
  }

  /// After add_compile.
  void note_if_excluded(const CheckedKernel& kernel, const CompileResult& result) {
    const std::optional<std::string>& why = m_out.compiles.back().cannot_launch;
    if (!result.ok || !why || !is_configuration(kernel)) return;
    m_excluded.emplace_back(kernel.sizes, why->substr(0, why->find('\n')));
  }

  /// `more`: how many other kernels failed in the same way.
  void complain_of_compile(const CheckedKernel& kernel, const CompileResult& result,
                           std::size_t more) {
    std::string entries = quoted(kernel.request.compile.entries) + " (" + kernel.what;
    if (more > 0) entries += " and " + std::to_string(more) + " more";
    std::string hint = macro_hint_of(kernel, result);
    if (hint.empty()) hint = compiler_hint(log_of(result));
    complain(kernel.place, entries + ") does not compile: " + (hint.empty() ? result.reason : hint),
             "", log_of(result));
  }

  [[nodiscard]] std::string macro_hint_of(const CheckedKernel& kernel,
                                          const CompileResult& result) const {
    return macro_hint(log_of(result), parameter_macros(kernel.request.compile));
  }
  [[nodiscard]] bool is_about_macro(const CheckedKernel& kernel,
                                    const CompileResult& result) const {
    return !macro_hint_of(kernel, result).empty();
  }

  /// The parameters that are macros in a compile.
  [[nodiscard]] std::vector<std::string> parameter_macros(const CompileRequest& request) const {
    std::vector<std::string> macros;
    for (const Parameter& param : m_spec.params) {
      const bool defined = std::any_of(
          request.options.begin(), request.options.end(),
          [&](const std::string& option) { return option.starts_with("-D" + param.name + "="); });
      if (defined) macros.push_back(param.name);
    }
    return macros;
  }

  /// True if the source lacks a kernel that the spec names. The compiler's message would refer to
  /// generated text.
  bool complain_of_entries(const CheckedKernel& kernel) {
    bool is_reported = false;
    for (const CheckedLaunch& launch : kernel.launches) {
      const std::string line =
          entry_mistake(launch.named, launch.entry, kernel.source.filename().string(),
                        with_includes(kernel.source));
      if (line.empty()) continue;
      complain(launch.place.empty() ? kernel.place : launch.place, line);
      is_reported = true;
    }
    return is_reported;
  }

  /// The kernels of one file, without its includes.
  const std::vector<OutlinedKernel>& kernels_of(const std::filesystem::path& source) {
    const auto known = m_kernels.find(source);
    if (known != m_kernels.end()) return known->second;
    SourceOutline outline = outline_source(read_text(source));
    // The spec's macros may choose other branches.
    for (const SkippedKernel& each : outline.skipped_kernels) {
      outline.kernels.push_back({each.name});
    }
    return m_kernels.emplace(source, std::move(outline.kernels)).first->second;
  }

  /// The kernels of a file and its own headers. Finding these headers can take seconds if a source
  /// includes large libraries.
  std::vector<OutlinedKernel> with_includes(const std::filesystem::path& source) {
    std::vector<OutlinedKernel> kernels;
    const KernelSource files(source, m_spec.compiler);
    for (const auto& file : files.own_files(compile_options(m_spec, m_any_config))) {
      const std::vector<OutlinedKernel>& own = kernels_of(file);
      kernels.insert(kernels.end(), own.begin(), own.end());
    }
    return kernels;
  }

  static bool is_configuration(const CheckedKernel& kernel) {
    return kernel.role == CheckedKernel::Role::configuration;
  }

  static bool is_on_host(const CheckedKernel& kernel) {
    return !kernel.request.compile.host_compiler.empty();
  }

  static std::string log_of(const CompileResult& result) {
    return result.detail ? result.detail->log : "";
  }

  static std::string quoted(const std::vector<std::string>& entries) {
    if (entries.empty()) return "the source";  // of copies and fills
    std::string text;
    for (const std::string& entry : entries) text += (text.empty() ? "'" : ", '") + entry + "'";
    return text;
  }

  /// Plans the steps with the compiler's facts. If a launch is impossible, sets `why_not`.
  std::vector<StepPlan> plan_compiled(const CheckedKernel& kernel, const CompileResult& result,
                                      std::optional<std::string>& why_not) {
    if (!result.ok || !kernel.steps) return {};
    try {
      std::vector<StepPlan> steps = kernel.steps(facts_of(&result, m_device));
      if (!is_configuration(kernel)) return steps;
      const auto violated = find_compiled_violation(m_spec, {kernel.sizes, kernel.config, m_device},
                                                    resources_of(steps, result.kernels, m_device));
      if (violated) why_not = "excluded by " + *violated;
      return steps;
    } catch (const UserError& error) {
      why_not = error.what();
      if (!is_configuration(kernel)) complain(kernel.place, error.what());
      return {};
    }
  }

  /// Adds a row for each launch.
  void add_compile(const CheckedKernel& kernel, const CompileResult& result) {
    std::optional<std::string> why_not;
    const std::vector<StepPlan> steps = plan_compiled(kernel, result, why_not);
    std::optional<double> compile_ms = result.compile_ms;
    const bool several = kernel.launches.size() > 1;
    for (const CheckedLaunch& launch : kernel.launches) {
      CheckedCompile compiled{several ? kernel.what + "  " + launch.entry : kernel.what,
                              kernel.problem,
                              launch.entry,
                              result.ok,
                              compile_ms,
                              {},
                              std::nullopt};
      compile_ms.reset();
      for (const CompiledKernel& each : result.kernels) {
        if (each.entry != launch.entry) continue;
        match(kernel, launch, result, each);
        if (is_on_host(kernel)) continue;
        add_launch(launch, each, steps, compiled);
        if (!steps.empty()) refuse_launch(kernel, launch, result, steps, compiled);
      }
      if (!compiled.cannot_launch) compiled.cannot_launch = why_not;
      // A tile that is too large rules out a configuration; it is not a mistake of the spec.
      const std::string exceeded = result.ok ? "" : exceeded_resource(log_of(result));
      if (is_configuration(kernel) && !exceeded.empty()) compiled.cannot_launch = exceeded;
      // A compile may time out because the machine is busy, which says nothing about the spec.
      compiled.timed_out = result.timed_out;
      if (result.timed_out) compiled.cannot_launch = "not checked: " + result.reason;
      m_out.compiles.push_back(std::move(compiled));
    }
  }

  void add_launch(const CheckedLaunch& launch, const CompiledKernel& result,
                  const std::vector<StepPlan>& steps, CheckedCompile& compiled) const {
    compiled.resources = result.resources;
    if (steps.empty()) return;
    const LaunchPlan& plan = std::get<KernelLaunch>(steps[launch.step].action).launch;
    compiled.resources = with_occupancy(result.resources, plan, m_device);
  }

  /// Records why the launch would fail. This is a mistake unless the kernel is a configuration.
  void refuse_launch(const CheckedKernel& kernel, const CheckedLaunch& launch,
                     const CompileResult& result, const std::vector<StepPlan>& steps,
                     CheckedCompile& compiled) {
    const LaunchPlan& plan = std::get<KernelLaunch>(steps[launch.step].action).launch;
    compiled.cannot_launch = why_entry_cannot_launch(result, launch.entry, plan, m_device);
    if (compiled.cannot_launch && !is_configuration(kernel)) {
      complain(kernel.place, kernel.what + " cannot be launched on " + m_settings.arch + ": " +
                                 *compiled.cannot_launch);
    }
  }

  void check_variables(const CheckedKernel& kernel, const CompileResult& result) {
    if (!kernel.steps) return;  // on the host
    const bool has_symbol = std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                                        [](const ArgumentSpec& argument) {
                                          const auto* buffer = std::get_if<BufferSpec>(&argument);
                                          return buffer != nullptr && !buffer->symbol.empty();
                                        });
    if (!has_symbol) return;
    // Sizes are compared only with the problem that the kernel is compiled for.
    std::vector<ArgumentPlan> plans;
    if (is_configuration(kernel)) {
      plans = plan_arguments(m_spec, {kernel.sizes, kernel.config, m_device});
    }
    const std::string& whose =
        kernel.launches.empty() ? kernel.what : kernel.launches.front().named;
    for (const ArgumentMistake& mistake :
         match_variables(kernel.arguments, plans, elf_objects(result.cubin))) {
      const std::string& name = name_of(kernel.arguments[*mistake.index]);
      m_argument_mistakes.add(m_places.at({"args", name, "symbol"}), whose, mistake);
    }
  }

  void match(const CheckedKernel& kernel, const CheckedLaunch& launch,
             const CompileResult& compiled, const CompiledKernel& result) {
    if (!result.parameters) {
      const std::string note =
          "gtune cannot read the kernels' parameters from this NVRTC's output: arguments were not "
          "compared with them";
      if (std::find(m_out.notes.begin(), m_out.notes.end(), note) == m_out.notes.end()) {
        m_out.notes.push_back(note);
      }
      return;
    }
    const std::vector<ArgumentSpec> passed = passed_arguments(kernel, launch);
    const ParameterHints hints{parameter_names(kernel, launch),
                               is_on_host(kernel) ? types_on_host(passed, compiled)
                                                  : parameter_types(result.name).value_or(Types())};
    for (const ArgumentMistake& mistake : match_arguments(passed, *result.parameters, hints)) {
      const std::string place = place_of(kernel, launch, mistake);
      if (kernel.role == CheckedKernel::Role::baseline) {
        m_baseline_mistakes.push_back({place, launch.named, mistake});
      } else {
        m_argument_mistakes.add(place, launch.named, mistake);
      }
    }
  }

  /// Host compilers may have no half types, so any pointer takes their buffers.
  static Types types_on_host(const std::vector<ArgumentSpec>& passed,
                             const CompileResult& compiled) {
    Types types = host_parameter_types(compiled.cubin).value_or(Types());
    for (std::size_t i = 0; i < std::min(types.size(), passed.size()); ++i) {
      const auto* buffer = std::get_if<BufferSpec>(&passed[i]);
      const bool is_half = buffer != nullptr &&
                           (buffer->type == ElementType::f16 || buffer->type == ElementType::bf16);
      if (is_half) types[i].name.clear();
    }
    return types;
  }

  /// The arguments of a launch as they are compared with the kernel's parameters.
  static std::vector<ArgumentSpec> passed_arguments(const CheckedKernel& kernel,
                                                    const CheckedLaunch& launch) {
    std::vector<ArgumentSpec> passed;
    for (const std::size_t index : launch.arguments) {
      passed.push_back(kernel.arguments[index]);
      auto* buffer = std::get_if<BufferSpec>(&passed.back());
      if (buffer == nullptr) continue;
      buffer->passed = true;  // a step may name a buffer that is usually not passed
      // A compare entry, and one launch of several, may only read an output.
      const bool writes_all =
          kernel.launches.size() == 1 && kernel.role != CheckedKernel::Role::compare;
      if (!writes_all) buffer->direction = Direction::in;
    }
    return passed;
  }

  /// The names in the source's text; empty if it does not name all parameters.
  [[nodiscard]] std::vector<std::string> parameter_names(const CheckedKernel& kernel,
                                                         const CheckedLaunch& launch) {
    const std::string name = launch.named.substr(0, launch.named.find('<'));
    for (const OutlinedKernel& outlined : kernels_of(kernel.source)) {
      std::vector<std::string> names = outlined.argument_names();
      const bool all_named = std::find(names.begin(), names.end(), "") == names.end();
      if (outlined.name == name && all_named) return names;
    }
    return {};
  }

  [[nodiscard]] std::string place_of(const CheckedKernel& kernel, const CheckedLaunch& launch,
                                     const ArgumentMistake& mistake) const {
    if (!mistake.index && m_spec.steps.size() > 1) return launch.place;
    const std::size_t index = mistake.index ? launch.arguments[*mistake.index] : 0;
    switch (kernel.role) {
      case CheckedKernel::Role::reference:
        return m_places.reference_argument(index);
      case CheckedKernel::Role::compare:
        return kernel.place;
      case CheckedKernel::Role::baseline:
        return launch.place;
      case CheckedKernel::Role::configuration:
        break;
    }
    return m_places.argument(index);
  }

  const KernelSpec& m_spec;
  const CheckSettings& m_settings;
  const DeviceFacts& m_device;
  SpecPlaces m_places;
  SpecCheck& m_out;
  Config m_any_config;  // first values, for compile options that name parameters
  ArgumentMistakes m_argument_mistakes;
  struct OfBaseline {
    std::string at;
    std::string kernel;
    ArgumentMistake mistake;
  };
  std::vector<OfBaseline> m_baseline_mistakes;
  // Compiled configurations that cannot be launched, and why.
  std::vector<std::pair<Problem, std::string>> m_excluded;
  std::map<std::filesystem::path, std::vector<OutlinedKernel>> m_kernels;  // by source
  std::set<std::pair<std::string, std::string>> m_reported;                // places and mistakes
};

}  // namespace

SpecCheck check_spec(const std::filesystem::path& file,
                     std::span<const std::filesystem::path> kernel_folders,
                     const CheckSettings& settings, const CompileAll& compile_all) {
  SpecCheck out;
  out.file = file;
  out.arch = settings.arch;
  (void)typical_device(settings.arch);  // a mistake in the question, not in the spec
  const SpecReading reading = read_all_mistakes(read_spec_text(file), file, kernel_folders);
  for (const SpecMistake& mistake : reading.mistakes) {
    out.mistakes.push_back({mistake.place.in(file.string()), mistake.line, ""});
  }
  out.unread = reading.unread;
  if (!reading.spec) return out;
  Check check(*reading.spec, settings, out);
  try {
    check.run(compile_all);
  } catch (const UserError& error) {
    if (error.code() != ExitCode::usage) throw;
    check.complain("", error.what());
  }
  return out;
}

}  // namespace gtune
