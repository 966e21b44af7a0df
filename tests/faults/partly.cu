// y = i, with what FAULT says wrong: 1: an element in 100, 2: five in 100, 3: the padding of rows
// of 64 that have 60 elements, 4: what is behind n, 5: out of bounds, 6: the rows themselves.

extern "C" __global__ void partly(float* loose, float* rows, float* front, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;
  const bool wrong = FAULT == 1 ? i % 100 == 0 : FAULT == 2 && i % 100 < 5;
  loose[i] = wrong ? -1 : i;
  const bool padding = i % 64 >= 60;
  rows[i] = (FAULT == 3 && padding) || (FAULT == 6 && i % 64 == 0) ? -1 : i;
  front[i] = i;
  front[n + i] = FAULT == 4 ? -1 : i;
  if (FAULT == 5 && i == 0) front[2 * n] = 0;
}
