#include "cli/kernel_list_report.hpp"

#include <fmt/format.h>

#include "cli/asked_kernel.hpp"

namespace gtune {
namespace {

/// In text separated by spaces, so that they can be copied into a command line.
Cell names(const auto& values) {
  std::string text;
  std::vector<Cell> all;
  for (const auto& value : values) {
    text += (text.empty() ? "" : " ") + value.name;
    all.emplace_back(value.name);
  }
  return Cell(std::move(all)).said(text);
}

Document variant_part(const VariantOption& option) {
  std::vector<Cell> values = {option.default_value};
  for (const auto& variant : option.variants) values.emplace_back(variant.value);
  return Document()
      .data("option", "--" + option.name)
      .data("values", std::move(values))
      .data("default", option.default_value);
}

}  // namespace

Document kernel_list_report(const std::vector<CatalogEntry>& entries) {
  std::vector<Document> kernels;
  for (const CatalogEntry& entry : entries) {
    if (entry.error) continue;
    const KernelSpec& spec = *entry.spec;
    Document part(spec.name + ": " + spec.help);
    part.data("name", spec.name)
        .data("help", spec.help)
        .fact("sizes", "sizes", names(spec.sizes))
        .fact("parameters", "parameters", names(spec.params))
        .fact("spec", "spec", entry.file.string());
    std::vector<Document> variants;
    for (const VariantOption& option : spec.variants) {
      part.line("variants", fmt::format("--{} {}", option.name, values_text(option)));
      variants.push_back(variant_part(option));
    }
    part.parts(std::move(variants), "variants");
    kernels.push_back(std::move(part));
  }
  Document out;
  return out.parts(std::move(kernels), "");
}

}  // namespace gtune
