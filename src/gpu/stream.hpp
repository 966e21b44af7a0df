#pragma once

#include <cuda_runtime_api.h>

namespace gtune {

class Event;

class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  [[nodiscard]] cudaStream_t get() const { return m_stream; }
  /// Work queued from now on waits for the work before the event.
  void wait_for(const Event& event) const;

 private:
  cudaStream_t m_stream = nullptr;
};

class Event {
 public:
  Event();
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&&) = delete;
  void record(const Stream& stream);
  /// True once all work before the event is done. Throws CudaError if that work failed.
  [[nodiscard]] bool done() const;
  [[nodiscard]] cudaEvent_t get() const { return m_event; }

 private:
  cudaEvent_t m_event = nullptr;
};

/// Milliseconds between two events that are done.
[[nodiscard]] double elapsed_ms(const Event& start, const Event& stop);

}  // namespace gtune
