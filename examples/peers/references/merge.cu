// A head of 128 from the parts of an attention, each weighted by 2 to its logarithm, and the
// logarithm of all; a block of 128 threads a head.
extern "C" __global__ void merge(const float* v, const float* s, float* v_merged, float* s_merged,
                                 unsigned parts) {
  const size_t token = blockIdx.x, head = blockIdx.y, heads = gridDim.y;
  double sum = 0, weights = 0;
  for (size_t part = 0; part < parts; ++part) {
    const size_t at = (token * parts + part) * heads + head;
    const double weight = exp2(double(s[at]));
    weights += weight;
    sum += weight * v[at * 128 + threadIdx.x];
  }
  v_merged[(token * heads + head) * 128 + threadIdx.x] = float(sum / weights);
  if (threadIdx.x == 0) s_merged[token * heads + head] = float(log2(weights));
}
