#pragma once

#include <set>
#include <string>
#include <vector>

#include "authoring/index_outline.hpp"
#include "authoring/spec_draft.hpp"

namespace gtune {

/// "4 * (n + 1)" for 4 and "n + 1".
[[nodiscard]] std::string times(std::size_t number, const std::string& count);

/// The [[args]] of a first spec.
class ArgumentDraft {
 public:
  /// `draft` must already know the launch: blockDim, gridDim and extent.
  ArgumentDraft(const KernelFacts& facts, const IndexOutline& indices, const SpecDraft& draft);

  [[nodiscard]] const std::string& text() const { return m_text; }
  /// Bytes that a launch reads and writes if it touches each element once: an expression; empty
  /// without buffers.
  [[nodiscard]] std::string moved_bytes() const;
  /// The most sizes that a buffer's count multiplies: 2 for "n * n".
  [[nodiscard]] std::size_t dimensions() const;
  /// Whether the source shows that a buffer's count has this size as a factor.
  [[nodiscard]] bool counts_by(const std::string& size) const;

 private:
  struct Buffer {
    std::string name;
    ElementOf element;
    std::string count;  // an expression; a float4 counts once
    std::string direction;
    std::string note;  // a comment after its type
    bool is_passed = true;
    std::string symbol = {};  // the variable that it fills; empty: it is an argument
  };

  void add(std::size_t index);
  void add_buffer(std::size_t index);
  void add_pointer_table(std::size_t index);
  void add_image(std::size_t index);
  [[nodiscard]] std::vector<std::string> texels_along(std::size_t dimensions) const;
  void add_structure(std::size_t index);
  void add_scalar(std::size_t index);
  void add_variable(const OutlinedVariable& variable);
  [[nodiscard]] std::string extent_of(const Tokens& text) const;
  void write(const Buffer& buffer);
  std::string take_name(const std::string& wanted);
  [[nodiscard]] std::string count_of(const std::string& array) const;
  [[nodiscard]] std::string direction_of(const std::string& array, bool points_to_const) const;
  /// Sets the element type of `buffer`; structs of mixed members become bytes.
  void describe_elements(const ParameterType& type, Buffer& buffer) const;
  [[nodiscard]] std::string member_value(const std::string& argument, const LaidMember& member,
                                         std::vector<Buffer>& buffers);

  const KernelFacts& m_facts;
  Tokens m_plain;  // the kernel's body, see plain_arithmetic()
  const IndexOutline& m_indices;
  const SpecDraft& m_draft;
  std::set<std::string> m_names;
  std::vector<std::pair<std::string, std::size_t>> m_moved;  // a count and its bytes per element
  std::string m_text;
};

}  // namespace gtune
