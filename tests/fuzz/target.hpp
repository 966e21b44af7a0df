#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/random.hpp"

// The interface of a fuzz target. Each file in targets/ defines one, with make_target().
namespace gtune::fuzz {

/// gtune broke a condition on an input.
class Fault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws Fault.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Fault(what);
}

/// A part of gtune that reads foreign input.
class Target {
 public:
  virtual ~Target() = default;
  /// First inputs besides the corpus: what gtune writes today.
  [[nodiscard]] virtual std::vector<std::string> seeds() { return {}; }
  /// Feeds one input to the part. May throw UserError; every other exception is a fault.
  virtual void run(const std::string& input) = 0;
  /// A new input made from `input`, in the format that the part reads. Pieces may come from
  /// `other`.
  [[nodiscard]] virtual std::string mutate(std::string input, const std::string& other,
                                           Random& random) = 0;
};

[[nodiscard]] std::unique_ptr<Target> make_target();

/// Throws Fault if a message for the user is empty or comes from inside the program.
void check_message(const std::string& message);

/// Runs one input. Turns every exception that the target must not throw into a Fault.
void run_checked(Target& target, const std::string& input);

}  // namespace gtune::fuzz
