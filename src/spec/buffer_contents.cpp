#include "spec/buffer_contents.hpp"

#include "model/error.hpp"
#include "spec/array_file.hpp"

namespace gtune {

std::vector<DataFile> data_files(const KernelSpec& spec,
                                 const std::vector<ArgumentPlan>& arguments) {
  std::vector<DataFile> files;
  for (const ArgumentPlan& argument : arguments) {
    const auto* plan = std::get_if<BufferPlan>(&argument);
    if (plan == nullptr) continue;
    const FillSpec& fill = spec.find_buffer(plan->name)->fill;
    if (!fill.file.empty()) files.push_back({*plan, false, fill.file, fill.part});
    for (const ResultFile& result : spec.check.results) {
      if (result.output == plan->name) files.push_back({*plan, true, result.file});
    }
  }
  return files;
}

std::vector<BufferContents> read_contents(const KernelSpec& spec,
                                          const std::vector<ArgumentPlan>& arguments) {
  std::vector<BufferContents> all;
  std::size_t bytes = 0;
  for (const DataFile& data : data_files(spec, arguments)) {
    all.push_back({data.buffer.name, data.is_result,
                   read_array(data.file, data.part, data.buffer.type, data.buffer.count)});
    bytes += all.back().bytes.size();
    if (bytes <= most_array_bytes) continue;
    throw UserError(ExitCode::usage, data.file.string() + ": the spec's files hold more than " +
                                         std::to_string(most_array_bytes >> 20) + " MiB together");
  }
  return all;
}

}  // namespace gtune
