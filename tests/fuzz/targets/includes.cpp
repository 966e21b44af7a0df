// The scanner of includes on sources that no compiler would take.

#include <array>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "jit/include_scanner.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::array<std::string_view, 30> words = {"#include \"a.h\"\n",
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
                                                    ">"};

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
