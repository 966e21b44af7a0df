#include "system/hash.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace gtune {
namespace {

// SHA-256 (FIPS 180-4).
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;
constexpr std::size_t block_bytes = 64;

std::array<std::uint32_t, 64> message_schedule(std::string_view block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < block_bytes; ++i) {
    words[i / 4] = words[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  }
  for (std::size_t i = 16; i < words.size(); ++i) {
    const std::uint32_t early = words[i - 15];
    const std::uint32_t late = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3U) +
               words[i - 7] + (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10U);
  }
  return words;
}

void add_block(State& state, std::string_view block) {
  const auto words = message_schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                choice + round_constants[i] + words[i];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

State sha256(std::string_view bytes) {
  State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  while (bytes.size() >= block_bytes) {
    add_block(state, bytes.substr(0, block_bytes));
    bytes.remove_prefix(block_bytes);
  }
  std::string last(bytes);
  last += '\x80';
  while (last.size() % block_bytes != block_bytes - 8) last += '\0';
  for (unsigned shift = 64; shift > 0; shift -= 8) {
    last += static_cast<char>(bits >> (shift - 8) & 0xffU);
  }
  for (std::size_t at = 0; at < last.size(); at += block_bytes) {
    add_block(state, std::string_view(last).substr(at, block_bytes));
  }
  return state;
}

}  // namespace

std::string hex_digest(std::string_view bytes) {
  const State state = sha256(bytes);
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::size_t kept = 32;  // hex digits
  std::string out;
  for (std::size_t i = 0; i < kept; ++i) {
    out += digits[state[i / 8] >> (28 - 4 * (i % 8)) & 0xfU];
  }
  return out;
}

std::string base64_digest(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t digest_bits = 256;
  const State state = sha256(bytes);
  const auto bit = [&](std::size_t at) {
    return at < digest_bits ? state[at / 32] >> (31 - at % 32) & 1U : 0U;
  };
  std::string out;
  for (std::size_t at = 0; at < digest_bits; at += 6) {
    unsigned digit = 0;
    for (std::size_t i = 0; i < 6; ++i) digit = digit << 1U | bit(at + i);
    out += digits[digit];
  }
  return out + '=';  // 43 digits
}

}  // namespace gtune
