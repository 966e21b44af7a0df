// Each key's place in its segment is the number of keys that come before it.
extern "C" __global__ void rank_sort(const unsigned int* in, unsigned int* out, int count,
                                     int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int begin = i / length * length;
  int place = begin;
  for (int j = begin; j < begin + length; ++j) place += in[j] < in[i] || (in[j] == in[i] && j < i);
  out[place] = in[i];
}
