// A ring of stages in shared memory.
#pragma once

/// A place in the ring of stages, and the parity of the phase that it is in.
template <int STAGES>
struct Ring {
  int stage = 0;
  unsigned parity = 0;

  __device__ void advance() {
    if (++stage == STAGES) {
      stage = 0;
      parity ^= 1;
    }
  }
};
