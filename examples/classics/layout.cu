// Items of several fields: which order of their floats in memory serves a kernel that reads some of
// the fields?
//
// Every item's first USED fields are added up. The sums do not depend on the order, only the time.
//
//   LAYOUT  AOS: an array of structures, item by item. SOA: a structure of arrays, field by field.
//           AOSOA: an array of small structures of arrays, each of GROUP items
//   FIELDS  fields of an item
//   USED    fields that are read
//   ALIGN   bytes that a structure is aligned to in AOS. With 8 or 16, the compiler loads as many
//           bytes at once
//   UNROLL  items of a thread, all loaded before the first sum is stored

enum Layout { AOS, SOA, AOSOA };

template <int FIELDS, int ALIGN>
struct alignas(ALIGN) Item {
  float field[FIELDS];
};

/// The index of a field's float.
template <Layout LAYOUT, int FIELDS, int GROUP>
__device__ inline long long place(long long item, int field, long long n) {
  if (LAYOUT == AOS) return item * FIELDS + field;
  if (LAYOUT == SOA) return field * n + item;
  return (item / GROUP * FIELDS + field) * GROUP + item % GROUP;
}

/// Before the timing: puts items that lie one after the other into the order to be measured.
template <Layout LAYOUT, int FIELDS, int GROUP>
__global__ void arrange(const float* items, float* arranged, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int field = 0; field < FIELDS; ++field) {
    arranged[place<LAYOUT, FIELDS, GROUP>(i, field, n)] = items[i * FIELDS + field];
  }
}

template <Layout LAYOUT, int FIELDS, int USED, int GROUP, int ALIGN>
__device__ inline float sum_of_item(const float* arranged, long long i, long long n) {
  float sum = 0;
  if constexpr (LAYOUT == AOS) {
    const Item<FIELDS, ALIGN> item = reinterpret_cast<const Item<FIELDS, ALIGN>*>(arranged)[i];
#pragma unroll
    for (int field = 0; field < USED; ++field) sum += item.field[field];
  } else {
#pragma unroll
    for (int field = 0; field < USED; ++field) {
      sum += arranged[place<LAYOUT, FIELDS, GROUP>(i, field, n)];
    }
  }
  return sum;
}

template <Layout LAYOUT, int FIELDS, int USED, int GROUP, int ALIGN, int UNROLL>
__global__ void sum_fields(const float* __restrict__ arranged, float* __restrict__ sums,
                           long long n) {
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x * UNROLL + threadIdx.x;
  float sum[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const long long i = min(first + u * blockDim.x, n - 1);  // after the last: read, not stored
    sum[u] = sum_of_item<LAYOUT, FIELDS, USED, GROUP, ALIGN>(arranged, i, n);
  }
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const long long i = first + u * blockDim.x;
    if (i < n) sums[i] = sum[u];
  }
}

template <int FIELDS, int USED>
__global__ void sum_fields_reference(const float* items, float* sums, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int field = 0; field < USED; ++field) sum += items[i * FIELDS + field];
  sums[i] = static_cast<float>(sum);
}
