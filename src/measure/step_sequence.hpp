#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gpu/module.hpp"
#include "gpu/stream.hpp"
#include "measure/problem_buffers.hpp"
#include "model/plan.hpp"

namespace gtune {

/// The steps of one configuration, bound to the buffers of a problem. They can be queued any number
/// of times. Buffers, module and stream must outlive the sequence.
class StepSequence {
 public:
  /// Throws UserError if a step does not fit the arguments.
  StepSequence(const Module& module, const std::vector<StepPlan>& steps,
               const std::vector<ArgumentPlan>& arguments, ProblemBuffers& buffers,
               const Stream& stream);

  /// Queues the setup steps. Surfaces first get their buffers' contents.
  void queue_setup();
  /// Copies the surfaces' contents to their buffers. All queued work must have finished.
  void store_surfaces() const;
  /// Queues all other steps, which are the timed ones.
  void queue();

  /// The number of timed steps, repeats included.
  [[nodiscard]] std::size_t size() const { return m_timed.size(); }
  [[nodiscard]] const std::string& name(std::size_t step) const { return m_timed[step].name; }
  /// Queues a single timed step on the stream that the sequence was made with.
  void queue_step(std::size_t step);

 private:
  struct Launch {
    cudaKernel_t kernel;
    LaunchPlan plan;
    KernelArguments arguments;
  };
  struct Copy {
    std::byte* to;
    const std::byte* from;
    std::size_t bytes;
  };
  struct Set {
    std::byte* at;
    int byte;
    std::size_t bytes;
  };
  struct Step {
    std::string name;
    std::variant<Launch, Copy, Set> action;
    int stream = 0;
    std::vector<std::size_t> after = {};  // indices of timed steps
    std::optional<Event> done = {};       // if a step on another stream waits for it
  };

  [[nodiscard]] static Copy bound(const BufferCopy& copy, ProblemBuffers& buffers);
  [[nodiscard]] static Set bound(const BufferSet& set, ProblemBuffers& buffers);
  [[nodiscard]] const Stream& stream_of(const Step& step) const;
  /// Sets what the timed steps wait for. `timed`: each step's index among them; absent for setup.
  void connect(const std::vector<StepPlan>& steps,
               const std::vector<std::optional<std::size_t>>& timed);
  void fork();
  void join();
  static void queue(Step& step, const Stream& stream);

  const Stream& m_stream;                         // stream 0
  std::vector<std::unique_ptr<Stream>> m_others;  // from 1 on
  Event m_edge;                                   // marks where streams begin or one ends
  Surfaces m_surfaces;
  std::vector<Step> m_setup;
  std::vector<Step> m_timed;
};

}  // namespace gtune
