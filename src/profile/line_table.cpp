#include "profile/line_table.hpp"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

namespace gtune {
namespace {

/// Takes a text that CUPTI allocated.
std::string taken(char* text) {
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  return text == nullptr ? "" : text;
}

}  // namespace

SourceLine LineTable::line_of(const std::string& function, std::uint64_t offset) const {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = m_cubin.data();
  params.cubinSize = m_cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = offset;
  const CUptiResult result = m_cupti.line_of_sass(&params);
  const std::filesystem::path folder = taken(params.dirName);
  const std::string file = taken(params.fileName);
  if (result != CUPTI_SUCCESS || file.empty() || !std::in_range<int>(params.lineNumber)) return {};
  return {(folder / file).lexically_normal().string(), static_cast<int>(params.lineNumber)};
}

}  // namespace gtune
