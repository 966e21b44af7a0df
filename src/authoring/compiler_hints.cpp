#include "authoring/compiler_hints.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace gtune {
namespace {

/// NVRTC's errors for host code, which it does not compile.
constexpr std::array<std::string_view, 8> host_code_errors = {
    "host functions are not allowed in JIT mode", "identifier \"cudaMalloc\" is undefined",
    "identifier \"cudaMemcpy\" is undefined",     "cannot open source file \"stdio.h\"",
    "cannot open source file \"cstdio\"",         "cannot open source file \"iostream\"",
    "cannot open source file \"vector\"",         "cannot open source file \"stdlib.h\"",
};

/// Flags of nvcc that its errors name.
constexpr std::array<std::string_view, 2> named_flags = {"--expt-relaxed-constexpr",
                                                         "--extended-lambda"};

struct MissingName {
  std::string_view name;
  std::string_view meaning;
};

/// Functions that CUDA 13 has only under their new names, and macros that nvcc has without an
/// include, or that sources take from headers of the host.
constexpr std::array<MissingName, 24> missing_names = {{
    {"cudaThreadSynchronize", "cudaDeviceSynchronize"},
    {"cudaThreadExit", "cudaDeviceReset"},
    {"cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"},
    {"cudaThreadGetCacheConfig", "cudaDeviceGetCacheConfig"},
    {"cudaThreadSetLimit", "cudaDeviceSetLimit"},
    {"cudaThreadGetLimit", "cudaDeviceGetLimit"},
    {"INFINITY", "__int_as_float(0x7f800000)"},
    {"HUGE_VALF", "__int_as_float(0x7f800000)"},
    {"HUGE_VAL", "__longlong_as_double(0x7ff0000000000000)"},
    {"NAN", "__int_as_float(0x7fc00000)"},
    {"M_PI", "3.14159265358979323846"},
    {"M_PI_2", "1.57079632679489661923"},
    {"M_E", "2.7182818284590452354"},
    {"M_SQRT2", "1.41421356237309504880"},
    {"FLT_MAX", "3.40282347e+38F"},
    {"FLT_MIN", "1.17549435e-38F"},
    {"FLT_EPSILON", "1.19209290e-07F"},
    {"DBL_MAX", "1.7976931348623157e+308"},
    {"DBL_MIN", "2.2250738585072014e-308"},
    {"DBL_EPSILON", "2.2204460492503131e-16"},
    {"INT_MAX", "2147483647"},
    {"INT_MIN", "(-2147483647-1)"},
    {"UINT_MAX", "4294967295U"},
    {"CHAR_BIT", "8"},
}};

bool has_text(std::string_view log, std::string_view text) {
  return log.find(text) != std::string_view::npos;
}

bool names_entry(std::string_view log) {
  return has_text(log, "__nv_name_map(") ||                         // NVRTC's
         log.starts_with("entry '") || has_text(log, "\nentry '");  // nvcc's
}

/// What to do about an entry that names several overloads; empty if that is not the error.
std::string overload_hint(std::string_view log) {
  constexpr std::string_view begin = "instance of overloaded function \"";
  const std::size_t at = log.find(begin);
  if (at == std::string_view::npos || !names_entry(log)) return "";
  const std::string_view rest = log.substr(at + begin.size());
  return "there are several functions '" + std::string(rest.substr(0, rest.find('"'))) +
         "' (CUDA has functions of its own), among which an entry cannot choose: rename the kernel "
         "to tune";
}

constexpr std::string_view host_code = "the source has host code";

constexpr std::array<std::string_view, 8> type_words = {"int",   "unsigned", "bool",     "size_t",
                                                        "float", "auto",     "typename", "class"};

/// The names that lines of code in a log declare: variables, arguments, a template's parameters.
std::set<std::string> declared_names(const std::string& log) {
  std::istringstream words(log);
  std::set<std::string> names;
  bool after_type = false;
  for (std::string word; words >> word;) {
    std::string bare = word.substr(std::min(word.find_first_not_of("<(&*"), word.size()));
    bare.resize(std::min(bare.find_first_of("<>(),;=[&*"), bare.size()));
    if (after_type && !bare.empty()) names.insert(bare);
    after_type = std::find(type_words.begin(), type_words.end(), bare) != type_words.end();
  }
  return names;
}

}  // namespace

std::vector<std::string> missing_options(std::string_view log) {
  std::vector<std::string> options;
  for (const std::string_view flag : named_flags) {
    if (has_text(log, flag)) options.emplace_back(flag);
  }
  for (const auto& [name, meaning] : missing_names) {
    if (has_text(log, "identifier \"" + std::string(name) + "\" is undefined")) {
      options.push_back("-D" + std::string(name) + "=" + std::string(meaning));
    }
  }
  return options;
}

std::string compiler_hint(std::string_view log) {
  if (has_text(log, "texture is not a template") || has_text(log, "surface is not a template")) {
    return "the source has a texture or surface reference (texture<...>), which CUDA 12 removed: "
           "pass the kernel a cudaTextureObject_t";
  }
  if (std::string hint = overload_hint(log); !hint.empty()) return hint;
  if (has_text(log, "cannot determine which instance of function template")) {
    return "its template arguments do not follow from the source (a parameter pack?): write a spec "
           "whose entry names them, such as entry = \"k<float,int>\"";
  }
  const bool has_host_code =
      std::any_of(host_code_errors.begin(), host_code_errors.end(),
                  [&](std::string_view error) { return has_text(log, error); });
  if (!has_host_code) return "";
  return std::string(host_code) +
         " (main, cudaMalloc, <iostream> and the like), which NVRTC does not compile: write "
         "compiler = \"nvcc\" in [kernel]";
}

std::string macro_hint(const std::string& log, const std::vector<std::string>& macros) {
  const std::set<std::string> declared = declared_names(log);
  for (const std::string& name : macros) {
    if (!declared.contains(name)) continue;
    return "the source declares a name '" + name +
           "', but the parameter of that name is a macro, since the entry does not have it as a "
           "template argument: give one of them another name";
  }
  return "";
}

bool is_about_host_code(std::string_view hint) { return hint.starts_with(host_code); }

bool is_about_entry(const CompileResult& result) {
  if (result.ok) return false;
  if (result.reason.starts_with("the source has no kernel '")) return true;
  const std::string& log = result.detail ? result.detail->log : result.reason;
  return names_entry(log);
}

std::string exceeded_resource(std::string_view log) {
  const std::size_t begin = log.find("uses too much ");
  if (begin == std::string_view::npos) return "";
  return std::string(log.substr(begin, log.find('\n', begin) - begin));
}

}  // namespace gtune
