// A foreign spec: read, evaluated, and its space enumerated if it is small.

#include <array>
#include <optional>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "model/error.hpp"
#include "space/enumerate.hpp"
#include "spec/awkward_problems.hpp"
#include "spec/evaluate.hpp"
#include "spec/kernel_name.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/spec_reader.hpp"
#include "spec/spec_text.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::array<std::string_view, 84> words = {"[kernel]",
                                                    "\"32:1024:*2\"",
                                                    "[\"float\", \"half\"]",
                                                    "== 'half'",
                                                    "[false, true]",
                                                    "[problem]",
                                                    "[params]",
                                                    "[let]",
                                                    "[constraints]",
                                                    "[launch]",
                                                    "[[args]]",
                                                    "[check]",
                                                    "[work]",
                                                    "[[baselines]]",
                                                    "[variants]",
                                                    "source = ",
                                                    "entry = ",
                                                    "options = ",
                                                    "macros = ",
                                                    "name = ",
                                                    "help = ",
                                                    "default = ",
                                                    "choices = ",
                                                    "minimum = ",
                                                    "values = ",
                                                    "grid = ",
                                                    "block = ",
                                                    "shared = ",
                                                    "type = ",
                                                    "count = ",
                                                    "direction = ",
                                                    "\"f32\"",
                                                    "\"inout\"",
                                                    "\"out\"",
                                                    "fill = ",
                                                    "value = ",
                                                    "box = ",
                                                    "of = ",
                                                    "swizzle = ",
                                                    "sizes = ",
                                                    "strides = ",
                                                    "when = ",
                                                    "offset = ",
                                                    "rtol = ",
                                                    "atol = ",
                                                    "also = ",
                                                    "reference = ",
                                                    "flops = ",
                                                    "bytes = ",
                                                    "padded = ",
                                                    "params = ",
                                                    "[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    "\"\"\"",
                                                    "'''",
                                                    "\"",
                                                    "=",
                                                    ".",
                                                    "M",
                                                    "1 << 62",
                                                    "M / 0",
                                                    "registers",
                                                    "resident_blocks",
                                                    "inf",
                                                    "nan",
                                                    "1979-05-27",
                                                    "symbol = ",
                                                    "passed = false",
                                                    "type = \"texture\"",
                                                    "extent = ",
                                                    "type = \"struct\"",
                                                    "members = ",
                                                    "by_address = true",
                                                    "align = ",
                                                    "cooperative = true",
                                                    "cluster = ",
                                                    "carveout = ",
                                                    "each = ",
                                                    "where = ",
                                                    "may_differ = ",
                                                    "args = ",
                                                    "files = "};

constexpr double most_combinations = 20000;

DeviceFacts some_device() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.cc_major = 9;
  device.sm_count = 132;
  device.max_threads_per_block = 1024;
  device.max_threads_per_sm = 2048;
  device.max_blocks_per_sm = 32;
  device.registers_per_sm = 65536;
  device.registers_per_block = 65536;
  device.shared_per_block_optin = 232448;
  device.shared_per_sm = 233472;
  device.l2_bytes = 62914560;
  return device;
}

class SpecTarget : public Target {
 public:
  SpecTarget() {
    for (const char* source :
         {"copy.cu", "sgemm.cu", "transpose.cu", "sgemm_tf32x3.cu", "toy.cu", "faults.cu",
          "launches.cu", "memory.cu", "padded.cu", "partly.cu", "structs.cu", "data.cu"}) {
      m_folder.write(source, "// empty");
    }
    for (const char* variant : {"copy.toml", "sgemm.toml", "sgemm_tf32x3.toml"}) {
      m_folder.write(variant, "# another spec");
    }
  }

  /// Inputs that once brought readers down, too large for files.
  std::vector<std::string> seeds() override {
    constexpr std::size_t many = 300000;
    std::string parts = "[a";
    for (std::size_t i = 0; i < many; ++i) parts += ".a";
    return {parts + "]\n", "a = " + std::string(many, '[') + std::string(many, ']') + "\n",
            "[let]\na = \"" + std::string(many, '(') + "1" + std::string(many, ')') + "\"\n"};
  }

