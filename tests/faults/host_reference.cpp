#include <vector>

template <typename T>
void sums(T* y, const T* x, int n, int block) {
  std::vector<double> all((n + block - 1) / block);
  for (int i = 0; i < n; ++i) all[i / block] += 2.0 * x[i];
  for (std::size_t i = 0; i < all.size(); ++i) y[i] = static_cast<T>(all[i]);
}

void crash(float* y, const float*, int, int) { *reinterpret_cast<float* volatile*>(8) = y; }
