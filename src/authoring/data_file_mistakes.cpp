#include "authoring/data_file_mistakes.hpp"

#include "model/error.hpp"
#include "spec/array_file.hpp"
#include "spec/buffer_contents.hpp"
#include "spec/evaluate.hpp"

namespace gtune {
namespace {

/// Empty if a size has no value, which is a mistake of its own.
std::vector<ArgumentPlan> planned_arguments(const KernelSpec& spec, const Case& of) {
  try {
    return plan_arguments(spec, of);
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

std::vector<DataFileMistake> data_file_mistakes(const KernelSpec& spec, const SpecPlaces& places,
                                                const Case& of) {
  const std::vector<ArgumentPlan> arguments = planned_arguments(spec, of);
  std::vector<DataFileMistake> mistakes;
  for (const DataFile& data : data_files(spec, arguments)) {
    const std::string& name = data.buffer.name;
    try {
      (void)read_array(data.file, data.part, data.buffer.type, data.buffer.count);
    } catch (const UserError& error) {
      mistakes.push_back({data.is_result ? places.at({"check", "reference", "files", name})
                                         : places.at({"args", name, "fill", "file"}),
                          error.what()});
    }
  }
  return mistakes;
}

}  // namespace gtune
