#include "jit/compile_for_host.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

#include "jit/compiler_log.hpp"
#include "jit/host_parameters.hpp"
#include "model/error.hpp"
#include "model/host_call.hpp"
#include "spec/compiler_options.hpp"
#include "system/find_program.hpp"
#include "system/program_output.hpp"

namespace gtune {
namespace {

namespace fs = std::filesystem;

/// Calls any function with the values at these addresses as its arguments.
constexpr const char* caller_of_any = R"(
#include <cstddef>
#include <type_traits>
#include <utility>
namespace gtune_host {
template <typename R, typename... P, std::size_t... I>
void call(R (*function)(P...), void* const* arguments, std::index_sequence<I...>) {
  function(*static_cast<std::remove_reference_t<P>*>(arguments[I])...);
}
template <typename R, typename... P>
void call(R (*function)(P...), void* const* arguments) {
  call(function, arguments, std::index_sequence_for<P...>());
}
struct Parameter { unsigned long long bytes, alignment, is_struct, is_real; };
template <typename T> constexpr Parameter describe() {
  return {sizeof(T), alignof(T), std::is_class<T>::value, std::is_floating_point<T>::value};
}
template <typename F> struct Parameters;
template <typename R, typename... P> struct Parameters<R (*)(P...)> {
  static constexpr Parameter values[] = {
      describe<typename std::remove_cv<typename std::remove_reference<P>::type>::type>()..., {}};
};
template <typename R, typename... P> constexpr Parameter Parameters<R (*)(P...)>::values[];
template <typename R, typename... P> constexpr const Parameter* parameters_of(R (*)(P...)) {
  return Parameters<R (*)(P...)>::values;
}
}
)";
constexpr const char* host_entry_file = "/gtune-entry";

std::string caller_text(const std::string& entry) {
  return std::string("#line 1 \"") + host_entry_file + "\"\nextern \"C\" void " + host_call_symbol +
         "(void* const* arguments) { gtune_host::call(&" + entry +
         ", arguments); }\nextern \"C\" const gtune_host::Parameter* const " +
         host_parameters_symbol + " = gtune_host::parameters_of(&" + entry + ");\n";
}

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool names_host_standard(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const std::string& option) { return option.starts_with("-std="); });
}

void write_host_source(const CompileRequest& request, const fs::path& file) {
  std::ofstream out(file, std::ios::binary);
  for (const std::string& option : request.options) {
    if (const auto line = source_line(option)) out << *line << "\n\n";
  }
  out << "#line 1 " << string_literal(request.source_name) << '\n'
      << request.source << '\n'
      << "#line 1 \"" << host_entry_file << "\"" << caller_of_any
      << caller_text(request.entries.front());
  if (!out.flush()) throw std::runtime_error("cannot write to " + file.string());
}

/// The compile command; options that a host compiler does not understand are left out.
std::vector<std::string> host_command(const CompileRequest& request, const fs::path& scratch) {
  std::vector<std::string> command = {request.host_compiler, "-shared", "-fPIC", "-O2"};
  for (const std::string& option : request.options) {
    const bool is_folder = option.starts_with("-I");
    if (is_folder || option.starts_with("-std=")) command.push_back(option);
    if (option.starts_with("--std=")) command.push_back(option.substr(1));
  }
  if (!names_host_standard(command)) command.emplace_back("-std=c++17");
  command.insert(command.end(), {"-o", (scratch / "reference.so").string(), "-x", "c++",
                                 (scratch / "reference.cpp").string()});
  return command;
}

std::string host_reason(const ProgramOutput& output, const CompileRequest& request,
                        const std::string& log) {
  const std::string line =
      with_replaced(first_error(log), host_entry_file, "entry '" + request.entries.front() + "'");
  return line.empty() ? request.host_compiler + ": " + output.end : line;
}

}  // namespace

fs::path host_compiler() {
  const char* named = std::getenv("CXX");
  if (named != nullptr && is_program(named)) return named;
  for (const char* name : {"c++", "g++"}) {
    if (const auto found = find_program(name)) return *found;
  }
  throw UserError(ExitCode::failed,
                  "a reference on the host is compiled with a C++ compiler, and there is neither "
                  "c++ nor g++ on PATH: install one, or set CXX to its file");
}

CompileResult compile_for_host(const CompileRequest& request, const fs::path& scratch) {
  const auto start = std::chrono::steady_clock::now();
  write_host_source(request, scratch / "reference.cpp");
  const ProgramOutput output = run_to_end(
      {host_command(request, scratch), {{"LC_ALL", "C"}, {"TMPDIR", scratch.string()}}, {}});
  if (output.end.starts_with("signal")) throw std::runtime_error(output.end);
  const std::string log = with_replaced(output.text, scratch.string() + '/', "");
  CompileResult result;
  result.ok = output.succeeded;
  if (result.ok) {
    std::ifstream in(scratch / "reference.so", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto all = std::as_bytes(std::span(bytes));
    result.cubin.assign(all.begin(), all.end());
    const std::string& entry = request.entries.front();
    result.kernels = {{entry, entry, {}, std::nullopt}};
    const auto host = request.in_detail ? host_parameters_in(result.cubin) : std::nullopt;
    if (host) result.kernels.front().parameters = host->parameters;
  } else {
    result.reason = host_reason(output, request, log);
  }
  if (request.in_detail) result.detail = CompileDetail{shortened_log(log)};
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  result.compile_ms = took.count();
  return result;
}

}  // namespace gtune