  void run(const std::string& input) override {
    const auto file = m_folder.write("input.toml", input);
    const std::optional<KernelSpec> read = read_and_check(file);
    if (!read) return;
    const KernelSpec& spec = *read;
    for (const Problem& problem : expand_problems(spec, {})) {
      for (const bool last : {false, true}) put_to_numbers(spec, problem, config_of(spec, last));
      double combinations = 1;
      for (const Parameter& param : spec.params) {
        combinations *= static_cast<double>(param.values.size());
      }
      if (combinations <= most_combinations) check_space(spec, problem);
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    switch (random.below(5)) {
      case 0:
        return mutate_lines(input, other, random);
      case 1:
        return with_other_value(std::move(input), random);
      case 2:
        return one_in(4, random) ? with_deep_value(std::move(input), random)
                                 : with_other_value(std::move(input), random);
      default:
        return mutate_bytes(std::move(input), other, words, random);
    }
  }

 private:
  /// The spec in the file; absent if reading it throws, and then it must have mistakes.
  static std::optional<KernelSpec> read_and_check(const std::filesystem::path& file) {
    std::optional<KernelSpec> spec;
    try {
      spec = read_spec(file, {});
    } catch (const UserError& error) {
      check_message(error.what());
    }
    check_all_mistakes(file, spec.has_value());
    return spec;
  }

  /// Reading all mistakes must find some exactly if reading the spec alone throws.
  static void check_all_mistakes(const std::filesystem::path& file, bool is_read) {
    SpecReading reading;
    try {
      reading = read_all_mistakes(read_spec_text(file), file, {});
    } catch (const UserError& error) {
      require(!is_read, "mistakes of a spec that has none");
      check_message(error.what());
      return;
    }
    require(reading.mistakes.empty() == is_read, "mistakes that depend on who reads");
    const bool may_be_there = is_read || reading.mistakes.size() == 1;  // the mistake in its name
    require(reading.spec.has_value() ? may_be_there : !is_read, "a spec with mistakes");
    const bool is_named = reading.spec && why_no_kernel_name(reading.spec->name).empty();
    require(!reading.spec || is_named == is_read, "a spec with another mistake than its name");
    for (const SpecMistake& mistake : reading.mistakes) check_message(mistake.in(file.string()));
  }

  static Config config_of(const KernelSpec& spec, bool last) {
    Config config;
    for (const Parameter& param : spec.params) {
      config.set(param.name, last ? param.values.back() : param.values.front());
    }
    return config;
  }

  /// `work` may refuse these numbers with a UserError, whose message is checked.
  template <typename Work>
  static void may_refuse(Work work) {
    try {
      work();
    } catch (const UserError& error) {
      check_message(error.what());
    }
  }

  void put_reference_to_numbers(const KernelSpec& spec, const Problem& problem,
                                const Config& any) const {
    if (!spec.check.reference) return;
    const Config config = reference_config(spec, any);
    const Case there{problem, config, m_device};
    may_refuse([&] { (void)plan_reference_steps(spec, there); });
    may_refuse([&] { (void)plan_reference_arguments(spec, there); });
    (void)find_reference_violation(spec, there);
  }

  void put_to_numbers(const KernelSpec& spec, const Problem& problem, const Config& config) const {
    const Case there{problem, config, m_device};
    may_refuse([&] { (void)plan_steps(spec, there); });
    ResourceUsage usage;
    usage.registers = 40;
    usage.blocks_per_sm = 3;
    may_refuse([&] {
      (void)plan_steps(spec, there, [&](const std::string&, const LaunchPlan&) { return usage; });
    });
    may_refuse([&] { (void)find_compiled_violation(spec, there, usage); });
    put_reference_to_numbers(spec, problem, config);
    may_refuse([&] { (void)plan_arguments(spec, there); });
    may_refuse([&] { (void)plan_output_checks(spec, problem, m_device); });
    may_refuse([&] { (void)work_flops(spec, problem); });
    may_refuse([&] { (void)work_bytes(spec, problem); });
    may_refuse([&] { (void)padded_work(spec, there); });
    may_refuse([&] { (void)entries_for(spec, spec.steps, there); });
    may_refuse([&] { (void)compile_options(spec, config); });
    may_refuse([&] { (void)stated_macros(spec, there); });
    may_refuse([&] { (void)awkward_problems(spec, there); });
    may_refuse([&] { (void)find_violation(spec, there); });
    for (const Baseline& baseline : spec.baselines) {
      may_refuse([&] { (void)plan_baseline_steps(spec, baseline, there); });
    }
  }

  void check_space(const KernelSpec& spec, const Problem& problem) const {
    may_refuse([&] {
      const Enumeration found = enumerate(spec, problem, m_device);
      std::uint64_t sum = found.space.size();
      for (const Exclusion& exclusion : found.excluded) sum += exclusion.combinations;
      require(sum == found.combinations, "an enumeration that loses configurations");
      if (found.space.size() == 0) return;
      const Config first = found.space.config(0);
      require(satisfies(spec, {problem, first, m_device}), "a configuration that is not valid");
    });
  }

  /// Replaces the text after an equals sign or a quotation mark.
  static std::string with_other_value(std::string input, Random& random) {
    std::size_t at = input.find(one_in(2, random) ? '=' : '"', random.below(input.size() + 1));
    if (at == input.npos) return input;
    const std::size_t end = input.find_first_of(one_in(2, random) ? "\"" : "\n,]}", ++at);
    const std::size_t count = end == input.npos ? 0 : end - at;
    const std::string text = one_in(3, random) ? hostile_text(random) : hostile_number(random);
    if (!one_in(3, random)) return input.replace(at, count, text);
    return input.replace(at, count, std::string(pick(words, random)));
  }

  static std::string with_deep_value(std::string input, Random& random) {
    static constexpr std::array<std::string_view, 5> opening = {"[", "{a=", "a.", "[[", "("};
    const std::string_view piece = pick(opening, random);
    std::string deep;
    for (std::size_t i = some_length(one_in(10, random) ? 100000 : 300, random); i > 0; --i) {
      deep += piece;
    }
    if (piece == "a.") deep = "\n[" + deep + "a]\n";
    return input.insert(random.below(input.size() + 1), deep);
  }

  ScratchFolder m_folder;
  DeviceFacts m_device = some_device();
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<SpecTarget>(); }

}  // namespace gtune::fuzz
