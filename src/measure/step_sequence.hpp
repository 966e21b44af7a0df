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

/// The steps of one configuration, bound to the buffers of a problem and ready to be queued, as
/// often as wanted. Buffers, module and stream have to outlive it.
class StepSequence {
 public:
  /// Throws UserError where a step does not fit the arguments.
  StepSequence(const Module& module, const std::vector<StepPlan>& steps,
               const std::vector<ArgumentPlan>& arguments, ProblemBuffers& buffers,
               const Stream& stream);

  /// The steps of the setup. Surfaces first get their buffers' contents.
  void queue_setup();
  /// Buffers get their surfaces' contents. To be called when what was queued has run.
  void store_surfaces() const;
  /// All others: what is timed.
  void queue();

  /// Of what is timed, repeats included.
  [[nodiscard]] std::size_t size() const { return m_timed.size(); }
  [[nodiscard]] const std::string& name(std::size_t step) const { return m_timed[step].name; }
  /// By itself, on the stream that the sequence was made with.
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
    std::vector<std::size_t> after = {};  // of the timed ones
    std::optional<Event> done = {};       // where a step on another stream waits for it
  };

  [[nodiscard]] static Copy bound(const BufferCopy& copy, ProblemBuffers& buffers);
  [[nodiscard]] static Set bound(const BufferSet& set, ProblemBuffers& buffers);
  [[nodiscard]] const Stream& stream_of(const Step& step) const;
  /// Resolves what the timed steps wait for. `timed`: of each step its place among them, or none.
  void connect(const std::vector<StepPlan>& steps,
               const std::vector<std::optional<std::size_t>>& timed);
  void fork();
  void join();
  static void queue(Step& step, const Stream& stream);

  const Stream& m_stream;                         // stream 0
  std::vector<std::unique_ptr<Stream>> m_others;  // from 1 on
  Event m_edge;                                   // where streams begin, or one ends
  Surfaces m_surfaces;
  std::vector<Step> m_setup;
  std::vector<Step> m_timed;
};

}  // namespace gtune
