#include "gpu/stream.hpp"

#include <utility>

#include "gpu/cuda_error.hpp"

namespace gtune {

Stream::Stream() {
  // Synchronizes with the default stream, where memsets and copies are issued.
  check_cuda(cudaStreamCreate(&m_stream), "cudaStreamCreate");
}

Stream::~Stream() { cudaStreamDestroy(m_stream); }

void Stream::wait_for(const Event& event) const {
  check_cuda(cudaStreamWaitEvent(m_stream, event.get(), 0), "cudaStreamWaitEvent");
}

Event::Event() { check_cuda(cudaEventCreate(&m_event), "cudaEventCreate"); }

Event::~Event() {
  if (m_event != nullptr) cudaEventDestroy(m_event);
}

Event::Event(Event&& other) noexcept : m_event(std::exchange(other.m_event, nullptr)) {}

void Event::record(const Stream& stream) {
  check_cuda(cudaEventRecord(m_event, stream.get()), "cudaEventRecord");
}

bool Event::done() const {
  const cudaError_t state = cudaEventQuery(m_event);
  if (state == cudaErrorNotReady) return false;
  check_cuda(state, "kernel");
  return true;
}

double elapsed_ms(const Event& start, const Event& stop) {
  float ms = 0;
  check_cuda(cudaEventElapsedTime(&ms, start.get(), stop.get()), "cudaEventElapsedTime");
  return ms;
}

}  // namespace gtune
