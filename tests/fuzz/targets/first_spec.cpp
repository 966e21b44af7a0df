// A foreign CUDA source: outlined, and a first spec written for each of its kernels with the types
// that the text shows. The spec must be one that the reader understands.

#include "authoring/first_spec.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "authoring/cpp_types.hpp"
#include "authoring/kernel_facts.hpp"
#include "model/error.hpp"
#include "spec/spec_reader.hpp"
#include "spec/spec_text.hpp"

namespace gtune::fuzz {
namespace {

/// Separated by '|'.
constexpr std::string_view joined_words =
    "#if |#ifdef A\n|#ifndef BLOCK\n|#else\n|#elif A == 2\n|#endif\n|defined(A)|__CUDA_ARCH__"
    "|#define A 3\n|#define A A\n|#define F(x) x\n|#undef A\n|#include \"a.h\"\n"
    "|__global__ void |__device__ |__constant__ |extern __shared__ float s[];|__launch_bounds__("
    "|template <|template <int B, |template <class> class Op|typename T|int... N|bool FAST = true"
    "|namespace a {|namespace {|enum class Mode { x, y };|struct S { float* x; int n; };"
    "|typedef float real;|using T = |static constexpr int N = |const float*|float4|(*)(float)"
    "|cudaTextureObject_t t|cudaSurfaceObject_t t|CUtensorMap m|unsigned long long|char c"
    "|__restrict__|__grid_constant__|blockIdx.x|threadIdx.x|blockDim.x|gridDim.y|if (i < n)"
    "|for (int i = 0; i < n; ++i)|x[i] = |y[|<<<|>>>|<<<0, 0>>>(|dim3 grid(n / 32, 4);"
    "|cudaLaunchKernel((void*)k, |sizeof(T)|nullptr|dev_n|tex2D<float3>(t"
    "|0|-1|1 << 62|0x7fffffffffffffff|1e400f|1'000'000"
    "|\\\n|\"|'|R\"x(|/*|*/|//|(|)|{|}|<|>|[|]|,|;|=|::|*";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('|'), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// A mutated source may nest a hundred namespaces; no real name is as long.
constexpr std::size_t longest_name = 200;

class FirstSpecTarget : public Target {
 public:
  FirstSpecTarget() {
    m_folder.write("a.h",
                   "#ifndef A_H\n#define A_H\n#define A 2\n#ifndef TILE\n#define TILE 16\n#endif\n"
                   "struct P { int n; const float* x; };\n#include \"input.cu\"\n#endif\n");
  }

  std::vector<std::string> seeds() override {
    constexpr std::size_t many = 500;
    const auto repeated = [](const std::string& text) {
      std::string all;
      for (std::size_t i = 0; i < many; ++i) all += text;
      return all;
    };
    const std::string kernel = "__global__ void k(float* y, int n) { y[n] = 1; }\n";
    return {
        kernel,
        repeated("#if A\n") + kernel,
        repeated("template <") + kernel,
        repeated("namespace a { ") + kernel,
        "__global__ void k(float* y, int n) { y[" + repeated("(") + "n" + repeated(")") + "]; }",
        "#if " + repeated("!") + "A\n" + kernel + "#endif\n"};
  }

  void run(const std::string& input) override {
    // One kernel, since each reads the whole source again.
    const std::vector<OutlinedKernel> kernels = outline_source(input).kernels;
    KernelQuestion one{m_folder.write("input.cu", input), "", {}, "sm_90a"};
    if (kernels.size() > 1) {
      one.entry = kernels[std::hash<std::string>()(input) % kernels.size()].name;
    }
    draft(one, input);
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    if (one_in(3, random)) return mutate_lines(input, other, random);
    return mutate_bytes(std::move(input), other, m_words, random);
  }

 private:
  void draft(const KernelQuestion& question, const std::string& text) const {
    try {
      KernelFacts facts = facts_in_text(question, text);
      if (!is_plausible(facts.kernel)) return;
      for (const OutlinedArgument& argument : facts.kernel.arguments) {
        const SpelledType type = spelled_type(argument.type, facts.declared_types);
        facts.types.push_back(
            {is_word(type.name) ? type.name : "float", type.pointers, type.points_to_const});
      }
      (void)example_entry(facts);
      check_draft(first_spec(facts));
    } catch (const UserError& error) {
      check_message(error.what());
    }
  }

  /// Whether a compiler may accept its head: no name twice, none of a hundred namespaces.
  static bool is_plausible(const OutlinedKernel& kernel) {
    std::set<std::string> names;
    for (const OutlinedArgument& one : kernel.arguments) {
      if (!one.name.empty() && !names.insert(one.name).second) return false;
      if (one.name.size() > longest_name) return false;
    }
    for (const TemplateParameter& one : kernel.template_parameters) {
      if (!names.insert(one.name).second || one.name.size() > longest_name) return false;
    }
    return kernel.name.size() <= longest_name;
  }

  void check_draft(const std::string& draft) const {
    const auto file = m_folder.write("input.toml", draft);
    const SpecReading reading = read_all_mistakes(read_spec_text(file), file, {});
    for (const SpecMistake& mistake : reading.mistakes) {
      const std::string line = mistake.in("input.toml");
      check_message(line);
      // These are for the user to write: the members of a struct, the parts of a tensor map, and
      // what a kernel without an output, or without parameters, leaves to the spec.
      constexpr std::array<std::string_view, 4> todo = {
          "members", "'sizes' of", "no argument is an output", "no table [[args]]"};
      const bool is_todo = std::any_of(todo.begin(), todo.end(), [&](std::string_view part) {
        return line.find(part) != line.npos;
      });
      require(is_todo, "a draft with a mistake: " + line);
    }
  }

  const std::vector<std::string_view> m_words = split(joined_words);
  ScratchFolder m_folder;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<FirstSpecTarget>(); }

}  // namespace gtune::fuzz
