#include "cli/kernel_list_report.hpp"

#include <fmt/format.h>

#include "cli/asked_kernel.hpp"

namespace gtune {
namespace {

std::string names(const auto& values) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : " ") + value.name;
  return text;
}

}  // namespace

Document kernel_list_report(const std::vector<CatalogEntry>& entries) {
  Document out;
  for (const CatalogEntry& entry : entries) {
    if (entry.error) continue;
    const KernelSpec& spec = *entry.spec;
    Document part(spec.name + ": " + spec.help);
    part.line("sizes", names(spec.sizes))
        .line("parameters", names(spec.params))
        .line("spec", entry.file.string());
    for (const VariantOption& option : spec.variants) {
      part.line("variants", fmt::format("--{} {}", option.name, values_text(option)));
    }
    out.part(std::move(part));
  }
  return out;
}

}  // namespace gtune
