#include "spec/kernel_spec.hpp"

#include <algorithm>

#include "model/struct_layout.hpp"
#include "spec/entry.hpp"

namespace gtune {
namespace {

template <typename T>
const T* find_by_name(const std::vector<T>& items, std::string_view name) {
  for (const T& item : items) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

}  // namespace

std::vector<const KernelLaunchSpec*> launches_of(const std::vector<StepSpec>& steps) {
  std::vector<const KernelLaunchSpec*> launches;
  for (const StepSpec& step : steps) {
    if (const KernelLaunchSpec* launch = step.launch()) launches.push_back(launch);
  }
  return launches;
}

std::vector<std::string> template_arguments(const std::vector<StepSpec>& steps) {
  std::vector<std::string> names;
  for (const KernelLaunchSpec* launch : launches_of(steps)) {
    for (std::string& name : template_arguments(launch->entry)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(std::move(name));
      }
    }
  }
  return names;
}

const KernelLaunchSpec* only_launch(const std::vector<StepSpec>& steps) {
  const bool one = steps.size() == 1 && !steps.front().when && !steps.front().repeat;
  return one ? steps.front().launch() : nullptr;
}

bool MemorySpec::is_always(MemoryKind kind) const {
  return std::all_of(kinds.begin(), kinds.end(), [&](MemoryKind each) { return each == kind; });
}

bool MemorySpec::is_always_reached() const {
  return std::all_of(kinds.begin(), kinds.end(), is_reached_by_kernels);
}

bool MemorySpec::is_ever_reached() const {
  return std::any_of(kinds.begin(), kinds.end(), is_reached_by_kernels);
}

std::string MemorySpec::text() const {
  std::string text;
  for (const MemoryKind kind : kinds) {
    text += (text.empty() ? "" : " or ") + std::string(to_string(kind));
  }
  return text + " memory";
}

const std::string& name_of(const ArgumentSpec& argument) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, argument);
}

std::size_t size_of(const StructSpec& spec) {
  std::vector<StructMember> members;
  for (const StructMemberSpec& each : spec.members) {
    members.push_back({each.type, 0, 0, each.of, each.alignment});
  }
  return layout_of(members).bytes;
}

bool is_output(const ArgumentSpec& argument) {
  const auto* buffer = std::get_if<BufferSpec>(&argument);
  return buffer != nullptr && is_written(buffer->direction);
}

const Parameter* KernelSpec::find_param(std::string_view param) const {
  return find_by_name(params, param);
}

const ProblemSize* KernelSpec::find_size(std::string_view size) const {
  return find_by_name(sizes, size);
}

const NamedExpression* KernelSpec::find_let(std::string_view let) const {
  return find_by_name(lets, let);
}

const NamedExpression* KernelSpec::find_macro(std::string_view macro) const {
  return find_by_name(macros, macro);
}

const BufferSpec* KernelSpec::find_buffer(std::string_view buffer) const {
  for (const ArgumentSpec& argument : args) {
    const auto* found = std::get_if<BufferSpec>(&argument);
    if (found != nullptr && found->name == buffer) return found;
  }
  return nullptr;
}

bool CheckSpec::has_results() const {
  return reference || !results.empty() ||
         std::any_of(outputs.begin(), outputs.end(),
                     [](const OutputCheckSpec& output) { return output.compare.has_value(); });
}

std::vector<std::filesystem::path> KernelSpec::data_files() const {
  std::vector<std::filesystem::path> files;
  for (const ArgumentSpec& argument : args) {
    const auto* buffer = std::get_if<BufferSpec>(&argument);
    if (buffer != nullptr && !buffer->fill.file.empty()) files.push_back(buffer->fill.file);
  }
  for (const ResultFile& result : check.results) files.push_back(result.file);
  return files;
}

std::vector<std::filesystem::path> KernelSpec::sources() const {
  std::vector<std::filesystem::path> files = {source};
  const auto add = [&](const std::filesystem::path& one) {
    if (std::find(files.begin(), files.end(), one) == files.end()) files.push_back(one);
  };
  if (check.reference) add(check.reference->source);
  for (const OutputCheckSpec& output : check.outputs) {
    if (output.compare) add(output.compare->source);
  }
  return files;
}

}  // namespace gtune
