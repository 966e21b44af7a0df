#include <gtest/gtest.h>

#include <random>

#include "model/error.hpp"
#include "spec/evaluate.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

TEST(SpecCompiler, IsNvrtcUnlessTheSpecNamesNvcc) {
  const auto with = [](const std::string& line) {
    std::string text = spec_text("B = [1]\n");
    const std::string entry = "entry = \"k\"\n";
    return spec_of(text.replace(text.find(entry), entry.size(), entry + line)).compiler;
  };
  EXPECT_EQ(with(""), Compiler::nvrtc);
  EXPECT_EQ(with("compiler = \"nvrtc\"\n"), Compiler::nvrtc);
  EXPECT_EQ(with("compiler = \"nvcc\"\n"), Compiler::nvcc);
  try {
    (void)with("compiler = \"clang\"\n");
    FAIL() << "another compiler was taken";
  } catch (const UserError& error) {
    EXPECT_TRUE(std::string(error.what())
                    .ends_with(":4:12: 'compiler' of [kernel] is 'clang'; expected \"nvrtc\" or "
                               "\"nvcc\""))
        << error.what();
  }
}

/// A whole spec; every error test changes one part of it.
const std::string whole = R"toml([kernel]
source  = "k.cu"
entry   = "product<BM,BN>"
options = ["-DX={BM}"]
[problem]
M = { default = 4096, help = "rows" }
N = { default = "M/2" }
K = { default = "N", minimum = 0 }
[params]
BM = [32, 64]
BN = { values = [8, 16], help = "columns" }
STAGES = [1, 2]
[let]
threads = "(BM/8)*BN"
twice = "2*threads"
[constraints]
warps = "threads % 32 == 0"
smem = "shared_bytes <= dev_max_shared && threads_per_block <= dev_max_threads"
[launch]
grid = ["ceil_div(N, BN)", "ceil_div(M, BM)"]
block = ["threads"]
shared = "STAGES*BM*4"
[[args]]
name = "M"
type = "i32"
value = "M"
[[args]]
name = "alpha"
type = "f32"
value = 1.5
[[args]]
name = "A"
type = "f32"
count = "M*K"
fill = { uniform = [0.0, 2.0] }
[[args]]
name = "C"
type = "i32"
count = "M*N"
direction = "inout"
[[args]]
name = "scratch"
type = "f64"
count = "M*STAGES"
direction = "workspace"
[work]
flops = "2*M*N*K"
[check]
reference = { entry = "reference<16>", grid = ["M"], block = [16, 16] }
rtol = "1e-6*sqrt(K)"
atol = 1e-9
also = [ { M = 1, N = 1, K = 0 }, { M = "BM+1" } ]
[[baselines]]
name = "naive"
entry = "naive"
grid = ["M"]
block = [32]
[[baselines]]
name = "small"
params = { BM = 32 }
)toml";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = whole;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the spec");
  return text.replace(at, from.size(), to);
}

/// The error's line without the folder: "k.toml:3:1: ...".
std::string error_of(const std::string& text) {
  const TestFolder folder;
  folder.write("k.cu", "");
  const auto file = folder.write("k.toml", text);
  try {
    (void)read_spec(file, {});
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    const std::string line = error.what();
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(line.starts_with(folder.path().string() + "/")) << line;
    return line.substr(folder.path().string().size() + 1);
  }
  return "no error";
}

