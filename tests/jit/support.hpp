#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jit/compile_pool.hpp"
#include "jit/compile_request.hpp"
#include "jit/kernel_request.hpp"
#include "support/environment_variable.hpp"
#include "support/temporary_folder.hpp"

namespace gtune::test {

inline const std::string arch = "sm_90a";

inline const std::string scale_source =
    "extern \"C\" __global__ void scale(float* data) { data[threadIdx.x] *= FACTOR; }\n";

/// A small kernel; `factor` makes it a different one.
inline KernelRequest scale_request(int factor) {
  return KernelSource(scale_source, "scale.cu")
      .request({"scale"}, {"-DFACTOR=" + std::to_string(factor)}, arch);
}

inline CompileRequest request_for(const std::string& source, const std::string& entry,
                                  const std::string& target = arch) {
  return KernelSource(source, "test.cu").request({entry}, {}, target).compile;
}

inline std::vector<std::string> compiler_command() { return {"/proc/self/exe", "compiler"}; }

inline CompileResult compile_one(CompilePool& pool, KernelRequest request) {
  const std::uint64_t ticket = pool.submit(std::move(request));
  auto finished = pool.wait_next(std::chrono::seconds(60));
  if (!finished) {
    ADD_FAILURE() << "no result came";
    return {};
  }
  EXPECT_EQ(finished->ticket, ticket);
  return std::move(finished->result);
}

inline bool is_elf(const std::vector<std::byte>& cubin) {
  constexpr std::string_view magic =
      "\x7f"
      "ELF";
  return cubin.size() > magic.size() &&
         std::equal(magic.begin(), magic.end(), cubin.begin(),
                    [](char a, std::byte b) { return std::byte(a) == b; });
}

}  // namespace gtune::test
