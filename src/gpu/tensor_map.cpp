#include "gpu/tensor_map.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cstring>
#include <string>

#include "gpu/driver_function.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= 64);

constexpr unsigned since_cuda = 12000;

decltype(&cuTensorMapEncodeTiled) encoder() {
  void* found = find_driver_function("cuTensorMapEncodeTiled", since_cuda);
  if (found == nullptr) {
    throw UserError(ExitCode::failed,
                    "this driver knows no tensor maps, which the kernel takes: it needs one for "
                    "CUDA 12 or later");
  }
  return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
}

CUtensorMapDataType data_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case ElementType::bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case ElementType::f32:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case ElementType::f64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case ElementType::i8:  // signedness does not matter to copies
    case ElementType::u8:
      return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    case ElementType::i16:
    case ElementType::u16:
      return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case ElementType::i32:
      return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case ElementType::u32:
      return CU_TENSOR_MAP_DATA_TYPE_UINT32;
    case ElementType::i64:
      return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case ElementType::u64:
      return CU_TENSOR_MAP_DATA_TYPE_UINT64;
  }
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

CUtensorMapSwizzle swizzle_mode(Swizzle swizzle) {
  constexpr std::array modes = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
  return modes.at(static_cast<std::size_t>(swizzle));
}

}  // namespace

TensorMap encode_tensor_map(const TensorMapPlan& plan, ElementType type, std::byte* buffer) {
  TensorMap map;
  if (plan.sizes.empty()) return map;
  std::array<cuuint64_t, most_tensor_dimensions> sizes{};
  std::array<cuuint64_t, most_tensor_dimensions> strides{};  // bytes
  std::array<cuuint32_t, most_tensor_dimensions> box{};
  std::array<cuuint32_t, most_tensor_dimensions> steps{};
  for (std::size_t i = 0; i < plan.sizes.size(); ++i) {
    sizes.at(i) = static_cast<cuuint64_t>(plan.sizes[i]);
    box.at(i) = static_cast<cuuint32_t>(plan.box[i]);
    steps.at(i) = 1;
    if (i > 0) strides.at(i - 1) = static_cast<cuuint64_t>(plan.strides[i - 1]) * size_of(type);
  }
  std::byte* const first = buffer + static_cast<std::size_t>(plan.offset) * size_of(type);
  const CUresult result =
      encoder()(reinterpret_cast<CUtensorMap*>(&map), data_type(type),
                static_cast<cuuint32_t>(plan.sizes.size()), first, sizes.data(), strides.data(),
                box.data(), steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_mode(plan.swizzle),
                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    throw UserError(ExitCode::failed, "the driver refuses the tensor map '" + plan.name +
                                          "' with error " + std::to_string(result));
  }
  return map;
}

}  // namespace gtune