TEST(SpecReader, ReadsAWholeSpec) {
  const KernelSpec spec = spec_of(whole);
  EXPECT_EQ(spec.name, "k");
  EXPECT_EQ(spec.source.filename(), "k.cu");
  EXPECT_EQ(spec.steps.front().launch()->entry, "product<BM,BN>");
  ASSERT_EQ(spec.sizes.size(), 3U);
  EXPECT_EQ(spec.sizes[0].help, "rows");
  EXPECT_EQ(spec.sizes[0].minimum, 1);
  EXPECT_EQ(spec.sizes[2].minimum, 0);
  ASSERT_EQ(spec.params.size(), 3U);
  EXPECT_EQ(spec.params[0].name, "BM");  // in the file's order, not the alphabet's
  EXPECT_EQ(spec.params[2].name, "STAGES");
  EXPECT_EQ(spec.params[1].values, (std::vector<std::int64_t>{8, 16}));
  EXPECT_EQ(spec.params[1].help, "columns");
  EXPECT_EQ(spec.lets[1].expression.text(), "2*threads");
  EXPECT_EQ(spec.constraints[0].name, "warps");
  ASSERT_EQ(spec.args.size(), 5U);
  EXPECT_TRUE(spec.work.flops);
  EXPECT_FALSE(spec.work.bytes);
  ASSERT_EQ(spec.baselines.size(), 2U);
  EXPECT_EQ(only_launch(spec.baselines[0].steps)->launch.grid.size(), 1U);
  EXPECT_EQ(only_launch(spec.baselines[1].steps)->entry, only_launch(spec.steps)->entry);
  EXPECT_EQ(only_launch(spec.baselines[1].steps)->launch.grid.size(), 2U);
  EXPECT_EQ(spec.baselines[1].params.text(), "BM=32");
  EXPECT_EQ(spec.text, whole);
}

TEST(SpecReader, ATypeInAnEntryIsNoMisspeltParameter) {
  std::string text = whole;
  const std::string entry = "product<BM,BN>";
  text.replace(text.find(entry), entry.size(), "product<BM,BN,float,unsigned int>");
  text.replace(text.find("[let]"), 5, "flloat = [1]\nunsinged = [1]\n[let]");
  EXPECT_EQ(spec_of(text).steps.front().launch()->entry, "product<BM,BN,float,unsigned int>");
}

TEST(SpecReader, FillsByTypeAndDirection) {
  const KernelSpec spec = spec_of(changed("fill = { uniform = [0.0, 2.0] }", "fill = \"iota\""));
  EXPECT_EQ(std::get<BufferSpec>(spec.args[2]).fill.kind, FillKind::iota);
  EXPECT_EQ(std::get<BufferSpec>(spec.args[2]).direction, Direction::in);
  EXPECT_EQ(std::get<BufferSpec>(spec.args[3]).fill.high.text(), "100");
  const KernelSpec constant =
      spec_of(changed("fill = { uniform = [0.0, 2.0] }", "fill = { constant = 3 }"));
  EXPECT_EQ(std::get<BufferSpec>(constant.args[2]).fill.low.text(), "3");
}

TEST(SpecReader, LooksForTheSourceInTheKernelFolders) {
  const TestFolder folder;
  folder.write("kernels/k.cu", "");
  const auto file = folder.write("configs/k.toml", whole);
  const std::vector<std::filesystem::path> kernels = {folder.path() / "none",
                                                      folder.path() / "kernels"};
  EXPECT_EQ(read_spec(file, kernels).source, folder.path() / "kernels/k.cu");
  try {
    (void)read_spec(file, std::span(kernels).first(1));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()),
              file.string() + ":2:11: there is no source 'k.cu'; expected it in " +
                  (folder.path() / "configs").string() + ", " + kernels[0].string());
  }
}

TEST(SpecReader, TheBundledSpecsAreGood) {
  const std::filesystem::path root = GTUNE_SOURCE_DIR;
  const std::vector<std::filesystem::path> kernels = {root / "kernels"};
  for (const char* name : {"sgemm", "sgemm_tf32x3", "transpose", "copy"}) {
    const KernelSpec spec =
        read_spec(root / "tuner_configs" / (std::string(name) + ".toml"), kernels);
    EXPECT_EQ(spec.name, name);
    EXPECT_FALSE(spec.params.empty());
  }
}

