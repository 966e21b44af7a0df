#include "cli/open_cubin_cache.hpp"

#include <spdlog/spdlog.h>

namespace gtune {

std::unique_ptr<CubinCache> open_cubin_cache() {
  auto cache = std::make_unique<CubinCache>(CubinCacheOptions::from_environment());
  if (!cache->refusal().empty()) spdlog::info("note: {}", cache->refusal());
  return cache;
}

}  // namespace gtune
