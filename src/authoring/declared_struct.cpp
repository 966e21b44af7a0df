#include "authoring/declared_struct.hpp"

#include <algorithm>

#include "authoring/macro_outline.hpp"
#include "model/plan.hpp"

namespace gtune {
namespace {

constexpr int deepest_struct = 8;
constexpr std::size_t address_bytes = 8;
constexpr std::size_t most_alignment = 256;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

class StructLayer {
 public:
  StructLayer(const TypeOutline& types, const NamedConstants& constants)
      : m_types(types), m_constants(constants) {}

  /// Appends a struct's members at the current end; false if the struct cannot be laid out.
  [[nodiscard]] bool add_struct(const std::string& name, const std::string& prefix, int depth) {
    const auto found = instance(name);
    if (!found || depth == deepest_struct) return false;
    const std::size_t outer = m_alignment;
    const std::size_t begin = m_end;
    m_alignment = 1;
    if (!read_alignment(found->alignment, m_alignment)) return false;
    static const std::vector<OutlinedMember> of_empty = {{"empty", {"char"}, {}}};
    const auto& own = found->members;
    for (const OutlinedMember& member : own.empty() ? of_empty : own) {
      const auto count = count_of(member);
      if (!count) return false;
      for (std::int64_t i = 0; i < *count; ++i) {
        const bool is_array = !member.extents.empty();
        const std::string element = is_array ? "_" + std::to_string(i) : "";
        if (!add_member(member, prefix + member.name + element, depth)) return false;
      }
    }
    m_end = begin + round_up(m_end - begin, m_alignment);
    m_alignment = std::max(m_alignment, outer);
    return true;
  }

  /// Absent if a spec with these members would give the struct another size.
  [[nodiscard]] std::optional<DeclaredStruct> take() && {
    std::size_t alignment = 1;
    for (const LaidMember& member : m_members) {
      alignment = std::max({alignment, member.alignment, own_alignment(member)});
    }
    if (alignment < m_alignment && !m_members.empty()) {
      m_members.front().alignment = m_alignment;  // does not move it: its offset is 0
      alignment = m_alignment;
    }
    if (round_up(m_spec_end, alignment) != m_end) return std::nullopt;
    return DeclaredStruct{std::move(m_members), m_end, m_alignment};
  }

 private:
  /// The struct with a template's arguments in place of its parameters: "ns::Tensor<float,
  /// (int)4>".
  [[nodiscard]] std::optional<OutlinedStruct> instance(const std::string& name) const {
    const Tokens type = source_tokens(name);
    const auto open =
        static_cast<std::size_t>(std::find(type.begin(), type.end(), "<") - type.begin());
    const auto found = m_types.structs.find(open == 0 ? "" : type[open - 1]);
    if (found == m_types.structs.end()) return std::nullopt;
    OutlinedStruct copy = found->second;
    TemplateArguments arguments;
    std::size_t next = 0;  // parameter
    for (Tokens& one : between_commas(type, open + 1, std::max(open + 1, type.size()) - 1)) {
      if (next == copy.parameters.size()) break;
      const bool is_cast = token_at(one, 0) == "(" && past_brackets(one, 0) < one.size();
      if (is_cast) one = slice(one, past_brackets(one, 0), one.size());
      arguments.insert_or_assign(copy.parameters[next++], std::move(one));
    }
    copy.alignment = with_arguments(copy.alignment, arguments);
    for (OutlinedMember& member : copy.members) {
      member.type = with_arguments(member.type, arguments);
      member.alignment = with_arguments(member.alignment, arguments);
      for (Tokens& extent : member.extents) extent = with_arguments(extent, arguments);
    }
    return copy;
  }

  /// The alignment of a spec's member without `align`.
  static std::size_t own_alignment(const LaidMember& member) {
    return member.pointers > 0 ? address_bytes : member.element.bytes();
  }

  [[nodiscard]] bool read_alignment(const Tokens& text, std::size_t& alignment) const {
    if (text.empty()) return true;
    const auto bytes = value_of(text);
    if (!bytes || !is_alignment(*bytes) || *bytes == 0) return false;
    alignment = std::max(alignment, static_cast<std::size_t>(*bytes));
    return true;
  }

