extern "C" __global__ void matmul(float* c) { c[0] = TILE * STAGES; }
extern "C" __global__ void reference(float* c) { c[0] = 0; }
