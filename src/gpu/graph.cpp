#include "gpu/graph.hpp"

#include "gpu/cuda_error.hpp"

namespace gtune {
namespace {

cudaGraph_t record(const Stream& stream, const std::function<void()>& queue) {
  check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal),
             "cudaStreamBeginCapture");
  cudaGraph_t graph = nullptr;
  try {
    queue();
  } catch (...) {
    // Otherwise the stream would stay unusable.
    if (cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess) cudaGraphDestroy(graph);
    static_cast<void>(cudaGetLastError());
    throw;
  }
  check_cuda(cudaStreamEndCapture(stream.get(), &graph), "cudaStreamEndCapture");
  return graph;
}

}  // namespace

Graph::Graph(const Stream& stream, const std::function<void()>& queue) {
  cudaGraph_t graph = record(stream, queue);
  const cudaError_t made = cudaGraphInstantiate(&m_graph, graph, 0);
  cudaGraphDestroy(graph);
  check_cuda(made, "cudaGraphInstantiate");
}

Graph::~Graph() { cudaGraphExecDestroy(m_graph); }

void Graph::launch(const Stream& stream) const {
  check_cuda(cudaGraphLaunch(m_graph, stream.get()), "cudaGraphLaunch");
}

}  // namespace gtune
