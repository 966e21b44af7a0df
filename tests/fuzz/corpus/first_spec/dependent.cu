// Dependent types, traits, static constexpr members and policies.
template <typename T>
struct Traits {
  typedef T value_type;
  static constexpr int vec = 16 / sizeof(T);
};

template <int THREADS_, int ITEMS_>
struct Policy {
  enum { THREADS = THREADS_, ITEMS = ITEMS_ };
  static constexpr int TILE = THREADS * ITEMS;
};

template <typename P, typename T>
__launch_bounds__(P::THREADS) __global__
    void scale_kernel(typename Traits<T>::value_type *out, const typename Traits<T>::value_type *in,
                      typename Traits<T>::value_type factor, int num_items) {
  int base = blockIdx.x * P::TILE;
#pragma unroll
  for (int i = 0; i < P::ITEMS; ++i) {
    int at = base + i * P::THREADS + threadIdx.x;
    if (at < num_items) out[at] = in[at] * factor;
  }
}

void run(float *out, const float *in, int num_items) {
  using P = Policy<128, 4>;
  int blocks = (num_items + P::TILE - 1) / P::TILE;
  scale_kernel<Policy<128, 4>, float><<<blocks, 128>>>(out, in, 2.0f, num_items);
}
