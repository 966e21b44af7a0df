#include "jit/compile_frames.hpp"

#include "model/json.hpp"

namespace gtune {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompileRequest, source, source_name, entry, options)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CompileResult, ok, reason, kernel_name, resources, compile_ms)

Frame to_frame(const CompileRequest& request) { return {nlohmann::json(request), {}}; }

Frame to_frame(const CompileResult& result) { return {nlohmann::json(result), result.cubin}; }

CompileRequest compile_request_from(const Frame& frame) {
  try {
    return frame.header.get<CompileRequest>();
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, error.what());
  }
}

CompileResult compile_result_from(Frame frame) {
  try {
    auto result = frame.header.get<CompileResult>();
    result.cubin = std::move(frame.blob);
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw FrameError(FrameError::Kind::garbage, error.what());
  }
}

}  // namespace gtune
