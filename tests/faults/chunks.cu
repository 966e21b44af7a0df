// Squares of numbers that a spec copies in and out in chunks, with one fault per value of FAULT.
#ifndef FAULT
#define FAULT 0
#endif

extern "C" __global__ void square(const float* x, float* y, int* done, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (FAULT == 1) asm volatile("trap;");
  while (FAULT == 2 && *(volatile int*)done < 1000000) {
  }
  if (i < n) y[i] = x[i] * x[i] + (FAULT == 3 ? 1 : 0);
  if (i == 0) atomicAdd(done, 1);
}

// Reads the host's memory over the link.
extern "C" __global__ void add_offset(float* y, const float* offset, const int* done, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += *offset + (*done == 0 ? 1 : 0);  // 1: nobody squared before
}

extern "C" __global__ void right(const float* x, const float* offset, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i] + *offset;
}
