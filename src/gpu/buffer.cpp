#include "gpu/buffer.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "gpu/cuda_error.hpp"
#include "gpu/peer.hpp"
#include "model/error.hpp"

namespace gtune {
namespace {

unsigned host_flags(MemoryKind kind) {
  if (kind == MemoryKind::mapped) return cudaHostAllocMapped;
  if (kind == MemoryKind::write_combined) return cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return cudaHostAllocDefault;
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes) : m_size(bytes) {
  void* data = nullptr;
  const cudaError_t error = cudaMalloc(&data, std::max<std::size_t>(bytes, 1));
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    throw UserError(ExitCode::failed,
                    "the problem does not fit on the device: " + std::to_string(bytes >> 20) +
                        " MiB asked for, " + std::to_string(free >> 20) + " MiB free");
  }
  check_cuda(error, "cudaMalloc");
  m_data = static_cast<std::byte*>(data);
}

DeviceBuffer::~DeviceBuffer() {
  if (m_data != nullptr) cudaFree(m_data);
}

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  return *this;
}

PlacedBuffer::PlacedBuffer(std::size_t bytes, MemoryKind kind) : m_size(bytes), m_kind(kind) {
  void* data = nullptr;
  if (kind == MemoryKind::pageable) {
    data = ::operator new(bytes, std::nothrow);
  } else if (kind == MemoryKind::peer) {
    data = allocate_on_peer(bytes);
  } else if (cudaHostAlloc(&data, bytes, host_flags(kind)) != cudaSuccess) {
    data = nullptr;
    static_cast<void>(cudaGetLastError());
  }
  m_data = static_cast<std::byte*>(data);
  if (m_data != nullptr) return;
  throw UserError(ExitCode::failed, std::to_string(bytes >> 20) + " MiB of " +
                                        std::string(to_string(kind)) +
                                        " memory cannot be allocated");
}

PlacedBuffer::~PlacedBuffer() {
  if (m_data == nullptr) return;
  if (m_kind == MemoryKind::pageable) {
    ::operator delete(m_data);
  } else if (m_kind == MemoryKind::peer) {
    cudaFree(m_data);
  } else {
    cudaFreeHost(m_data);
  }
}

PlacedBuffer::PlacedBuffer(PlacedBuffer&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)),
      m_size(std::exchange(other.m_size, 0)),
      m_kind(other.m_kind) {}

PlacedBuffer& PlacedBuffer::operator=(PlacedBuffer&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_size, other.m_size);
  std::swap(m_kind, other.m_kind);
  return *this;
}

std::byte* PlacedBuffer::device_address() const {
  if (m_kind == MemoryKind::peer) return m_data;
  void* address = nullptr;
  check_cuda(cudaHostGetDevicePointer(&address, m_data, 0), "cudaHostGetDevicePointer");
  return static_cast<std::byte*>(address);
}

GuardedBuffer::GuardedBuffer(std::size_t bytes) { resize(bytes); }

void GuardedBuffer::resize(std::size_t bytes) {
  const std::size_t needed = bytes + 2 * guard_bytes;
  if (m_all.size() < needed) {
    m_all = DeviceBuffer();  // freed before the larger one is allocated
    m_all = DeviceBuffer(needed);
  }
  m_size = bytes;
  check_cuda(cudaMemset(m_all.data(), guard_value, guard_bytes), "cudaMemset");
  check_cuda(cudaMemset(data() + m_size, guard_value, guard_bytes), "cudaMemset");
}

}  // namespace gtune
