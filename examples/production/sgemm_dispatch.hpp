#pragma once

#include <cuda_runtime.h>

#include "gtune_sgemm.hpp"

/// C = A * B, row-major, without padding: M x K, K x N, M x N, on the device.
struct Product {
  int M;
  int N;
  int K;
  const float* A;
  const float* B;
  float* C;
};

/// Facts of the current device, as the header asks for them.
gtune_sgemm::Device current_device();

/// The ints, zero before and after, that a chosen variant needs in `arrivals`.
long long arrivals_needed(const Product& product, const gtune_sgemm::Selection& chosen,
                          const gtune_sgemm::Device& device);

/// Starts the chosen variant. cudaErrorNotSupported where that instance was not compiled.
cudaError_t sgemm_with(const gtune_sgemm::Selection& chosen, const gtune_sgemm::Device& device,
                       const Product& product, int* arrivals, cudaStream_t stream);
