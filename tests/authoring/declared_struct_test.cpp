// Structs in source text get the compiler's layout.
#include "authoring/declared_struct.hpp"

#include <gtest/gtest.h>

#include "model/struct_layout.hpp"

namespace gtune::test {
namespace {

/// Defines a struct, and its text as NAME_text.
#define DEFINE_STRUCT(name, ...) \
  struct name __VA_ARGS__;       \
  constexpr const char* name##_text = "struct " #name " " #__VA_ARGS__ ";"

struct float4 {  // as CUDA defines it
  alignas(16) float x;
  float y, z, w;
};

DEFINE_STRUCT(Mixed, {
  char first;
  const float* x;
  int n, m;
  double scale;
  bool flag;
});
DEFINE_STRUCT(Wide, {
  int n;
  float4 colour;
  unsigned char last;
});
DEFINE_STRUCT(Arrays, {
  short size[3];
  long long pitch[2][2];
  int last = 3;
});

std::optional<DeclaredStruct> read(const std::string& name, const std::string& text,
                                   const NamedConstants& constants = {}) {
  return lay_out_struct(name, outline_types(source_tokens(text)), constants);
}

/// Bytes of a struct that a spec describes by these members.
std::size_t bytes_of_spec(const DeclaredStruct& declared) {
  std::vector<StructMember> members;
  for (const LaidMember& each : declared.members) {
    StructMember member;
    member.type = element_type_from_string(each.element.type);
    if (each.pointers > 0) member.of = "buffer";
    member.alignment = static_cast<std::int64_t>(each.alignment);
    members.push_back(member);
  }
  return layout_of(members).bytes;
}

template <typename T>
void expect_laid_out(const std::string& name, const std::string& text) {
  const auto declared = read(name, text);
  ASSERT_TRUE(declared) << text;
  EXPECT_EQ(declared->bytes, sizeof(T)) << text;
  EXPECT_EQ(declared->alignment, alignof(T)) << text;
  EXPECT_EQ(bytes_of_spec(*declared), sizeof(T)) << text;
}

TEST(DeclaredStruct, HasTheCompilersPadding) {
  expect_laid_out<Mixed>("Mixed", Mixed_text);
  expect_laid_out<Wide>("Wide", Wide_text);
  expect_laid_out<Arrays>("Arrays", Arrays_text);
  struct alignas(32) Aligned {
    int n;
    alignas(8) char c;
  };
  expect_laid_out<Aligned>("Aligned", "struct alignas(32) Aligned { int n; alignas(8) char c; };");
}

TEST(DeclaredStruct, AMemberOfAMemberLiesWhereItsStructDoes) {
  struct Inner {
    double d;
    int i;
  };
  struct Outer {
    int first;
    Inner inner[2];
    int behind;  // after the padding of inner[1]
  };
  const auto declared = read("Outer",
                             "struct Inner { double d; int i; }; struct Outer { int first; Inner "
                             "inner[2]; int behind; };");
  ASSERT_TRUE(declared);
  EXPECT_EQ(declared->bytes, sizeof(Outer));
  EXPECT_EQ(bytes_of_spec(*declared), sizeof(Outer));
  ASSERT_EQ(declared->members.size(), 6U);
  EXPECT_EQ(declared->members[1].name, "inner_0.d");
  EXPECT_EQ(declared->members[5].name, "behind");
  EXPECT_EQ(declared->members[5].alignment, 8U);  // at 4 it would lie in that padding
}

TEST(DeclaredStruct, MayBeATypedefHaveConstantsAndFunctions) {
  const auto declared = read("Params",
                             "using Row = const float*; typedef struct tag { Row x; uint32_t n; "
                             "half h[N + 1]; static const int other = 1; int twice() const { "
                             "return 2 * n; } } Params;",
                             {{"N", 2}});
  ASSERT_TRUE(declared);
  ASSERT_EQ(declared->members.size(), 5U);
  EXPECT_EQ(declared->members[0].pointers, 1);
  EXPECT_TRUE(declared->members[0].points_to_const);
  EXPECT_EQ(declared->members[1].element.type, "u32");
  EXPECT_EQ(declared->members[4].name, "h_2");
  EXPECT_EQ(declared->bytes, 24U);
}

TEST(DeclaredStruct, MayBeATemplate) {
  const std::string text =
      "template <class T, int N = 2> struct alignas(N * 4) Tensor { T* data; T part[N]; };\n"
      "template <template <class> class Op, class U> struct Outer { Tensor<U, 4> in; };\n"
      "template <typename T> struct Special { T a; };\n"
      "template <> struct Special<double> { float b; };\n";
  const auto declared = read("ns::Outer<Sum, const short>", text);
  ASSERT_TRUE(declared);
  EXPECT_EQ(declared->bytes, 16U);
  EXPECT_EQ(declared->members[0].name, "in.data");
  EXPECT_TRUE(declared->members[0].points_to_const);
  EXPECT_EQ(declared->members[1].element.type, "i16");
  EXPECT_EQ(read("Tensor<Tensor<int, 2>, (int)2>", text)->bytes, 40U);
  EXPECT_EQ(read("Tensor<float*, 2>", text)->members[1].pointers, 1);
  for (const char* name : {"Tensor<int>", "Tensor", "Special<double>", "Special<float>"}) {
    EXPECT_FALSE(read(name, text)) << name;
  }
}

TEST(DeclaredStruct, IsNotReadWhereItsLayoutIsNotSure) {
  for (const char* body :
       {"{ int a : 3; }", "{ Unknown a; }", ": Base { int a; }", "{ union { int a; float b; }; }",
        "{ int a[COUNT]; }", "{ int& a; }", "{ S again; }", "{ int a[1 << 40]; }"}) {
    EXPECT_FALSE(read("S", std::string("struct S ") + body + ";")) << body;
  }
  EXPECT_FALSE(read("S", "template <typename T> struct S { T a; };"));
}

}  // namespace
}  // namespace gtune::test
