// The scanner of includes and the reader of macros, on sources that no compiler would accept.

#include <array>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "jit/include_scanner.hpp"
#include "jit/macro_overrides.hpp"
#include "spec/spec_reader.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::array<std::string_view, 37> words = {"#include \"a.h\"\n",
                                                    "#include <b.h>\n",
                                                    "%:include \"a.h\"",
                                                    "#include A",
                                                    "#define A \"a.h\"",
                                                    "/*",
                                                    "*/",
                                                    "//",
                                                    "\\\n",
                                                    "\\\r\n",
                                                    "\"",
                                                    "'",
                                                    "R\"(",
                                                    ")\"",
                                                    "R\"x(",
                                                    ")x\"",
                                                    "<::",
                                                    "%:",
                                                    "\?\?=",
                                                    "#if 0\n",
                                                    "#endif\n",
                                                    "__has_include(\"a.h\")",
                                                    "#pragma",
                                                    "#",
                                                    "import",
                                                    "#include_next <a.h>\n",
                                                    "#line 1 \"a.h\"\n",
                                                    "\n",
                                                    "<",
                                                    ">",
                                                    "#define A B(1)\n",
                                                    "#undef A\n",
                                                    "#ifndef A\n",
                                                    "#if defined(A) && A > B\n",
                                                    "#elif",
                                                    "#else\n",
                                                    "#pragma pop_macro(\"A\")\n"};

const std::string spec_text = R"toml([kernel]
source = "input.cu"
entry = "k"
macros = { A = "B" }
[problem]
n = 1
[params]
B = [1, 2]
[launch]
grid = [1]
block = [1]
[[args]]
name = "x"
type = "f32"
count = "n"
direction = "out"
[check]
reference = "none"
)toml";

class IncludesTarget : public Target {
 public:
  IncludesTarget() {
    m_folder.write("a.h", "#include \"b.h\"\n#include \"input.cu\"\n");
    m_folder.write("b.h", "#include \"a.h\"\n");
  }

  void run(const std::string& input) override {
    const auto source = m_folder.write("input.cu", input);
    const std::vector<std::string> options = lines_of(input);
    (void)scan_includes(source, include_search(source, options));
    (void)source_hash(source, options);
    (void)unknown_include_note(source, options);
    const KernelSpec spec = parse_spec(spec_text, source.parent_path() / "input.toml", {});
    (void)macro_overrides(spec, KernelSource(source), "sm_90a");
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_bytes(std::move(input), other, words, random);
  }

 private:
  ScratchFolder m_folder;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<IncludesTarget>(); }

}  // namespace gtune::fuzz
