#include "system/hash.hpp"

#include <gtest/gtest.h>

namespace gtune {
namespace {

// The results of sha256sum. A database outlives the program, so the digest must never change.
TEST(HexDigest, IsTheStartOfSha256) {
  EXPECT_EQ(hex_digest(""), "e3b0c44298fc1c149afbf4c8996fb924");
  EXPECT_EQ(hex_digest("abc"), "ba7816bf8f01cfea414140de5dae2223");
}

TEST(HexDigest, PadsRightWhereABlockEnds) {
  // 55 bytes are the most that fit into a block with their length; 64 are a block.
  EXPECT_EQ(hex_digest(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9a");
  EXPECT_EQ(hex_digest(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f");
  EXPECT_EQ(hex_digest(std::string(63, 'a')), "7d3e74a05d7db15bce4ad9ec0658ea98");
  EXPECT_EQ(hex_digest(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209");
  EXPECT_EQ(hex_digest(std::string(119, 'a')), "31eba51c313a5c08226adf18d4a359cf");
  EXPECT_EQ(hex_digest(std::string(120, 'a')), "2f3d335432c70b580af0e8e1b3674a7c");
}

TEST(Hash, IsBase64ForAPolicy) {
  EXPECT_EQ(base64_digest(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(base64_digest("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

}  // namespace
}  // namespace gtune
