// An entry of the cubin cache that somebody else wrote.

#include "../frames.hpp"
#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "jit/cubin_cache.hpp"
#include "model/hash.hpp"

namespace gtune::fuzz {
namespace {

class CacheEntryTarget : public Target {
 public:
  std::vector<std::string> seeds() override {
    CompileResult result;
    result.ok = true;
    result.kernel_name = "toy";
    result.resources.registers = 16;
    result.cubin.resize(64);
    m_cache.store(key, result);
    std::ifstream in(m_file, std::ios::binary);
    return {{std::istreambuf_iterator<char>(in), {}}};
  }

  void run(const std::string& input) override {
    std::ofstream(m_file, std::ios::binary) << input;
    const auto found = m_cache.find(key);
    require(!found || found->from_cache, "an entry that is not from the cache");
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    input = mutate_frames(input, other, random);
    return one_in(2, random) ? sealed(input) : input;
  }

 private:
  /// With a digest that is right: else nothing behind the digest would ever be read.
  static std::string sealed(const std::string& input) {
    std::string rest;
    std::vector<RawFrame> frames = split_frames(input, rest);
    if (frames.empty()) return input;
    nlohmann::json header = nlohmann::json::parse(frames.front().header, nullptr, false);
    if (!header.is_object()) return input;
    header.erase("digest");
    header["digest"] = hex_digest(header.dump() + frames.front().blob);
    frames.front().header = header.dump();
    return join_frames(frames) + rest;
  }

  static constexpr const char* key = "0123456789abcdef0123456789abcdef";
  ScratchFolder m_folder;
  CubinCache m_cache{{m_folder.path(), std::uint64_t{1} << 30}};
  std::filesystem::path m_file = m_folder.path() / (std::string(key) + ".cubin");
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<CacheEntryTarget>(); }

}  // namespace gtune::fuzz
