// A foreign entry of the cubin cache with a valid digest: otherwise nothing after the digest would
// be read.

#include "jit/cache_entry.hpp"

#include <algorithm>
#include <span>

#include "../mutate.hpp"
#include "../scratch_folder.hpp"
#include "../target.hpp"
#include "jit/cubin_cache.hpp"
#include "jit/occupancy.hpp"
#include "jit/step_resources.hpp"
#include "spec/device_table.hpp"
#include "system/hash.hpp"

namespace gtune::fuzz {
namespace {

// See jit/cache_entry.cpp.
constexpr std::string_view first_line = "gtune cubin 3\n";
constexpr std::size_t content_at = first_line.size() + 32;
constexpr std::size_t header_at = content_at + 4;

class CacheEntryTarget : public Target {
 public:
  std::vector<std::string> seeds() override {
    CompileResult result;
    result.ok = true;
    result.kernels = {{"toy", "toy", {}}};
    result.kernels.front().resources.registers = 16;
    result.cubin.resize(64);
    const std::string entry = text_of(to_cache_entry(key, result));
    require(sealed(entry) == entry, "entries have another form now: change this target");
    return {entry};
  }

  void run(const std::string& input) override {
    const auto result = from_cache_entry(key, std::as_bytes(std::span(input)));
    if (result) check(*result);
    m_folder.write(hex_digest(key) + ".cubin", input);
    require(m_cache.find(key).has_value() == result.has_value(), "a cache with a mind of its own");
  }

  std::string mutate(std::string input, const std::string& other, Random& random) override {
    if (input.size() < header_at || one_in(4, random)) {
      return mutate_bytes(std::move(input), other, {}, random);
    }
    const std::size_t end = header_at + std::min(length_of(input), input.size() - header_at);
    const std::string header = mutate_json(input.substr(header_at, end - header_at), other, random);
    return sealed(std::string(content_at, ' ') + length_bytes(header.size()) + header +
                  input.substr(end));
  }

 private:
  static std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  static std::size_t length_of(const std::string& entry) {
    std::size_t length = 0;
    for (std::size_t i = 4; i > 0; --i) {
      length = length << 8 | static_cast<unsigned char>(entry[content_at + i - 1]);
    }
    return length;
  }

  static std::string length_bytes(std::size_t length) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
    return bytes;
  }

  static std::string sealed(const std::string& entry) {
    const std::string content = entry.substr(content_at);
    return std::string(first_line) + hex_digest(key + std::string(1, '\0') + content) + content;
  }

  /// Computes what the tuner computes from a result.
  void check(const CompileResult& result) const {
    const LaunchPlan launch{{1, 1, 1}, {128, 1, 1}, 0};
    for (const CompiledKernel& kernel : result.kernels) {
      (void)with_occupancy(kernel.resources, launch, m_device);
      (void)why_entry_cannot_launch(result, kernel.entry, launch, m_device);
    }
  }

  static constexpr const char* key = "0123456789abcdef0123456789abcdef";
  ScratchFolder m_folder;
  CubinCache m_cache{{m_folder.path(), std::uint64_t{1} << 30}};
  DeviceFacts m_device = typical_device("sm_90");
};

}  // namespace

std::unique_ptr<Target> make_target() { return std::make_unique<CacheEntryTarget>(); }

}  // namespace gtune::fuzz
