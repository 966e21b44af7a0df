// Files of numbers, in the formats of NumPy and MatrixMarket.

#include <array>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "model/error.hpp"
#include "spec/array_file.hpp"

namespace gtune::fuzz {
namespace {

constexpr std::array<std::string_view, 16> words = {"\x93NUMPY",
                                                    "'descr': '<f4'",
                                                    "'shape': (2,)",
                                                    "'fortran_order': True",
                                                    "%%MatrixMarket",
                                                    "matrix",
                                                    "coordinate",
                                                    "pattern",
                                                    "skew-symmetric",
                                                    "general",
                                                    "1 1 1\n",
                                                    "-1",
                                                    "1e999",
                                                    "4294967297",
                                                    "%",
                                                    "\n"};

class ArraysTarget : public Target {
 public:
  std::vector<std::string> seeds() override {
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
    return {"\x93NUMPY" + std::string("\x01\x00", 2) + static_cast<char>(header.size()) + '\0' +
                header + "12345678",
            "%%MatrixMarket matrix coordinate real symmetric\n% it\n2 2 2\n1 1 3\n2 1 0.5\n"};
  }

  void run(const std::string& input) override {
    const auto numpy = m_folder.write("input.npy", input);
    const auto matrix_market = m_folder.write("input.mtx", input);
    for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i64}) {
      read(numpy, "", type);
      for (const char* part : {"row_offsets", "columns", "values"}) {
        read(matrix_market, part, type);
      }
    }
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    return mutate_bytes(std::move(input), other, words, random);
  }

 private:
  static void read(const std::filesystem::path& file, const char* part, ElementType type) {
    try {
      (void)read_array(file, part, type, 2);
    } catch (const UserError& error) {
      check_message(error.what());
    }
  }

  ScratchFolder m_folder;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<ArraysTarget>(); }

}  // namespace gtune::fuzz