TEST(SpecReader, AReferenceMayHaveAFileAndArgumentsOfItsOwn) {
  const KernelSpec usual = spec_of(whole);
  EXPECT_EQ(usual.sources().size(), 1U);
  EXPECT_EQ(usual.check.reference->args.size(), usual.args.size());

  const TestFolder folder;
  folder.write("k.cu", "");
  folder.write("right/r.cu", "");
  const KernelSpec spec = read_spec(
      folder.write("k.toml",
                   changed("reference = { ",
                           "reference = { source = \"right/r.cu\", args = [\"C\", { name = "
                           "\"rows\", type = \"i64\", value = \"2*M\" }, \"A\", { name = \"sums\", "
                           "type = \"f64\", count = \"N\", direction = \"workspace\" }], ")),
      {});
  EXPECT_EQ(spec.sources(), (std::vector<std::filesystem::path>{folder.path() / "k.cu",
                                                                folder.path() / "right/r.cu"}));
  const ReferenceSpec& reference = *spec.check.reference;
  EXPECT_EQ(only_launch(reference.steps)->entry, "reference<16>");
  ASSERT_EQ(reference.args.size(), 4U);
  EXPECT_EQ(std::get<BufferSpec>(reference.args[0]).direction, Direction::inout);
  EXPECT_EQ(std::get<ScalarSpec>(reference.args[1]).name, "rows");
  EXPECT_EQ(std::get<BufferSpec>(reference.args[2]).name, "A");
  EXPECT_EQ(std::get<BufferSpec>(reference.args[3]).direction, Direction::workspace);
}

struct Mistake {
  std::string from, to, error;
};

TEST(SpecReader, SaysWhatIsWrongWithAReference) {
  const auto with = [](const std::string& keys) {
    return changed("reference = { entry = \"reference<16>\", grid = [\"M\"], block = [16, 16] }",
                   "reference = { entry = \"r\", grid = [1], block = [32], " + keys + " }");
  };
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"arg = []", "49:54: unknown key 'arg' in 'reference'; did you mean 'args'?"},
      {"args = \"C\"", "49:61: 'args' of 'reference' is a string; expected an array"},
      {"args = [3]", "49:62: an entry of 'args' is an integer; expected a table"},
      {"args = [\"scratc\"]",
       "49:62: 'scratc' is not an argument of the kernel; did you mean 'scratch'?"},
      {"args = [\"beta_of_all\"]",
       "49:62: 'beta_of_all' is not an argument of the kernel; expected one's name, or a table for "
       "an "
       "argument that the reference alone has"},
      {"args = [\"A\"]",
       "49:61: the reference does not get 'C', which the kernel writes; expected every output "
       "among its 'args'"},
      {"args = [\"C\", \"scratch\"]",
       "49:67: the reference's argument 'scratch' depends on parameter 'STAGES'; expected only "
       "problem sizes and device facts"},
      {"args = [\"C\", { name = \"A\", type = \"i32\", value = 1 }]",
       "49:76: argument 'A' appears twice; expected another name"},
      {"args = [\"C\", { name = \"rows\", type = \"i32\", value = \"BM\" }]",
       "49:67: the reference's argument 'rows' depends on parameter 'BM'; expected only problem "
       "sizes and device facts"},
      {"args = [\"C\", { name = \"B\", type = \"f32\", count = \"M\" }]",
       "49:67: the reference's own argument 'B' is a buffer; expected a scalar, a struct, a "
       "workspace, or the "
       "name of one of the kernel's arguments"},
      {"source = 3", "49:63: 'source' of 'reference' is an integer; expected a string"},
      {"source = \"\"", "49:63: 'source' of 'reference' is empty; expected a file name"},
  };
  for (const auto& [keys, error] : mistakes) EXPECT_EQ(error_of(with(keys)), "k.toml:" + error);
  EXPECT_TRUE(error_of(with("source = \"none.cu\""))
                  .starts_with("k.toml:49:63: there is no source 'none.cu'; expected it in "));
}

