#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>

#include "model/host_call.hpp"
#include "system/file_descriptor.hpp"
#include "system/take_stdout.hpp"
#include "worker/host_call_frames.hpp"

namespace gtune {
namespace {

constexpr std::align_val_t alignment{256};  // like device memory

/// A function loaded from the bytes of a shared object.
class LoadedFunction {
 public:
  explicit LoadedFunction(std::span<const std::byte> shared_object) {
    // In memory: a folder for temporary files may forbid execution.
    const FileDescriptor file(memfd_create("gtune-reference", MFD_CLOEXEC));
    for (auto rest = shared_object; !rest.empty();) {
      const ssize_t count = write(file.get(), rest.data(), rest.size());
      if (count <= 0) throw std::runtime_error("cannot be kept in memory");
      rest = rest.subspan(static_cast<std::size_t>(count));
    }
    const std::string path = "/proc/self/fd/" + std::to_string(file.get());
    m_library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (m_library == nullptr) {
      std::string why = dlerror();
      if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
      throw std::runtime_error("cannot be loaded: " + why);
    }
  }

  void require_parameters(const std::vector<HostArgument>& arguments) const {
    const HostParameter* const first = *symbol<const HostParameter* const>(host_parameters_symbol);
    const HostParameter* end = first;
    while (end->bytes != 0) ++end;
    const std::span parameters(first, end);
    if (parameters.size() != arguments.size()) {
      throw std::runtime_error("takes " + std::to_string(parameters.size()) +
                               " arguments; the spec gives it " + std::to_string(arguments.size()));
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const HostArgument& argument = arguments[i];
      const std::size_t given = argument.is_buffer ? sizeof(void*) : argument.bytes.size();
      if (parameters[i].bytes == given) continue;
      throw std::runtime_error("takes " + std::to_string(parameters[i].bytes) +
                               " bytes as argument " + std::to_string(i + 1) + "; the spec's '" +
                               argument.name + "' has " + std::to_string(given));
    }
  }

  void call(std::vector<void*>& values) const {
    reinterpret_cast<void (*)(void* const*)>(dlsym(m_library, host_call_symbol))(values.data());
  }

 private:
  template <typename T>
  [[nodiscard]] T* symbol(const char* name) const {
    auto* found = static_cast<T*>(dlsym(m_library, name));
    if (found == nullptr) throw std::runtime_error(std::string("has no ") + name);
    return found;
  }

  void* m_library = nullptr;  // loaded until the process ends
};

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete(bytes, alignment); }
};

/// A call's values in memory, and the addresses that the function gets.
class HostValues {
 public:
  explicit HostValues(const std::vector<HostArgument>& arguments) {
    for (const HostArgument& argument : arguments) {
      const std::size_t room = argument.bytes.size() + 1;  // an empty buffer has an address too
      m_memory.emplace_back(static_cast<std::byte*>(::operator new(room, alignment)));
      std::copy(argument.bytes.begin(), argument.bytes.end(), m_memory.back().get());
    }
    m_pointers.resize(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      m_pointers[i] = m_memory[i].get();
      m_addresses.push_back(arguments[i].is_buffer ? static_cast<void*>(&m_pointers[i])
                                                   : m_memory[i].get());
    }
  }

  [[nodiscard]] std::vector<void*>& addresses() { return m_addresses; }
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t index, std::size_t count) const {
    return {m_memory[index].get(), count};
  }

 private:
  std::vector<std::unique_ptr<std::byte, FreeAligned>> m_memory;
  std::vector<void*> m_pointers;
  std::vector<void*> m_addresses;
};

Frame answer_call(const HostCall& call) {
  Frame reply{{{"reason", ""}}, {}};
  try {
    const LoadedFunction function(call.shared_object);
    function.require_parameters(call.arguments);
    HostValues values(call.arguments);
    function.call(values.addresses());
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const HostArgument& argument = call.arguments[i];
      if (!argument.is_buffer) continue;
      const auto now = values.bytes(i, argument.bytes.size());
      if (argument.is_written) {
        reply.blob.insert(reply.blob.end(), now.begin(), now.end());
      } else if (!std::equal(now.begin(), now.end(), argument.bytes.begin())) {
        throw std::runtime_error("changed its input " + argument.name);
      }
    }
  } catch (const std::exception& error) {
    return {{{"reason", error.what()}}, {}};
  }
  return reply;
}

}  // namespace

int run_host_reference_process() {
  const int out = take_stdout();
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    const auto frame = read_frame(STDIN_FILENO, std::nullopt);
    if (frame) write_frame(out, answer_call(host_call_from(*frame)));
    _exit(0);  // skips exit handlers that the function registered
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace gtune
