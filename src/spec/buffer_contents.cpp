#include "spec/buffer_contents.hpp"

#include "model/error.hpp"
#include "spec/array_file.hpp"

namespace gtune {

std::vector<BufferContents> read_contents(const KernelSpec& spec,
                                          const std::vector<ArgumentPlan>& arguments) {
  std::vector<BufferContents> all;
  std::size_t bytes = 0;
  const auto add = [&](const BufferPlan& plan, bool is_result, const std::filesystem::path& file,
                       const std::string& part) {
    all.push_back({plan.name, is_result, read_array(file, part, plan.type, plan.count)});
    bytes += all.back().bytes.size();
    if (bytes <= most_array_bytes) return;
    throw UserError(ExitCode::usage, file.string() + ": the spec's files hold more than " +
                                         std::to_string(most_array_bytes >> 20) + " MiB together");
  };
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<BufferPlan>(&argument);
    if (plan == nullptr) continue;
    const FillSpec& fill = spec.find_buffer(plan->name)->fill;
    if (!fill.file.empty()) add(*plan, false, fill.file, fill.part);
    for (const ResultFile& result : spec.check.results) {
      if (result.output == plan->name) add(*plan, true, result.file, "");
    }
  }
  return all;
}

}  // namespace gtune
