#include "authoring/header_outline.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "authoring/asked_entry.hpp"
#include "authoring/cpp_types.hpp"
#include "authoring/name_guess.hpp"
#include "jit/include_scanner.hpp"
#include "jit/kernel_request.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// If there are more, none of them is read.
constexpr std::size_t most_library_headers = 200;

bool has_kernel(const std::vector<OutlinedKernel>& kernels, const std::string& name) {
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const OutlinedKernel& one) { return is_named(one, name); });
}

void add_types(TypeOutline& all, TypeOutline one) {
  all.structs.merge(one.structs);
  all.aliases.merge(one.aliases);
  all.enums.merge(one.enums);
  all.classes.merge(one.classes);
  all.function_types.merge(one.function_types);
}

class HeaderOutliner {
 public:
  explicit HeaderOutliner(SourceOutline source) : m_all(std::move(source)) {}

  void add_own(SourceOutline one) {
    add_types(m_all.types, std::move(one.types));
    m_all.constants.merge(one.constants);
    m_all.macros.fixed.merge(one.macros.fixed);
    m_all.macros.defined.merge(one.macros.defined);
    m_all.macros.in_definitions.merge(one.macros.in_definitions);
    for (SettableMacro& macro : one.macros.settable) add_macro(std::move(macro));
    std::move(one.variables.begin(), one.variables.end(), std::back_inserter(m_all.variables));
    m_all.tokens.insert(m_all.tokens.end(), one.tokens.begin(), one.tokens.end());
    for (OutlinedKernel& kernel : one.kernels) {
      const bool is_new = !has_kernel(m_all.kernels, kernel.name);
      if (is_new) m_of_headers.push_back(std::move(kernel));
    }
    std::move(one.skipped_kernels.begin(), one.skipped_kernels.end(),
              std::back_inserter(m_all.skipped_kernels));
    m_all.takes_shared_memory = m_all.takes_shared_memory || one.takes_shared_memory;
  }

  void add_library(SourceOutline one) { add_types(m_all.types, std::move(one.types)); }

  [[nodiscard]] SourceOutline take(const std::string& entry) && {
    const bool has_it = entry.empty() ? !m_all.kernels.empty() : has_kernel(m_all.kernels, entry);
    if (!has_it) {
      std::move(m_of_headers.begin(), m_of_headers.end(), std::back_inserter(m_all.kernels));
    }
    // A build cannot choose a macro that one file tests and another defines.
    std::erase_if(m_all.macros.settable, [&](const SettableMacro& macro) {
      return !macro.value && m_all.macros.defined.contains(macro.name);
    });
    return std::move(m_all);
  }

 private:
  /// Adds a header's macro only if its name has a clear meaning.
  void add_macro(SettableMacro macro) {
    std::vector<SettableMacro>& all = m_all.macros.settable;
    const auto known = std::find_if(
        all.begin(), all.end(), [&](const SettableMacro& one) { return one.name == macro.name; });
    if (known != all.end()) {
      if (!known->value) known->value = macro.value;
      return;
    }
    macro.is_of_header = true;
    const bool is_clear = meaning_of(macro.name, macro.value) != NameMeaning::unclear;
    if (is_clear) all.push_back(std::move(macro));
  }

  SourceOutline m_all;
  std::vector<OutlinedKernel> m_of_headers;
};

/// The headers in the include folders of the compiler's options, without the source's own.
std::vector<fs::path> library_headers(const KernelQuestion& question, const IncludeScan& scan) {
  std::vector<fs::path> headers;
  for (const fs::path& folder : include_folders(question.options)) {
    const std::string begin = (fs::weakly_canonical(folder) / "").string();
    for (const fs::path& file : scan.files) {
      const bool is_own = std::find(scan.own.begin(), scan.own.end(), file) != scan.own.end();
      if (!is_own && fs::weakly_canonical(file).string().starts_with(begin)) {
        headers.push_back(file);
      }
    }
  }
  if (headers.size() > most_library_headers) headers.clear();
  return headers;
}

/// The types of template parameters that may be enumerations of other headers.
std::set<std::string> unknown_types(const SourceOutline& outline) {
  std::set<std::string> names;
  for (const OutlinedKernel& kernel : outline.kernels) {
    for (const TemplateParameter& each : kernel.template_parameters) {
      const std::string name = without_namespaces(each.named_type);
      const bool is_known =
          !outline.types.enum_named(name, "").empty() || outline.types.aliases.contains(name);
      if (!name.empty() && !is_known) names.insert(name);
    }
  }
  return names;
}

/// Looks for these enumerations in all headers, including those of the toolkit.
void add_enums(const KernelQuestion& question, const std::set<std::string>& names,
               TypeOutline& types) {
  if (names.empty()) return;
  const KernelSource source(question.source, Compiler::nvrtc);
  const IncludeScan scan = scan_includes(question.source, source.search(question.options));
  for (const fs::path& header : scan.files) {
    const std::string text = read_text(header);
    const bool names_one = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return text.find(name) != text.npos;
    });
    if (!names_one || text.find("enum") == text.npos) continue;
    for (auto& [name, found] : outline_types(source_tokens(text)).enums) {
      if (names.contains(without_namespaces(name))) types.enums.emplace(name, std::move(found));
    }
  }
}

DefinedMacros macros_of_build(const KernelQuestion& question) {
  DefinedMacros macros(question.arch);
  for (const std::string& option : question.options) {
    if (!option.starts_with("-D")) continue;
    const std::size_t equals = option.find('=');
    macros.define(option.substr(2, equals - 2) + " " +
                  (equals == option.npos ? "1" : option.substr(equals + 1)));
  }
  return macros;
}

}  // namespace

SourceOutline outline_with_headers(const KernelQuestion& question, const std::string& text) {
  const IncludeSearch search = include_search(question.source, question.options);
  const IncludeScan scan = scan_includes(question.source, search);
  const DefinedMacros of_build = macros_of_build(question);
  DefinedMacros of_source = of_build;
  (void)read_conditional_text(text, of_source);
  DefinedMacros all = of_source;  // a header may test what the source defines
  std::vector<SourceOutline> headers;
  for (const fs::path& file : scan.own) headers.push_back(outline_source(read_text(file), all));
  DefinedMacros of_headers = of_build;
  of_headers.add_missing_from(all, of_source);
  HeaderOutliner outliner(outline_source(text, of_headers));
  for (SourceOutline& header : headers) outliner.add_own(std::move(header));
  for (const fs::path& file : library_headers(question, scan)) {
    outliner.add_library(outline_source(read_text(file)));
  }
  SourceOutline outline = std::move(outliner).take(asked_entry(question.entry).name);
  add_enums(question, unknown_types(outline), outline.types);
  return outline;
}

}  // namespace gtune
