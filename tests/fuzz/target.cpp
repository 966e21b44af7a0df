#include "target.hpp"

#include <array>
#include <string_view>

#include "model/error.hpp"

namespace gtune::fuzz {
namespace {

/// The standard library's words for programming errors, which no user can act on.
constexpr std::array<std::string_view, 8> inside_words = {
    "std::bad_",
    "bad_function_call",
    "bad optional access",
    "bad_variant_access",
    "vector::_M_",
    "basic_string::",
    "map::at",
    "basic_ios::",
};

/// Messages may quote the input, and libFuzzer finds the words above by itself.
const std::string* present_input = nullptr;

}  // namespace

void check_message(const std::string& message) {
  require(!message.empty(), "an empty message");
  require(!message.starts_with("unexpected:"), "a message that begins with " + message);
  for (const std::string_view word : inside_words) {
    if (present_input != nullptr && present_input->find(word) != std::string::npos) continue;
    require(message.find(word) == message.npos, "a message from inside the program: " + message);
  }
}

void run_checked(Target& target, const std::string& input) {
  present_input = &input;
  try {
    target.run(input);
  } catch (const Fault&) {
    throw;
  } catch (const UserError& error) {
    check_message(error.what());
  } catch (const std::exception& error) {
    throw Fault(std::string("an exception that is no UserError: ") + error.what());
  }
}

}  // namespace gtune::fuzz
