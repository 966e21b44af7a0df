#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "gpu/stream.hpp"

namespace gtune {

/// A CUDA graph: work that the host launches at once.
class Graph {
 public:
  /// Records what `queue` queues on the stream, and on others that wait for it and that it waits
  /// for, instead of running it. Throws CudaError if some of it cannot be part of a graph.
  Graph(const Stream& stream, const std::function<void()>& queue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(const Stream& stream) const;

 private:
  cudaGraphExec_t m_graph = nullptr;
};

}  // namespace gtune
