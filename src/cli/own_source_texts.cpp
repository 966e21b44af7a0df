#include "cli/own_source_texts.hpp"

#include <spdlog/spdlog.h>

#include <fstream>
#include <iterator>
#include <string>

#include "jit/kernel_request.hpp"
#include "model/error.hpp"
#include "tune/own_file_names.hpp"

namespace gtune {

SourceTexts own_source_texts(const KernelSpec& spec, const Config& config) {
  SourceTexts texts;
  try {
    const OwnFileNames own(spec, KernelSources(spec), config);
    for (const auto& [path, name] : own.names()) {
      std::ifstream in(path, std::ios::binary);
      texts.add(name, std::string(std::istreambuf_iterator<char>(in), {}));
    }
  } catch (const UserError& error) {  // the lines are known without their text
    spdlog::info("note: the source is not shown: {}", error.what());
  }
  return texts;
}

std::function<SourceTexts(const Config&)> texts_reader(const KernelSpec& spec) {
  return [&spec](const Config& config) { return own_source_texts(spec, config); };
}

}  // namespace gtune
