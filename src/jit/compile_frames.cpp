#include "jit/compile_frames.hpp"

#include <span>

#include "model/json.hpp"
#include "model/possible_measurement.hpp"

namespace gtune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelParameter, bytes, alignment, is_struct, is_real)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompileRequest, source_name, folder, entries, options,
                                   header_lines, late_macros, nvcc, host_compiler, scratch,
                                   in_detail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompiledKernel, entry, name, resources, parameters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompileResult, ok, reason, kernels, compile_ms)

// The source is sent as bytes, since it need not be UTF-8.
Frame to_frame(const CompileRequest& request) {
  const auto bytes = std::as_bytes(std::span(request.source));
  return {nlohmann::json(request), {bytes.begin(), bytes.end()}};
}

Frame to_frame(const CompileResult& result) {
  nlohmann::json header = result;
  if (result.detail) header["log"] = result.detail->log;
  return {std::move(header), result.cubin};
}

CompileRequest compile_request_from(const Frame& frame) {
  try {
    auto request = frame.header.get<CompileRequest>();
    request.source.assign(reinterpret_cast<const char*>(frame.blob.data()), frame.blob.size());
    return request;
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, json_fault(error));
  }
}

CompileResult compile_result_from(Frame frame) {
  try {
    auto result = frame.header.get<CompileResult>();
    result.cubin = std::move(frame.blob);
    if (frame.header.contains("log")) {
      result.detail = CompileDetail{frame.header.at("log").get<std::string>()};
    }
    if (!result.ok && !result.kernels.empty()) {
      throw FrameError(FrameError::Kind::garbage, "a compile's kernels do not fit its success");
    }
    // A cache entry may be forged, and occupancy is computed from these values.
    for (const CompiledKernel& kernel : result.kernels) {
      if (const auto why = why_impossible(kernel.resources)) {
        throw FrameError(FrameError::Kind::garbage, "impossible resources: " + *why);
      }
    }
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, json_fault(error));
  }
}

}  // namespace gtune
