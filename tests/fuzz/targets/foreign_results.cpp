// Files of other tuners, Kernel Tuner's cache and T4 results: read as a space and as rows to
// import.

#include <zlib.h>

#include <cstring>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "exchange/space_file.hpp"
#include "exchange/t4_results.hpp"
#include "model/error.hpp"
#include "model/foreign_json.hpp"

namespace gtune::fuzz {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class ForeignResultsTarget : public Target {
 public:
  /// Inputs that once brought readers down, too large for files.
  std::vector<std::string> seeds() override {
    constexpr std::size_t many = 300000;
    const std::string deep = std::string(many, '[') + std::string(many, ']');
    return {R"({"tune_params_keys":["a"],"cache":{"1":{"a":)" + deep + R"(,"time":1}}})",
            R"({"results":)" + deep + "}", gzipped(std::string(std::size_t{64} << 20, '['))};
  }

  void run(const std::string& input) override {
    import_t4(input);
    (void)read_space_file(m_folder.write("input.json", input));
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    if (one_in(30, random)) return mutate_bytes(gzipped(input), other, {}, random);
    if (one_in(30, random)) return input.substr(0, random.below(input.size() + 1));
    return mutate_json(input, other, random);
  }

 private:
  /// Converts to lines as db import does; the target json_lines imports such lines.
  static void import_t4(const std::string& input) {
    try {
      (void)t4_to_lines(parse_foreign_json(input, k_whole_file_bounds), "input.json",
                        {"gemm", "RTX 3090", {{"M", 4096}}});
    } catch (const nlohmann::json::parse_error&) {
    } catch (const std::invalid_argument& error) {
      check_message(error.what());
    } catch (const UserError& error) {
      check_message(error.what());
    }
  }

  ScratchFolder m_folder;
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<ForeignResultsTarget>(); }

}  // namespace gtune::fuzz
