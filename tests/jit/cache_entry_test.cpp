#include "jit/cache_entry.hpp"

#include <gtest/gtest.h>

#include <random>

#include "system/hash.hpp"

namespace gtune {
namespace {

CompileResult some_result() {
  CompileResult result;
  result.ok = true;
  result.kernels = {{"scale", "_Z5scalePf", {}}};
  result.kernels.front().resources.registers = 40;
  result.cubin.assign(100, std::byte{7});
  return result;
}

/// An entry with any content and a valid digest.
std::vector<std::byte> entry_of(const std::string& key, const std::string& header,
                                std::size_t length) {
  std::string content;
  for (std::size_t i = 0; i < 4; ++i) content += static_cast<char>(length >> 8 * i & 0xff);
  content += header;
  const std::string entry = "gtune cubin 3\n" + hex_digest(key + '\0' + content) + content;
  const auto bytes = std::as_bytes(std::span(entry));
  return {bytes.begin(), bytes.end()};
}

TEST(CacheEntry, GivesBackTheResultForItsKeyAlone) {
  const auto entry = to_cache_entry("key", some_result());
  const auto result = from_cache_entry("key", entry);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->kernel().name, "_Z5scalePf");
  EXPECT_EQ(result->cubin, some_result().cubin);
  EXPECT_EQ(result->kernel().resources.registers, 40);
  EXPECT_FALSE(from_cache_entry("another", entry));
}

TEST(CacheEntry, EveryOtherByteOrLengthIsNoticed) {
  const auto entry = to_cache_entry("key", some_result());
  for (std::size_t i = 0; i < entry.size(); ++i) {
    auto changed = entry;
    changed[i] ^= std::byte{1};
    EXPECT_FALSE(from_cache_entry("key", changed)) << i;
    EXPECT_FALSE(from_cache_entry("key", std::span(entry).first(i))) << i;
  }
}

TEST(CacheEntry, WhatIsMalformedCountsAsAbsent) {
  constexpr std::size_t levels = 300'000;
  const std::string deep(levels, '[');
  for (const std::string& header :
       {std::string("5"), std::string("{}"), std::string("{\"digest\":5}"), std::string("\xff"),
        std::string(), deep, deep + std::string(levels, ']'),
        "{\"ok\":" + deep + std::string(levels, ']') + "}",
        "{\"a\":" + deep + std::string(levels, ']') + ",\"ok\":true}"}) {
    EXPECT_FALSE(from_cache_entry("key", entry_of("key", header, header.size())))
        << header.substr(0, 20);
    EXPECT_FALSE(from_cache_entry("key", entry_of("key", header, 0xffffffff)))
        << header.substr(0, 20);
  }
}

TEST(CacheEntry, NamesAreDigestsWithTheirEnding) {
  const std::string digits = "0123456789abcdef0123456789abcdef";
  EXPECT_TRUE(is_cache_entry_name(digits + ".cubin"));
  EXPECT_TRUE(is_cache_draft_name(digits + ".123.0.tmp"));
  for (const std::string& name :
       {std::string("thesis.pdf"), std::string("k.cubin"), digits, digits + ".cubin.bak",
        digits + "0.cubin", digits.substr(1) + ".cubin", "A" + digits.substr(1) + ".cubin",
        digits + ".tmp", digits + ".1.tmp", digits + ".1.2.3.tmp", digits + ".x.1.tmp",
        digits + "..1.tmp", std::string()}) {
    EXPECT_FALSE(is_cache_entry_name(name)) << name;
    EXPECT_FALSE(is_cache_draft_name(name)) << name;
  }
}

}  // namespace
}  // namespace gtune
