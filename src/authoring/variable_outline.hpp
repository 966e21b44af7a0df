#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "authoring/source_tokens.hpp"

namespace gtune {

/// A __constant__ or __device__ variable without a value of its own: a program fills it before the
/// launch.
struct OutlinedVariable {
  std::string name;
  Tokens type;
  std::vector<Tokens> extents = {};  // of an array
};

/// The variables of a source's text, without pointers and without those in namespaces, whose
/// compiled names differ.
[[nodiscard]] std::vector<OutlinedVariable> outline_variables(const Tokens& tokens);

/// The words of a kernel's `body` and of every function of `source` that it may call.
[[nodiscard]] std::set<std::string> reachable_words(const Tokens& body, const Tokens& source);

/// The bodies of a source's functions, `name(...) {...}`; those of overloads together.
[[nodiscard]] std::map<std::string, Tokens> functions_in(const Tokens& tokens);

}  // namespace gtune
