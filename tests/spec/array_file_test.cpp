#include "spec/array_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "model/error.hpp"
#include "spec/matrix_market.hpp"
#include "spec/spec_file.hpp"

namespace gtune {
namespace {

std::string numpy_file(const std::string& header, const std::string& elements,
                       const std::string& version = std::string("\x01\x00", 2)) {
  std::string file = "\x93NUMPY" + version;
  for (std::size_t byte = 0; byte < (version[0] == 1 ? 2U : 4U); ++byte) {
    file += static_cast<char>(header.size() >> 8 * byte & 0xff);
  }
  return file + header + elements;
}

template <typename T>
std::string packed(const std::vector<T>& elements) {
  std::string bytes(elements.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> unpacked(const std::vector<std::byte>& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

class ArrayFile : public testing::Test {
 protected:
  std::string refusal(const std::string& name, const std::string& bytes, const std::string& part,
                      ElementType type, std::int64_t count) {
    try {
      (void)read_array(m_folder.write(name, bytes), part, type, count);
    } catch (const UserError& error) {
      const std::string line = error.what();
      return line.substr(line.find(name) + name.size() + 2);
    }
    return "no error";
  }

  TestFolder m_folder;
};

const std::string floats = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n";

TEST_F(ArrayFile, NumPyFilesAreRead) {
  const std::vector<float> right = {1, -2, 0.5};
  for (const std::string& version :
       {std::string("\x01\x00", 2), std::string("\x02\x00", 2), std::string("\x03\x00", 2)}) {
    const auto file = m_folder.write("x.npy", numpy_file(floats, packed(right), version));
    EXPECT_EQ(unpacked<float>(read_array(file, "", ElementType::f32, 3)), right);
  }
}

TEST_F(ArrayFile, RawFilesAreTheElements) {
  const auto file = m_folder.write("x.bin", packed(std::vector<std::int32_t>{7, 8}));
  EXPECT_EQ(unpacked<std::int32_t>(read_array(file, "", ElementType::i32, 2)),
            (std::vector<std::int32_t>{7, 8}));
}

TEST_F(ArrayFile, SaysWhatDoesNotFit) {
  const std::string elements = packed(std::vector<float>{1, 2, 3});
  const std::string file = numpy_file(floats, elements);
  EXPECT_EQ(refusal("x.npy", file, "", ElementType::f64, 3),
            "it holds '<f4', but the buffer has type f64");
  EXPECT_EQ(refusal("x.npy", file, "", ElementType::f32, 4),
            "it holds 3 elements of f32, but the buffer has 4");
  EXPECT_EQ(refusal("x.npy", "text", "", ElementType::f32, 1), "it is not an .npy file");
  EXPECT_EQ(refusal("x.npy", file + "!", "", ElementType::f32, 3),
            "its 13 bytes are no whole elements of f32");
  EXPECT_EQ(refusal("x.raw", "seven..", "", ElementType::f32, 1),
            "its 7 bytes are no whole elements of f32");
  EXPECT_EQ(refusal("x.npz", "PK\x03\x04", "", ElementType::f32, 1),
            "it is an archive; expected one array: .npy, or its elements alone");
  EXPECT_EQ(refusal("x.npy", file.substr(0, 30), "", ElementType::f32, 3), "it ends in its header");
  const std::string columns =
      numpy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1)}", elements);
  EXPECT_EQ(refusal("x.npy", columns, "", ElementType::f32, 3),
            "it is in Fortran order; save it in C order");
}

const char* const matrix =
    "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 4\n3 1 0.5\n1 1 2\n"
    "2 2 3\n3 3 -4e0\n";

TEST_F(ArrayFile, AMatrixBecomesCompressedRows) {
  const auto file = m_folder.write("m.mtx", matrix);
  EXPECT_EQ(unpacked<std::int32_t>(read_array(file, "row_offsets", ElementType::i32, 4)),
            (std::vector<std::int32_t>{0, 2, 3, 5}));
  EXPECT_EQ(unpacked<std::int64_t>(read_array(file, "columns", ElementType::i64, 5)),
            (std::vector<std::int64_t>{0, 2, 1, 0, 2}));
  EXPECT_EQ(unpacked<float>(read_array(file, "values", ElementType::f32, 5)),
            (std::vector<float>{2, 0.5, 3, 0.5, -4}));
}

TEST_F(ArrayFile, AValueThatDoesNotFitTheTypeIsRefused) {
  const auto refused = [&](const std::string& value, ElementType type) {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 ";
    return refusal("m.mtx", head + value + "\n", "values", type, 1);
  };
  const std::string why = "element 0 does not fit the type";
  EXPECT_EQ(refused("9223372036854775807", ElementType::i64), why);  // as a double it is one more
  EXPECT_EQ(refused("-9223372036854775808", ElementType::i64), "no error");
  EXPECT_EQ(refused("-9223372036854777000", ElementType::i64), why);
  EXPECT_EQ(refused("2147483648", ElementType::i32), why);
  EXPECT_EQ(refused("2147483647", ElementType::i32), "no error");
  EXPECT_EQ(refused("-1", ElementType::u32), why);
  EXPECT_EQ(refused("nan", ElementType::i32), why);
}

TEST_F(ArrayFile, SaysWhereAMatrixIsWrong) {
  const auto refused = [&](const std::string& text) {
    return refusal("m.mtx", text, "values", ElementType::f32, 1);
  };
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(refused("1 1 1\n"),
            "line 1: not a MatrixMarket coordinate matrix; expected '%%MatrixMarket matrix "
            "coordinate'");
  EXPECT_EQ(refused(head + "2 2 1\n3 1 1\n"), "line 3: index 3; expected 1 to 2");
  EXPECT_EQ(refused(head + "2 2 1\n1 x 1\n"), "line 3: 'x' is not a number");
  EXPECT_EQ(refused(head + "2 2 2\n1 1 1\n"), "line 3: it ends here; expected more");
  EXPECT_EQ(refused(head + "2 2 1\n1 1 1\n2 2 1\n"),
            "line 4: the size line says 1 entries, and there are more");
  EXPECT_EQ(refused(head + "2 2 1\n1 1 1 5\n"),
            "line 3: an entry is a row, a column and a value; expected no more");
  EXPECT_EQ(refused("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 5\n"),
            "line 3: an entry of a pattern is a row and a column; expected no more");
  EXPECT_EQ(refused("%%MATRIXMARKET MATRIX Coordinate REAL General\n2 2 1\n1 1 1\n\n"), "no error");
  EXPECT_EQ(refused(head + "2 2 99999999999\n"), "line 2: 99999999999 is out of range");
  EXPECT_EQ(refused(head + "200000000 2 1\n"), "line 2: 200000000 is out of range");
  for (const std::string symmetry : {"symmetric", "skew-symmetric"}) {
    EXPECT_EQ(refused("%%MatrixMarket matrix coordinate real " + symmetry + "\n1 2 1\n1 2 5\n"),
              "line 2: a symmetric matrix has as many rows as columns, not 1 and 2");
  }
  EXPECT_EQ(refused("%%MatrixMarket matrix coordinate complex general\n"),
            "line 1: field 'complex'; expected real, integer or pattern");
}

TEST_F(ArrayFile, ASpecNamesFilesFromItsFolder) {
  const TestFolder folder;
  folder.write("k.cu", "");
  folder.write("data/x.npy", numpy_file(floats, packed(std::vector<float>{1, 2, 3})));
  folder.write("y.bin", packed(std::vector<float>{4, 5, 6}));
  const auto spec_with = [&](const std::string& file) {
    std::string text = spec_text("BLOCK = [32]");
    text.replace(text.find("M = 4096"), 8, "M = 3");
    text.insert(text.find("[[args]]"),
                "[[args]]\nname = \"x\"\ntype = \"f32\"\ncount = \"M\"\n"
                "fill = { file = \"" +
                    file + "\" }\n");
    const std::size_t reference = text.find("reference = ");
    text.replace(reference, text.find('\n', reference) - reference,
                 "reference = { files = { A = \"y.bin\" } }");
    return read_spec(folder.write("k.toml", text), {});
  };
  const KernelSpec spec = spec_with("data/x.npy");
  EXPECT_TRUE(spec.check.has_results());
  EXPECT_EQ(spec.data_files().size(), 2U);
  EXPECT_THROW((void)spec_with("x.npy"), UserError);
}

}  // namespace
}  // namespace gtune