TEST(SpecReader, SaysWhatIsWrongAndWhere) {
  const std::vector<Mistake> mistakes = {
      // keys and tables
      {"[constraints]", "[constrains]",
       "k.toml:16:2: unknown key 'constrains' in the spec; did you mean 'constraints'?"},
      {"entry   =", "entri   =",
       "k.toml:3:1: unknown key 'entri' in [kernel]; did you mean 'entry'?"},
      {"options =", "qqqqqqq =",
       "k.toml:4:1: unknown key 'qqqqqqq' in [kernel]; expected one of name, help, source, entry, "
       "compiler, options, macros"},
      // macros
      {"options = [\"-DX={BM}\"]", "macros = [1]",
       "k.toml:4:10: 'macros' of [kernel] is an array; expected a table"},
      {"options = [\"-DX={BM}\"]", "macros = { \"a-b\" = 1 }",
       "k.toml:4:12: macro 'a-b' is not a C identifier; expected letters, digits and '_' only"},
      {"options = [\"-DX={BM}\"]", "macros = { Y = 1.5 }",
       "k.toml:4:16: macro 'Y' is a float; expected an integer or a string with an expression"},
      {"options = [\"-DX={BM}\"]", "macros = { Y = 1, Z = \"M + Q\" }",
       "k.toml:4:28: in macro 'Z': unknown name 'Q'; expected one of BM, BN, K, M, N, STAGES, "
       "threads, twice"},
      {"options = [\"-DX={BM}\"]", "macros = { BM = \"M\" }",
       "k.toml:4:12: macro 'BM' has the name of a template argument of the entry; expected "
       "another"},
      {"options = [\"-DX={BM}\"]", "options = [\"-D\", \"X=1\"]\nmacros = { X = \"M\" }",
       "k.toml:5:12: macro 'X' is defined by the option '-DX=1' as well; expected one definition"},
      {"entry   = \"product<BM,BN>\"\n", "", "k.toml:1:1: [kernel] has no 'entry'"},
      {"help = \"rows\"", "minimun = 1",
       "k.toml:6:23: unknown key 'minimun' in problem size 'M'; did you mean 'minimum'?"},
      {"[launch]", "[work2]", "k.toml:19:2: unknown key 'work2' in the spec; did you mean 'work'?"},
      {"source  = \"k.cu\"", "source  = 3",
       "k.toml:2:11: 'source' of [kernel] is an integer; "
       "expected a string"},
      {"[work]\nflops", "work = 3\n#",
       "k.toml:46:1: unknown key 'work' in argument 'scratch'; "
       "expected one of name, type, count, direction, fill, symbol, passed, memory"},
      {"BM = [32, 64]", "BM = [32, 64]\nBM = [1]",
       "k.toml:11:6: Error while parsing key-value pair: cannot redefine existing array 'BM'"},
      {"BM = [32, 64]", "BM = [32, 64",
       "k.toml:11:1: Error while parsing array: expected comma or closing ']', saw 'B'"},
      // names
      {"BM = [32, 64]", "B-M = [32, 64]",
       "k.toml:10:1: parameter 'B-M' is not a C identifier; "
       "expected letters, digits and '_' only"},
      {"STAGES = [1, 2]", "K = [1, 2]",
       "k.toml:12:1: parameter 'K' has the name of problem size "
       "'K'; expected another name"},
      {"STAGES = [1, 2]", "k = [1, 2]",
       "k.toml:12:1: parameter 'k' has the name of problem size "
       "'K'; expected another name"},
      {"twice =", "BM =",
       "k.toml:15:1: let 'BM' has the name of parameter 'BM'; expected another "
       "name"},
      {"twice =", "dev_x =", "k.toml:15:1: 'dev_x' is reserved; expected another name for the let"},
      {"twice =", "shared_bytes =",
       "k.toml:15:1: 'shared_bytes' is reserved; expected another name for the let"},
      {"twice =", "min =",
       "k.toml:15:1: 'min' is a function of expressions; expected another name for the let"},
      {"warps =", "launch =",
       "k.toml:17:1: 'launch' is reserved; expected another name for the constraint"},
      {"name = \"alpha\"", "name = \"M\"",
       "k.toml:28:8: argument 'M' appears twice; expected "
       "another name"},
      // values
      {"[32, 64]", "[]", "k.toml:10:6: parameter 'BM' has no values; expected at least one"},
      {"[32, 64]", "[32, 64, 32]",
       "k.toml:10:15: parameter 'BM' has the value 32 twice; expected it once"},
      {"[32, 64]", "[32, 6.5]",
       "k.toml:10:11: a value of parameter 'BM' is a float; expected an integer"},
      {"[32, 64]", "1979-05-27", "k.toml:10:6: parameter 'BM' is a date; expected an array"},
      {"[32, 64]", "[\"a\", 1]",
       "k.toml:10:12: a value of parameter 'BM' is an integer; expected a string"},
      {"[32, 64]", "[[1]]",
       "k.toml:10:7: a value of parameter 'BM' is an array; expected an integer"},
      {"[32, 64]", "[\"12\"]",
       "k.toml:10:7: a value of parameter 'BM' is the string \"12\"; expected an integer, without "
       "quotes"},
      {"[32, 64]", "[small, large]",
       "k.toml:10:7: Error while parsing value: could not determine value type; texts and "
       "expressions stand in quotes"},
      {"[32, 64]", "[nan]",
       "k.toml:10:7: a value of parameter 'BM' is not finite; expected a number"},
      {"[32, 64]", "[\"float\", \"float\"]",
       "k.toml:10:16: parameter 'BM' has the value float twice; expected it once"},
      {"[32, 64]", "[4611686018427387904]",
       "k.toml:10:7: a value of parameter 'BM' is too large; expected less than "
       "4611686018427387904"},
      {"[32, 64]", "[true, 1]",
       "k.toml:10:13: a value of parameter 'BM' is an integer; expected a boolean"},
      {"[32, 64]", "\"64:32\"",
       "k.toml:10:6: parameter 'BM': '64:32' runs backwards; expected the smaller value first"},
      {"[32, 64]", "\"32:x\"",
       "k.toml:10:6: parameter 'BM': 'x' is not a whole number; expected a value"},
      {"[32, 64]", "\"half\"",
       "k.toml:10:6: parameter 'BM' is \"half\"; expected integers, as in \"32,64\" or "
       "\"32:256:*2\", "
       "or words in a list, as in [\"half\", \"float\"]"},
      {"[32, 64]", "{ values = [32, 64], when = \"BM == 1\" }",
       "k.toml:10:35: in 'when' of parameter 'BM': 'BM' cannot be used here; expected only names "
       "declared before"},
      {"[32, 64]", "{ values = [32, 64], when = \"M == 1\" }",
       "k.toml:10:34: 'when' of parameter 'BM' depends on 'M'; expected only parameters before it"},
      {"[32, 64]", "{ values = [32, 64], when = 1 }",
       "k.toml:10:34: 'when' of parameter 'BM' is an integer; expected a string"},
      {"[32, 64]", "{ values = [32, 64], wen = \"1\" }",
       "k.toml:10:27: unknown key 'wen' in parameter 'BM'; did you mean 'when'?"},
      {"default = 4096", "default = 0",
       "k.toml:6:17: the default of problem size 'M' is 0; expected 1 to 1099511627776"},
      {"default = 4096", "default = true",
       "k.toml:6:17: the default of problem size 'M' is a boolean; expected an integer or "
       "a string with an expression"},
      {"product<BM,BN>", "product<BM,BNN>",
       "k.toml:3:11: 'BNN' in the entry is not a parameter, size or let; did you mean 'BN'?"},
      {"minimum = 0", "minimum = 0, choices = [0, 1]",
       "k.toml:8:32: 'minimum' cannot be combined with 'choices'; expected one of them"},
      {"minimum = 0", "minimum = 3, maximum = 2",
       "k.toml:8:5: 'minimum' is 3, 'maximum' 2; expected the lower one first"},
      {"minimum = 0", "minimum = -1", "k.toml:8:32: 'minimum' is negative; expected 0 or more"},
      {"-DX={BM}", "-DX={BX}",
       "k.toml:4:17: '{BX}' names no parameter; expected a parameter in braces"},
      {"product<BM,BN>", "product<BM",
       "k.toml:3:11: 'entry' of [kernel] is 'product<BM'; expected a kernel's name, as in "
       "\"sgemm\" or \"sgemm<BM,BN>\""},
      // expressions
      {"threads % 32 == 0", "threads % 32 = 0",
       "k.toml:17:23: in constraint 'warps': '=' assigns in C; write '=='"},
      {"threads % 32 == 0", "thread % 32 == 0",
       "k.toml:17:10: in constraint 'warps': unknown name 'thread'; did you mean 'threads'?"},
      {"dev_max_shared", "dev_max_shard",
       "k.toml:18:25: in constraint 'smem': unknown name 'dev_max_shard'; did you mean "
       "'dev_max_shared'?"},
      {"\"M/2\"", "\"K\"",
       "k.toml:7:18: in the default of problem size 'N': 'K' cannot be used "
       "here; expected only names declared before"},
      {"(BM/8)*BN", "twice",
       "k.toml:14:12: in let 'threads': 'twice' cannot be used here; "
       "expected only names declared before"},
      {"\"STAGES*BM*4\"", "\"shared_bytes\"",
       "k.toml:22:11: in 'shared' of [launch]: unknown name 'shared_bytes'; expected one of BM, "
       "BN, K, M, N, STAGES, threads, twice"},
      {"\"2*threads\"", "'''\n2 *\n threads +'''",
       "k.toml:17:11: in let 'twice': the expression "
       "ends here; expected a number, a name or '('"},
      // launch
      {"block = [\"threads\"]", "block = \"threads\"",
       "k.toml:21:9: 'block' of [launch] is a string; expected an array, as in [\"threads\"]"},
      {"block = [\"threads\"]", "block = []",
       "k.toml:21:9: 'block' of [launch] has 0 dimensions; expected 1 to 3"},
      {"block = [\"threads\"]", "block = [0]",
       "k.toml:21:10: 'block' of [launch] has a dimension of 0; expected 1 or more"},
      {"block = [\"threads\"]\n", "", "k.toml:19:1: [launch] has no 'block'"},
      {"\"STAGES*BM*4\"", "-4",
       "k.toml:22:10: 'shared' of [launch] is negative; expected 0 or more"},
      // arguments
      {"type = \"i32\"\nvalue", "type = \"int\"\nvalue",
       "k.toml:25:8: 'type' of argument 'M' is 'int'; did you mean 'i32'?"},
      {"type = \"i32\"\nvalue", "type = \"I33\"\nvalue",
       "k.toml:25:8: 'type' of argument 'M' is 'I33'; did you mean 'i32'?"},
      {"type = \"i32\"\nvalue", "type = \"complex\"\nvalue",
       "k.toml:25:8: 'type' of argument 'M' is 'complex'; expected f16, bf16, f32, f64, i8, u8, "
       "i16, u16, i32, u32, i64, u64"},
      {"direction = \"inout\"", "direction = \"io\"",
       "k.toml:40:13: 'direction' of argument 'C' is "
       "'io'; expected in, out, inout or workspace"},
      {"count = \"M*N\"\n", "",
       "k.toml:36:1: argument 'C' has neither 'count' nor 'value'; "
       "expected 'count' for a buffer, 'value' for a scalar"},
      {"count = \"M*N\"", "count = \"M*BM\"",
       "k.toml:48:1: the size of output 'C' depends on parameter 'BM'; expected 'count' in "
       "[check.outputs.C], how much of it is compared"},
      {"{ uniform = [0.0, 2.0] }", "\"random\"",
       "k.toml:35:8: unknown 'fill' of argument 'A' 'random'; expected { uniform = [low, high] }, "
       "{ normal = [mean, deviation] }, { constant = value }, { offsets = total }, { each = "
       "\"expression of i\" }, { copy = \"buffer\" }, { file = \"x.npy\" }, \"iota\" or "
       "\"permutation\""},
      {"[0.0, 2.0]", "[2.0, 0.0]",
       "k.toml:35:20: 'uniform' of 'fill' of argument 'A' is empty; "
       "expected the lower number first"},
      {"[0.0, 2.0]", "[0.0, nan]",
       "k.toml:35:26: 'uniform' of 'fill' of argument 'A' is not finite; expected a number"},
      {"direction = \"workspace\"", "direction = \"workspace\"\nfill = \"iota\"",
       "k.toml:46:8: argument 'scratch' has a 'fill'; expected one only for in and inout"},
      {"value = \"M\"", "value = 1.5",
       "k.toml:26:9: 'value' of argument 'M' is a float; expected an integer or a string with an "
       "expression"},
      // work and check
      {"\"2*M*N*K\"", "\"2*M*BM\"",
       "k.toml:47:9: 'flops' of [work] depends on 'BM'; expected an expression of problem sizes"},
      {"\"2*M*N*K\"", "\"2*M%N\"", "k.toml:47:13: in 'flops' of [work]: '%' is for integers only"},
      {"grid = [\"M\"], block = [16, 16] }", "grid = [\"M\"] }",
       "k.toml:49:13: 'reference' has no 'block'"},
      {"entry = \"reference<16>\", ", "", "k.toml:49:13: 'reference' has no 'entry'"},
      {"grid = [\"M\"], block", "grid = [\"BM\"], block",
       "k.toml:49:48: 'grid' of 'reference' depends on 'BM'; expected an expression of problem "
       "sizes and device facts"},
      {"\"1e-6*sqrt(K)\"", "-1.0",
       "k.toml:50:8: 'rtol' is negative or not a number; expected 0 or "
       "more"},
      {"\"1e-6*sqrt(K)\"", "\"1e-6*BM\"",
       "k.toml:50:8: 'rtol' depends on 'BM'; expected an "
       "expression of problem sizes"},
      {"{ M = 1, N", "{ L = 1, N", "k.toml:52:12: 'L' is not a problem size"},
      {"{ M = 1, N", "{ M = 0, N",
       "k.toml:52:16: 'M' of an awkward problem is 0; expected 1 to "
       "1099511627776"},
      {"\"BM+1\"", "\"N+1\"",
       "k.toml:52:41: 'M' of an awkward problem depends on 'N'; expected "
       "only sizes before it, parameters and device facts"},
      // baselines
      {"params = { BM = 32 }", "params = { BX = 32 }",
       "k.toml:60:12: 'BX' is not a parameter; did you mean 'BM'?"},
      {"params = { BM = 32 }", "",
       "k.toml:58:1: baseline 'small' has neither 'entry' nor 'params'; expected another entry of "
       "the source, or a configuration of the tuned kernel"},
      {"name = \"small\"", "name = \"naive\"",
       "k.toml:58:1: baseline 'naive' appears twice; expected another name"},
      {"grid = [\"M\"]\nblock = [32]", "grid = [\"M\"]",
       "k.toml:53:1: baseline 'naive' has no 'block'"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(error_of(changed(mistake.from, mistake.to)), mistake.error);
  }
}

TEST(SpecReader, NamesMissingTables) {
  EXPECT_EQ(error_of(""), "k.toml:1:1: the spec has no table [kernel]; expected one");
  EXPECT_EQ(error_of(whole.substr(0, whole.find("[check]"))),
            "k.toml:1:1: the spec has no table [check]; expected one");
  EXPECT_EQ(error_of("kernel = 3"), "k.toml:1:10: 'kernel' is an integer; expected a table");
}

TEST(SpecReader, DamagedSpecsAreErrorsOfOneLine) {
  std::mt19937 random(5);
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  int errors = 0;
  for (int i = 0; i < 300; ++i) {
    std::string text = whole;
    const std::size_t at = pick(text.size());
    if (i % 3 == 0) text.resize(at);
    if (i % 3 == 1) text.erase(at, 1 + pick(20));
    if (i % 3 == 2) text.insert(at, text.substr(pick(text.size()), 1 + pick(8)));
    const std::string error = error_of(text);  // also checks the line's form
    errors += error == "no error" ? 0 : 1;
  }
  EXPECT_GT(errors, 150);
}

TEST(SpecReader, ReportsFilesThatCannotBeRead) {
  const TestFolder folder;
  EXPECT_THROW((void)read_spec(folder.path(), {}), UserError);
  EXPECT_THROW((void)read_spec(folder.path() / "none.toml", {}), UserError);
  EXPECT_TRUE(error_of(std::string("\xff\xfe\x00 garbage", 12)).starts_with("k.toml:1:"));
}

}  // namespace
}  // namespace gtune
