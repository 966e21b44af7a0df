#include "authoring/argument_draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "authoring/argument_kind.hpp"
#include "authoring/argument_use.hpp"
#include "authoring/draft_limits.hpp"
#include "authoring/image_use.hpp"
#include "authoring/macro_outline.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/plain_arithmetic.hpp"

namespace gtune {
namespace {

constexpr const char* guessed_inout =
    "\"inout\"  # TODO: \"out\" if the kernel writes every element and reads none";
constexpr const char* guessed_out = "\"out\"  # TODO: \"inout\" if the kernel skips elements";

std::string identifier(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string head(const std::string& name) { return fmt::format("[[args]]\nname = \"{}\"\n", name); }

}  // namespace

std::string times(std::size_t number, const std::string& count) {
  if (number == 1) return count;
  // Integer division rounds down before it is multiplied.
  const bool needs_brackets =
      std::ranges::any_of(std::array{" + ", " - ", " ? ", " / ", " % "},
                          [&](const char* one) { return count.find(one) != count.npos; });
  return fmt::format("{} * {}", number, needs_brackets ? "(" + count + ")" : count);
}

ArgumentDraft::ArgumentDraft(const KernelFacts& facts, const IndexOutline& indices,
                             const SpecDraft& draft)
    : m_facts(facts),
      m_plain(plain_arithmetic(facts.kernel.body, facts.kernel.arguments)),
      m_indices(indices),
      m_draft(draft) {
  for (std::size_t i = 0; i < facts.types.size(); ++i) m_names.insert(argument_name(facts, i));
  for (std::size_t i = 0; i < facts.types.size(); ++i) add(i);
  for (const OutlinedVariable& variable : facts.variables) add_variable(variable);
}

std::string ArgumentDraft::moved_bytes() const {
  std::string text;
  for (const auto& [count, bytes] : m_moved) {
    text += (text.empty() ? "" : " + ") + times(bytes, count);
  }
  return text;
}

std::size_t ArgumentDraft::dimensions() const {
  const std::vector<DraftSize>& sizes = m_draft.sizes();
  std::size_t most = 0;
  for (const auto& [count, bytes] : m_moved) {
    std::size_t factors = 0;  // of a product
    for (const std::string& one : source_tokens(count)) {
      if (one == "+" || one == "-") factors = 0;
      factors += std::ranges::count(sizes, one, &DraftSize::name);
      most = std::max(most, factors);
    }
  }
  return most;
}

bool ArgumentDraft::counts_by(const std::string& size) const {
  return std::any_of(m_moved.begin(), m_moved.end(), [&](const auto& moved) {
    const Tokens tokens = source_tokens(moved.first);
    return moved.first != m_draft.product() &&
           std::find(tokens.begin(), tokens.end(), size) != tokens.end();
  });
}

void ArgumentDraft::add(std::size_t index) {
  switch (argument_kind(m_facts, index)) {
    case ArgumentKind::buffer:
      return add_buffer(index);
    case ArgumentKind::pointer_table:
      return add_pointer_table(index);
    case ArgumentKind::texture:
    case ArgumentKind::surface:
      return add_image(index);
    case ArgumentKind::structure:
      return add_structure(index);
    case ArgumentKind::tensor_map:
      m_text += head(argument_name(m_facts, index)) +
                "type = \"tensor_map\"\nof = \"\"      # TODO: a buffer among the arguments\n"
                "sizes = []  # TODO: elements, innermost first\nbox = []    # TODO: elements of "
                "one copy\n";
      return;
    case ArgumentKind::unknown:
      m_text +=
          head(argument_name(m_facts, index)) +
          fmt::format("type = \"u64\"\nvalue = 0  # TODO: a spec cannot pass {}{}{}\n",
                      m_facts.types[index].name, std::string(m_facts.types[index].pointers, '*'),
                      m_facts.types[index].pointers > 2
                          ? "; it can pass a table of pointers to buffers"
                          : "");
      return;
    case ArgumentKind::size:
    case ArgumentKind::number:
      return add_scalar(index);
  }
}

std::string ArgumentDraft::take_name(const std::string& wanted) {
  std::string name = identifier(wanted);
  while (!m_names.insert(name).second) name += '_';
  return name;
}

/// The number of elements that the kernel's indices reach; if unknown, the product of all extents,
/// or for a member such as "src.data" of those in the same structure, times what indices multiply.
std::string ArgumentDraft::count_of(const std::string& array) const {
  const std::size_t dot = array.find('.');
  const std::string structure = dot == std::string::npos ? "" : array.substr(0, dot);
  const auto found = m_indices.elements.find(array);
  const auto count =
      found == m_indices.elements.end() ? std::nullopt : m_draft.translate(found->second);
  if (count) return *count;
  const auto multiple = m_indices.multiples.find(array);
  return times(
      multiple == m_indices.multiples.end() ? 1 : static_cast<std::size_t>(multiple->second),
      m_draft.product(structure));
}

std::string ArgumentDraft::direction_of(const std::string& array, bool points_to_const) const {
  if (points_to_const) return "\"in\"";
  switch (argument_use(m_plain, array)) {
    case ArgumentUse::only_read:
      return "\"in\"  # TODO: the kernel only seems to read it; it is not const";
    case ArgumentUse::only_written:
      return guessed_out;
    default:
      return guessed_inout;
  }
}

void ArgumentDraft::describe_elements(const ParameterType& type, Buffer& buffer) const {
  buffer.element = element_of(type.name);
  if (buffer.element.is_known) return;
  const auto layout = lay_out_struct(type.name, m_facts.declared_types, m_facts.constants);
  if (!layout) {
    buffer.note = fmt::format("  # TODO: {} as bytes", as_comment(type.name));
    return;
  }
  const LaidMember& first = layout->members.front();
  const bool is_uniform =
      std::all_of(layout->members.begin(), layout->members.end(), [&](const LaidMember& member) {
        return member.pointers == 0 && member.element.type == first.element.type;
      });
  buffer.element = is_uniform ? ElementOf{first.element.type} : ElementOf{"u8"};
  buffer.element.count = static_cast<int>(layout->bytes / buffer.element.bytes());
  if (!is_uniform) buffer.note = fmt::format("  # TODO: {} as bytes", as_comment(type.name));
}

void ArgumentDraft::write(const Buffer& buffer) {
  const std::string count = times(static_cast<std::size_t>(buffer.element.count), buffer.count);
  m_text += head(buffer.name) +
            fmt::format("type = \"{}\"{}\ncount = \"{}\"  # TODO: elements\ndirection = {}\n",
                        buffer.element.type, buffer.note, count, buffer.direction);
  if (buffer.direction == "\"in\"") {
    const bool may_be_offsets = buffer.count.ends_with(" + 1");  // x[i], x[i + 1]
    m_text += !buffer.element.is_integer() ? "# fill = { uniform = [-1.0, 1.0] }\n"
              : may_be_offsets
                  ? "# fill = { offsets = 100 }  # TODO: if they ascend, as rows of CSR\n"
                  : "# fill = { uniform = [0, 100] }  # TODO: if they are indices\n";
  }
  if (!buffer.is_passed) m_text += "passed = false\n";
  if (!buffer.symbol.empty()) m_text += fmt::format("symbol = \"{}\"\n", buffer.symbol);
  const std::size_t passes = buffer.direction.starts_with("\"inout\"") ? 2 : 1;
  const std::size_t bytes = passes * buffer.element.value_bytes();
  // Work may not depend on tuning parameters: it is the same for every configuration.
  const std::string elements =
      m_draft.names_parameter(buffer.count) ? m_draft.product() : buffer.count;
  const auto same = std::find_if(m_moved.begin(), m_moved.end(),
                                 [&](const auto& one) { return one.first == elements; });
  if (same == m_moved.end()) {
    m_moved.emplace_back(elements, bytes);
  } else {
    same->second += bytes;
  }
}

void ArgumentDraft::add_buffer(std::size_t index) {
  if (m_facts.launch.argument(index) == "null") {
    m_text += head(argument_name(m_facts, index)) +
              "type = \"u64\"\nvalue = 0  # the source passes a null pointer\n";
    return;
  }
  const ParameterType& type = m_facts.types[index];
  const std::string array = array_of_argument(m_facts, index);
  Buffer buffer;
  buffer.name = argument_name(m_facts, index);
  buffer.count = count_of(array);
  buffer.direction = direction_of(array, type.points_to_const);
  describe_elements(type, buffer);
  write(buffer);
}

/// A pointer table is a struct passed by address whose members are addresses of buffers.
void ArgumentDraft::add_pointer_table(std::size_t index) {
  const std::string name = argument_name(m_facts, index);
  const ParameterType& type = m_facts.types[index];
  const std::string array = array_of_argument(m_facts, index);
  std::vector<Buffer> buffers;
  std::string members;
  for (std::int64_t i = 0; i < tables_of_a_batch; ++i) {
    Buffer buffer;
    buffer.name = take_name(fmt::format("{}_{}", name, i));
    buffer.count = count_of(array);
    buffer.direction = direction_of(array, type.points_to_const);
    describe_elements(type, buffer);
    buffer.is_passed = false;
    members += fmt::format("{}{{ of = \"{}\" }}", members.empty() ? "" : ", ", buffer.name);
    buffers.push_back(std::move(buffer));
  }
  m_text +=
      head(name) + fmt::format(
                       "type = \"struct\"\nby_address = true\nmembers = [{}]  # TODO: one for "
                       "each pointer of the table\n",
                       members);
  for (const Buffer& buffer : buffers) write(buffer);
}

/// Adds a texture or a surface and a buffer of its texels.
void ArgumentDraft::add_image(std::size_t index) {
  const std::string name = argument_name(m_facts, index);
  const bool is_surface = argument_kind(m_facts, index) == ArgumentKind::surface;
  const ImageUse use = image_use(m_facts.kernel.body, name);
  const ElementOf found = element_of(use.texel.empty() ? "float" : use.texel);
  const std::vector<std::string> extent = texels_along(use.dimensions);
  Buffer texels{take_name(name + "_texels"), is_texel(found) ? found : element_of("float"),
                fmt::format("{}", fmt::join(extent, " * ")), "\"in\"",
                is_texel(found) && !use.texel.empty() ? "" : "  # TODO: the texel's type"};
  if (is_surface && !(use.is_read && !use.is_written)) {
    texels.direction = use.is_written && !use.is_read ? guessed_out : guessed_inout;
  }
  texels.is_passed = false;
  m_text +=
      head(name) + fmt::format("type = \"{}\"\nof = \"{}\"\nextent = [\"{}\"]  # TODO: texels\n",
                               is_surface ? "surface" : "texture", texels.name,
                               fmt::join(extent, "\", \""));
  if (texels.element.count > 1) m_text += fmt::format("channels = {}\n", texels.element.count);
  if (use.is_linear_memory) m_text += "linear_memory = true  # tex1Dfetch\n";
  if (!is_surface) {
    m_text +=
        "# TODO: filter = \"linear\", address = \"wrap\", normalized_coordinates = true if your "
        "program sets them\n";
  }
  write(texels);
}

std::vector<std::string> ArgumentDraft::texels_along(std::size_t dimensions) const {
  if (dimensions == 1) return {m_draft.product()};
  std::vector<std::string> extent;
  for (std::size_t axis = 0; axis < dimensions; ++axis) {
    const std::string named = m_draft.extent_along(axis);
    extent.push_back(named.empty() ? m_draft.extent(axis) : named);
  }
  return extent;
}

/// The keys of a member's entry. A pointer also adds its buffer to `buffers`.
std::string ArgumentDraft::member_value(const std::string& argument, const LaidMember& member,
                                        std::vector<Buffer>& buffers) {
  const std::string spelled = argument + "." + member.name;
  if (member.pointers == 1) {
    Buffer buffer{take_name(spelled), member.element, count_of(spelled),
                  direction_of(spelled, member.points_to_const), ""};
    if (!member.element.is_known) describe_elements({member.cpp, 1, false}, buffer);
    buffer.is_passed = false;
    buffers.push_back(buffer);
    return fmt::format("of = \"{}\"", buffer.name);
  }
  if (member.pointers > 1) return "type = \"u64\", value = 0";
  const std::string type = fmt::format("type = \"{}\", ", member.element.type);
  if (is_size_member(member)) {
    return type + fmt::format("value = \"{}\"", m_draft.translate(spelled).value_or("0"));
  }
  return type + (member.element.is_integer() ? "value = 0" : "value = 1.0");
}

void ArgumentDraft::add_structure(std::size_t index) {
  const std::string name = argument_name(m_facts, index);
  const std::string& type = m_facts.types[index].name;
  m_text += head(name) + "type = \"struct\"\n";
  const auto layout = layout_of_argument(m_facts, index);
  if (!layout) {
    m_text += fmt::format("members = []  # TODO: those of {}, in order; {}\n", as_comment(type),
                          m_facts.declared_types.structs.contains(without_namespaces(type))
                              ? "gtune cannot lay them out from the source's text"
                              : "its definition is not in the source");
    return;
  }
  std::vector<Buffer> buffers;
  m_text += "members = [\n";
  for (const LaidMember& member : layout->members) {
    const std::string value = member_value(name, member, buffers);
    const bool has_value = value.starts_with("of") || is_size_member(member);
    const char* todo = member.pointers > 1 ? "  TODO: a member cannot be a table of pointers"
                       : has_value         ? ""
                                           : "  TODO: value";
    m_text +=
        fmt::format("  {{ {}{} }},  # {}{}\n", value,
                    member.alignment == 0 ? "" : fmt::format(", align = {}", member.alignment),
                    member.name, todo);
  }
  m_text += "]\n";
  for (const Buffer& buffer : buffers) write(buffer);
}

void ArgumentDraft::add_scalar(std::size_t index) {
  const std::string name = argument_name(m_facts, index);
  const ElementOf element = element_of(m_facts.types[index].name);
  m_text += head(name) + fmt::format("type = \"{}\"\n", element.type);
  if (argument_kind(m_facts, index) == ArgumentKind::size) {
    m_text += fmt::format("value = \"{}\"\n", m_draft.translate(name).value_or("0"));
    return;
  }
  const std::string passed = m_facts.launch.argument(index);
  if (is_scalar_value(element, passed)) {
    m_text += fmt::format("value = {}  # from the source's own launch\n", passed);
  } else {
    const char* real =
        looks_like_epsilon(name) ? "value = 1e-5  # TODO\n" : "value = 1.0  # TODO\n";
    m_text += element.is_integer() ? "value = 0  # TODO\n" : real;
  }
}

/// Adds a buffer that fills the variable and has as many elements.
void ArgumentDraft::add_variable(const OutlinedVariable& variable) {
  Buffer buffer;
  buffer.name = take_name(variable.name);
  buffer.symbol = variable.name;
  buffer.direction = "\"in\"";
  for (const Tokens& extent : variable.extents) {
    buffer.count += (buffer.count.empty() ? "" : " * ") + extent_of(extent);
  }
  if (buffer.count.empty()) buffer.count = "1";
  if (!is_draft_expression(buffer.count)) buffer.count = m_draft.product();
  const SpelledType type = spelled_type(variable.type, m_facts.declared_types);
  describe_elements({type.name, type.pointers, false}, buffer);
  write(buffer);
}

/// An array's extent as an expression of the spec; the product of all extents if it has unknown
/// names.
std::string ArgumentDraft::extent_of(const Tokens& text) const {
  const std::string spelled = fmt::format("{}", fmt::join(text, " "));
  const std::string translated = m_draft.translate(spelled).value_or(m_draft.product());
  const auto number = constant_value(source_tokens(translated));
  if (number && *number >= least_dimension) return std::to_string(*number);
  return text.size() > 1 ? "(" + translated + ")" : translated;
}

}  // namespace gtune
