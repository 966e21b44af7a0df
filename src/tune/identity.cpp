#include "tune/identity.hpp"

#include "jit/include_scanner.hpp"
#include "spec/array_file.hpp"
#include "system/hash.hpp"
#include "system/regular_file.hpp"

namespace gtune {

namespace {

/// Covers the reference and data files too: a changed reference judges results differently, and
/// other data are another problem.
std::string digest_of_sources(const KernelSpec& spec) {
  std::string all = source_hash(spec.source, spec.options);
  const std::string own = all;
  for (const auto& file : spec.sources()) {
    if (file != spec.source) all += '\0' + source_hash(file, spec.options);
  }
  for (const auto& file : spec.data_files()) {
    all += '\0' + hex_digest(read_regular_file(file, most_array_bytes, "data"));
  }
  return all == own ? own : hex_digest(all);
}

}  // namespace

KernelIdentity identity_of(const KernelSpec& spec) {
  KernelIdentity identity;
  identity.name = spec.name;
  identity.source_hash = digest_of_sources(spec);
  identity.spec_hash = hex_digest(spec.text);
  for (const auto& size : spec.sizes) identity.problem_names.push_back(size.name);
  for (const auto& parameter : spec.params) identity.parameter_names.push_back(parameter.name);
  return identity;
}

std::string unknown_include_note(const KernelSpec& spec) {
  for (const auto& source : spec.sources()) {
    std::string note = unknown_include_note(source, spec.options);
    if (!note.empty()) return note;
  }
  return "";
}

}  // namespace gtune
