#pragma once

#include <cstddef>
#include <cstdint>

#include "model/plan.hpp"

namespace gtune {

/// Device memory from cudaMalloc. Move-only.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Throws UserError(failed) if the device has too little memory.
  explicit DeviceBuffer(std::size_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return m_data; }
  [[nodiscard]] std::size_t size() const { return m_size; }

 private:
  std::byte* m_data = nullptr;
  std::size_t m_size = 0;
};

/// Memory of a kind other than device. Move-only.
class PlacedBuffer {
 public:
  PlacedBuffer() = default;
  /// `kind`: not device. Throws UserError(failed) if there is too little memory, or no other GPU
  /// for peer memory.
  PlacedBuffer(std::size_t bytes, MemoryKind kind);
  ~PlacedBuffer();
  PlacedBuffer(PlacedBuffer&& other) noexcept;
  PlacedBuffer& operator=(PlacedBuffer&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return m_data; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  /// The address at which kernels access it: see is_reached_by_kernels. Throws CudaError.
  [[nodiscard]] std::byte* device_address() const;

 private:
  std::byte* m_data = nullptr;
  std::size_t m_size = 0;
  MemoryKind m_kind = MemoryKind::pageable;
};

/// A buffer between two guard zones of known bytes, which reveal a kernel's writes out of bounds.
class GuardedBuffer {
 public:
  static constexpr std::size_t guard_bytes = std::size_t{64} * 1024;
  static constexpr std::uint8_t guard_value = 0xa5;

  GuardedBuffer() = default;
  explicit GuardedBuffer(std::size_t bytes);
  /// Makes a buffer of another size, with contents of any value. Memory is reused if it suffices.
  void resize(std::size_t bytes);

  [[nodiscard]] std::byte* data() const { return m_all.data() + guard_bytes; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  /// The memory of the buffer and both zones, and what an earlier size left.
  [[nodiscard]] const DeviceBuffer& whole() const { return m_all; }
  [[nodiscard]] const std::byte* front_guard() const { return m_all.data(); }
  /// Starts right after the last byte, so an overrun of a single byte is detected.
  [[nodiscard]] const std::byte* back_guard() const { return data() + m_size; }

 private:
  DeviceBuffer m_all;
  std::size_t m_size = 0;
};

}  // namespace gtune