  [[nodiscard]] std::optional<std::int64_t> value_of(Tokens tokens) const {
    for (std::string& token : tokens) {
      const auto constant = m_constants.find(token);
      if (constant != m_constants.end()) token = std::to_string(constant->second);
    }
    return constant_value(tokens);
  }

  [[nodiscard]] std::optional<std::int64_t> count_of(const OutlinedMember& member) const {
    std::int64_t count = 1;
    for (const Tokens& extent : member.extents) {
      const auto one = value_of(extent);
      const auto most = static_cast<std::int64_t>(most_struct_members);
      if (!one || *one < 1 || *one > most || count * *one > most) return std::nullopt;
      count *= *one;
    }
    return count;
  }

  [[nodiscard]] bool add_member(const OutlinedMember& member, const std::string& name, int depth) {
    std::size_t alignment = 1;
    if (!read_alignment(member.alignment, alignment)) return false;
    const SpelledType type = spelled_type(member.type, m_types);
    const ElementOf element = element_of(type.name);
    if (type.pointers == 0 && !element.is_known) {
      StructLayer inner(m_types, m_constants);
      if (!inner.add_struct(type.name, "", depth + 1)) return false;
      begin_at(std::max(alignment, inner.m_alignment));
      return add_struct(type.name, name + ".", depth + 1);
    }
    const bool is_pointer = type.pointers > 0;
    const std::size_t natural = is_pointer ? address_bytes : element.alignment();
    begin_at(std::max(alignment, natural));
    const int count = is_pointer ? 1 : element.count;
    for (int i = 0; i < count; ++i) {
      const std::string part = count > 1 ? "." + std::string(1, "xyzw"[i]) : "";
      LaidMember laid{name + part, element, type.pointers, type.points_to_const, type.name};
      if (!is_pointer) laid.element.count = 1;
      const auto stated = alignment_for(own_alignment(laid));
      if (!stated) return false;
      laid.alignment = *stated;
      m_end += is_pointer ? address_bytes : element.bytes();
      m_spec_end = m_end;
      m_members.push_back(std::move(laid));
    }
    return m_members.size() <= most_struct_members;
  }

  void begin_at(std::size_t alignment) {
    m_end = round_up(m_end, alignment);
    m_alignment = std::max(m_alignment, alignment);
  }

  /// The alignment that puts a spec's next member at its offset in C++; 0 if its own does so.
  [[nodiscard]] std::optional<std::size_t> alignment_for(std::size_t own) const {
    if (round_up(m_spec_end, own) == m_end) return 0;
    for (std::size_t one = own * 2; one <= most_alignment; one *= 2) {
      if (round_up(m_spec_end, one) == m_end) return one;
    }
    return std::nullopt;
  }

  const TypeOutline& m_types;
  const NamedConstants& m_constants;
  std::vector<LaidMember> m_members;
  std::size_t m_end = 0;       // in C++, with padding
  std::size_t m_spec_end = 0;  // of the last member, without padding after it
  std::size_t m_alignment = 1;
};

}  // namespace

bool is_size_member(const LaidMember& member) {
  return member.pointers == 0 && member.element.is_size();
}

std::optional<DeclaredStruct> lay_out_struct(const std::string& name, const TypeOutline& types,
                                             const NamedConstants& constants) {
  StructLayer layer(types, constants);
  if (!layer.add_struct(name, "", 0)) return std::nullopt;
  return std::move(layer).take();
}

DeclaredStruct lay_out_vector(const ElementOf& element, const std::string& cpp) {
  DeclaredStruct layout;
  layout.alignment = element.alignment();
  layout.bytes = element.value_bytes();
  for (int i = 0; i < element.count; ++i) {
    LaidMember& member = layout.members.emplace_back();
    member.name = "xyzw"[i];
    member.element.type = element.type;
    member.cpp = cpp;
  }
  if (layout.alignment > element.bytes()) layout.members.front().alignment = layout.alignment;
  return layout;
}

}  // namespace gtune
