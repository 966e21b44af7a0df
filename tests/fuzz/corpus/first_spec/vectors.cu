// Arguments of many types: float4, cuComplex, bfloat16, uint8_t, char3, dim3, arrays in structs.
#include <cuComplex.h>
#include <cuda_bf16.h>

#include <cstdint>

typedef struct {
  float m[3][4];
  float3 origin;
  uint8_t flags;
  bool inverted;
} transform_t;

struct Dims {
  int nx, ny, nz;
  __host__ __device__ int volume() const { return nx * ny * nz; }
};

__global__ void warp_volume(float4 *__restrict__ points, cuFloatComplex *spectrum,
                            const __nv_bfloat16 *weights, const uint8_t *const labels, uchar3 color,
                            const Dims dims, const transform_t tf, cuDoubleComplex phase,
                            const char16_t *text, size_t pitch, bool wrap = true) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  if (x >= dims.nx || y >= dims.ny || z >= dims.nz) return;
  const int at = (z * dims.ny + y) * dims.nx + x;
  float4 p = points[at];
  p.x = tf.m[0][0] * p.x + tf.m[0][1] * p.y + tf.m[0][2] * p.z + tf.m[0][3] + color.x;
  p.w = __bfloat162float(weights[at]) * labels[at];
  points[at] = p;
  spectrum[at] = make_cuFloatComplex(p.x, cuCimag(phase) + pitch + text[0]);
}
