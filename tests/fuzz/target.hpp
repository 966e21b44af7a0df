#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/random.hpp"

// What a fuzz target is. Each file in targets/ defines one, with make_target().
namespace gtune::fuzz {

/// gtune did what it must not do with an input.
class Fault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Fault.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Fault(what);
}

/// A part of gtune that reads what strangers write.
class Target {
 public:
  virtual ~Target() = default;
  /// Inputs to begin with, beside the corpus: what gtune itself writes today.
  [[nodiscard]] virtual std::vector<std::string> seeds() { return {}; }
  /// Feeds it one input. May throw UserError; every other exception is a fault.
  virtual void run(const std::string& input) = 0;
  /// A new input made of `input`, in the form that the part reads. `other` is a second input to
  /// take pieces from.
  [[nodiscard]] virtual std::string mutate(std::string input, const std::string& other,
                                           Random& random) = 0;
};

[[nodiscard]] std::unique_ptr<Target> make_target();

/// Throws Fault where a message for the user is empty, or comes from the inside of the program.
void check_message(const std::string& message);

/// Runs one input, and turns everything that the target must not throw into a Fault.
void run_checked(Target& target, const std::string& input);

}  // namespace gtune::fuzz
