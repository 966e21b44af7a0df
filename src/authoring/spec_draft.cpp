#include "authoring/spec_draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "authoring/argument_kind.hpp"
#include "authoring/draft_limits.hpp"
#include "authoring/enumerators.hpp"
#include "authoring/name_guess.hpp"
#include "authoring/result_choice.hpp"
#include "jit/source_directives.hpp"
#include "spec/entry.hpp"
#include "spec/functions.hpp"

namespace gtune {
namespace {

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// Whether it needs no parentheses inside another expression.
bool is_plain(const std::string& text) {
  const bool is_call = text.ends_with(')') && (text.starts_with('(') || is_word(text)) &&
                       past_brackets(source_tokens(text), text.starts_with('(') ? 0 : 1) ==
                           source_tokens(text).size();
  return is_call || text.find(' ') == std::string::npos;
}

void add_words(const std::string& text, std::set<std::string>& words) {
  for (std::string& token : source_tokens(text)) {
    if (is_word(token)) words.insert(std::move(token));
  }
}

/// Whether a name is only an operand of bits, `1 << stage` or `i ^ j`, as no extent is.
bool is_of_bits(const Tokens& body, const std::string& name) {
  bool found = false;
  for (std::size_t at = 2; at < body.size(); ++at) {
    if (body[at] != name) continue;
    const std::string_view before = token_at(body, at - 1);
    const std::string_view next = token_at(body, at + 1);
    const bool is_shift = (before == "<" || before == ">") && token_at(body, at - 2) == before;
    const bool is_mask = before == "^" || (before == "&" && is_word(token_at(body, at - 2))) ||
                         next == "^" || (next == "&" && token_at(body, at + 2) != "&");
    if (!is_shift && !is_mask) return false;
    found = true;
  }
  return found;
}

bool has_pointer_table(const KernelFacts& facts) {
  return std::any_of(facts.types.begin(), facts.types.end(),
                     [](const ParameterType& type) { return type.pointers == 2; });
}

}  // namespace

SpecDraft::SpecDraft(const KernelFacts& facts, const IndexOutline& indices)
    : m_facts(facts), m_spans(indices.spans) {
  for (const AxisOutline& axis : indices.axes) {
    add_words(axis.threads, m_of_launch);
    add_words(axis.tile, m_of_launch);
    add_words(axis.bound, m_bounds);
  }
  for (const std::string& name : facts.kernel.argument_names()) {
    const auto count = indices.elements.find(name);
    if (count != indices.elements.end()) add_words(count->second, m_counts);
  }
  for (const OutlinedVariable& variable : facts.variables) {
    for (const Tokens& extent : variable.extents) add_words(joined(extent), m_counts);
  }
  for (const std::string& threads : facts.launch.block) add_words(threads, m_of_launch);
  for (const std::string& word : facts.kernel.launch_bounds) m_of_launch.insert(word);
  read_template();
  const std::vector<std::string> of_entry = template_arguments(m_entry);
  for (const SettableMacro& macro : facts.macros) {
    const bool is_taken = std::find(of_entry.begin(), of_entry.end(), macro.name) != of_entry.end();
    if (!is_taken) read_macro(macro);
  }
  for (std::size_t i = 0; i < facts.types.size(); ++i) {
    const ArgumentKind kind = argument_kind(facts, i);
    if (kind == ArgumentKind::size) read_argument(i);
    if (kind == ArgumentKind::structure) read_struct(i);
  }
  const auto has_sizes = [&] { return std::ranges::any_of(m_sizes, &DraftSize::is_extent); };
  if (!has_sizes()) {
    for (const auto& [name, value] : facts.launch.sizes) {
      m_meanings.emplace(name, add_size(name, "from the source's launch", value));
    }
  }
  if (!has_sizes()) read_fixed_sizes();
  for (const auto& [name, value] : facts.constants) {
    m_meanings.emplace(name, std::to_string(value));
  }
  if (!has_sizes()) (void)add_size("n", "elements", std::nullopt);
  std::stable_partition(m_sizes.begin(), m_sizes.end(),
                        [](const auto& size) { return size.choices.empty(); });
}

/// A pitch comes after the sizes that it spans, which may be pitches too: a matrix's stride may be
/// a multiple of its row's.
void SpecDraft::order_pitches() {
  std::stable_partition(m_sizes.begin(), m_sizes.end(),
                        [](const auto& size) { return size.spans.empty(); });
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < m_sizes.size(); ++i) places.emplace(m_sizes[i].name, i);
  std::vector<bool> is_seen(m_sizes.size());
  std::vector<DraftSize> ordered;
  const auto add = [&](const auto& self, std::size_t i) -> void {
    if (is_seen[i]) return;
    is_seen[i] = true;
    for (const std::string& word : source_tokens(translate(m_sizes[i].spans).value_or(""))) {
      const auto spanned = places.find(word);
      if (spanned != places.end()) self(self, spanned->second);
    }
    ordered.push_back(m_sizes[i]);
  };
  for (std::size_t i = 0; i < m_sizes.size(); ++i) add(add, i);
  m_sizes = std::move(ordered);
}

/// Names of sizes and parameters must differ in more than case.
std::string SpecDraft::take_name(const std::string& wanted) {
  std::string name = allowed_name(wanted);
  const std::string begin = name;
  for (int i = 2; !m_taken.insert(in_capitals(name)).second; ++i) {
    name = begin + "_" + std::to_string(i);
  }
  return name;
}

std::string SpecDraft::add_size(const std::string& wanted, const std::string& help,
                                std::optional<std::int64_t> value) {
  std::string name = take_name(wanted);
  if (value && !is_draft_size(*value)) value.reset();
  m_sizes.push_back({name, help, value});
  return name;
}

std::string SpecDraft::add_param(std::string wanted, std::vector<std::int64_t> values,
                                 const std::string& what) {
  while (m_facts.words.contains(wanted)) wanted += wanted.ends_with("_SIZE") ? "_" : "_SIZE";
  return add_own_param(wanted, std::move(values), what);
}

std::string SpecDraft::add_own_param(const std::string& wanted, std::vector<std::int64_t> values,
                                     const std::string& what) {
  std::string name = take_name(wanted);
  const bool has_values = !values.empty();
  values = allowed_values(std::move(values));
  if (has_values && values.empty()) values = guessed_values(name, std::nullopt, false);
  m_params.push_back({name, std::move(values), what});
  return name;
}

void SpecDraft::limit_values(const std::string& param, std::int64_t most) {
  for (DraftParameter& each : m_params) {
    if (each.name != param) continue;
    std::erase_if(each.values, [&](std::int64_t value) { return value > most; });
    if (each.values.empty()) each.values = {most};
  }
}

void SpecDraft::replace_guess(const std::string& param, const std::vector<std::int64_t>& values) {
  for (DraftParameter& each : m_params) {
    const bool is_guess =
        each.words.empty() && each.values == guessed_values(each.name, std::nullopt, false);
    if (each.name == param && is_guess) each.values = values;
  }
}

/// Evidence from the launch outweighs the name.
NameMeaning SpecDraft::meaning(const std::string& name, std::optional<std::int64_t> value) const {
  if (m_of_launch.contains(name)) return NameMeaning::tuned;
  const NameMeaning of_name = meaning_of(name, value);
  const bool counts_elements = m_counts.contains(name) && of_name == NameMeaning::unclear;
  return m_bounds.contains(name) || counts_elements ? NameMeaning::size : of_name;
}

void SpecDraft::add_tuned(const std::string& wanted, const std::string& what,
                          std::vector<std::int64_t> values, bool is_chosen) {
  const bool is_clear = is_chosen || meaning(wanted, std::nullopt) == NameMeaning::tuned;
  const std::string name = add_own_param(
      wanted, std::move(values),
      is_clear ? what : what + "; TODO: a guess; if it is a problem size, move it to [problem]");
  m_meanings.emplace(wanted, name);
  if (!looks_like_block(wanted)) return;  // the launch shows the axis of others
  std::string& block = m_block.at(axis_of(wanted).value_or(0));
  if (block.empty()) block = name;
}

void SpecDraft::read_template() {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < m_facts.kernel.template_parameters.size(); ++i) {
    arguments.push_back(template_argument(i));
  }
  const auto& pack = m_facts.pack_arguments;
  arguments.insert(arguments.end(), pack.begin(), pack.end());
  m_entry = m_facts.kernel.name;
  if (!arguments.empty()) m_entry += fmt::format("<{}>", fmt::join(arguments, ","));
}

/// For the entry.
std::string SpecDraft::template_argument(std::size_t index) {
  const TemplateParameter& parameter = m_facts.kernel.template_parameters[index];
  if (index < m_facts.fixed_arguments) return keep_argument(index);
  if (parameter.is_type || parameter.is_entity) return m_facts.type_argument(index);
  return read_template_value(index);
}

/// An argument that the user has chosen. No size or parameter may have a name of its text.
std::string SpecDraft::keep_argument(std::size_t index) {
  std::string text = m_facts.launch.template_argument(index);
  for (const std::string& word : template_arguments("<" + text + ">")) {
    m_taken.insert(in_capitals(word));
  }
  const auto value = constant_value(source_tokens(text));
  const std::string& name = m_facts.kernel.template_parameters[index].name;
  if (value) m_meanings.emplace(name, std::to_string(*value));
  return text;
}

std::string SpecDraft::read_template_value(std::size_t index) {
  const TemplateParameter& parameter = m_facts.kernel.template_parameters[index];
  const std::string of_host = m_facts.launch.template_argument(index);
  const std::string& name = parameter.name;
  constexpr const char* what = "template parameter";
  const auto words = enumerators_of(parameter, m_facts.kernel, m_facts.declared_types);
  if (!words.empty()) {
    // Its name has no meaning in expressions, which could only compare it with a word.
    std::string param = add_own_param(name, {}, what);
    m_params.back().words = words;
    return param;
  }
  const auto usual = of_host.empty() ? parameter.default_value : std::stoll(of_host);
  const std::string cast = cast_to_type_of(parameter, m_facts.kernel, m_facts.declared_types);
  auto choices =
      m_of_launch.contains(name) ? std::nullopt : result_choices(parameter, m_facts.kernel);
  if (choices) {
    return cast + add_choice(name, std::move(*choices), usual.value_or(parameter.is_bool ? 0 : -1));
  }
  const bool is_size = !parameter.is_bool && is_draft_size(usual.value_or(1)) &&
                       meaning(name, usual) == NameMeaning::size;
  if (is_size) {
    const bool is_setting = looks_like_setting(name);
    m_meanings.emplace(name, add_size(name, what, usual.value_or(is_setting ? 4 : compiled_size)));
    m_sizes.back().is_extent = !is_setting;
    return cast + m_sizes.back().name;
  }
  std::vector<std::int64_t> values = guessed_values(name, usual, parameter.is_bool);
  const bool has_several =
      index < m_facts.instantiated.size() && m_facts.instantiated[index].size() > 1;
  if (has_several) values = m_facts.instantiated[index];
  std::ranges::sort(values);
  add_tuned(name, what, values, parameter.is_bool);
  return cast + m_params.back().name;
}

std::string SpecDraft::add_choice(const std::string& name, std::vector<std::int64_t> values,
                                  std::int64_t usual) {
  if (usual < 0) usual = values.front();
  values.push_back(usual);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  m_sizes.push_back(
      {take_name(name), "template parameter, selects what is computed", usual, false});
  m_sizes.back().choices = std::move(values);
  m_meanings.emplace(name, m_sizes.back().name);
  return m_sizes.back().name;
}

/// The kernel has no size as an argument, a macro or a template parameter: its own constants are
/// the problem's, `#define WIDTH 4096`.
void SpecDraft::read_fixed_sizes() {
  for (const auto& [name, value] : m_facts.fixed) {
    if (meaning(name, value) != NameMeaning::size) continue;
    m_meanings.emplace(name, add_size(name, "the source defines it", value));
    const bool is_named = std::ranges::find(m_facts.kernel.body, name) != m_facts.kernel.body.end();
    m_sizes.back().is_fixed = is_named && m_sizes.back().value.has_value();
  }
}

void SpecDraft::read_macro(const SettableMacro& macro) {
  const NameMeaning means =
      macro.values.empty() ? meaning(macro.name, macro.value) : NameMeaning::tuned;
  if (means == NameMeaning::constant) {
    if (!macro.value) m_options.push_back("-D" + macro.name + "=1.0f");
    return;
  }
  if (means == NameMeaning::size) {
    const std::string name =
        add_size(macro.name, "macro of the source", macro.value.value_or(compiled_size));
    m_macros.push_back(fmt::format("{} = \"{}\"", macro.name, name));
    m_meanings.emplace(macro.name, name);
    return;
  }
  const bool is_chosen = !macro.values.empty();
  std::string what = "macro of the source";
  if (!macro.similar.empty()) {
    what = "the source uses but does not define it; TODO: if '" + macro.similar +
           "' is meant, mend the source";
  }
  add_tuned(macro.name, what,
            is_chosen ? macro.values : guessed_values(macro.name, macro.value, false), is_chosen);
  const std::string& name = m_params.back().name;
  if (name != macro.name) m_macros.push_back(fmt::format("{} = \"{}\"", macro.name, name));
}

void SpecDraft::read_argument(std::size_t index) {
  const std::string wanted = argument_name(m_facts, index);
  const bool is_setting = (looks_like_setting(wanted) && !m_bounds.contains(wanted)) ||
                          is_of_bits(m_facts.kernel.body, wanted);
  const bool is_of_tables = looks_like_batch(wanted) && has_pointer_table(m_facts);
  std::optional<std::int64_t> value;
  if (is_setting) value = 1;
  if (is_of_tables) value = tables_of_a_batch;
  const auto passed = constant_value(source_tokens(m_facts.launch.argument(index)));
  if (passed && *passed > 0 && !is_of_tables) value = passed;
  m_meanings.emplace(wanted, add_size(wanted, "argument " + wanted, value));
  m_sizes.back().is_extent = !is_setting && !is_of_tables;
  if (!value) note_pitch(wanted);
}

/// The size that was added last may be a pitch, which is no extent of its own.
void SpecDraft::note_pitch(const std::string& spelled) {
  const auto span = m_spans.find(spelled);
  if (span == m_spans.end() || !looks_like_pitch(m_sizes.back().name)) return;
  m_sizes.back().spans = span->second;
  m_sizes.back().is_extent = false;
}

std::optional<std::string> SpecDraft::default_of_pitch(const DraftSize& size) const {
  if (size.spans.empty()) return std::nullopt;
  auto text = translate(size.spans);
  const Tokens words = text ? source_tokens(*text) : Tokens();
  // A grid's extent may itself follow from a pitch.
  const bool is_known = std::ranges::none_of(words, [&](const std::string& word) {
    return word == size.name || std::ranges::any_of(m_sizes, [&](const DraftSize& other) {
             const bool is_later = &other >= &size && !other.spans.empty();
             return other.name == word && is_later;
           });
  });
  return text && is_known && !names_parameter(*text) ? text : std::nullopt;
}

/// A struct's integers become sizes: the source's "params.n" becomes n.
void SpecDraft::read_struct(std::size_t index) {
  const auto layout = layout_of_argument(m_facts, index);
  if (!layout) return;
  const std::string argument = argument_name(m_facts, index);
  for (const LaidMember& member : layout->members) {
    if (!is_size_member(member)) continue;
    const std::string short_name = member.name.substr(member.name.rfind('.') + 1);
    const std::string spelled = argument + "." + member.name;
    const bool is_setting = looks_like_setting(short_name);
    m_meanings.emplace(spelled,
                       add_size(short_name, "member " + spelled,
                                is_setting ? std::optional<std::int64_t>(1) : std::nullopt));
    m_sizes.back().is_extent = !is_setting;
    m_sizes.back().structure = argument;
    note_pitch(spelled);
  }
}

std::optional<std::string> SpecDraft::translate(const std::string& text) const {
  std::string translated;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && (is_identifier_part(text[end]) || text[end] == '.')) ++end;
    const std::string word = text.substr(at, end - at);
    if (end == at || is_number(word)) {
      translated += end == at ? text.substr(end++, 1) : word;
    } else if (const auto meaning = m_meanings.find(word); meaning != m_meanings.end()) {
      const bool is_whole = word == text;
      const bool is_safe = is_whole || is_plain(meaning->second);
      translated += is_safe ? meaning->second : "(" + meaning->second + ")";
    } else if (find_function(word) != nullptr) {
      translated += word;
    } else {
      return std::nullopt;
    }
    at = end;
  }
  return is_draft_expression(translated) ? std::optional(translated) : std::nullopt;
}

bool SpecDraft::names_parameter(const std::string& text) const {
  const Tokens tokens = source_tokens(text);
  return std::any_of(m_params.begin(), m_params.end(), [&](const DraftParameter& param) {
    return std::find(tokens.begin(), tokens.end(), param.name) != tokens.end();
  });
}

void SpecDraft::set_meaning(const std::string& word, const std::string& text) {
  m_meanings.insert_or_assign(word, text);
}

std::string SpecDraft::product(const std::string& structure) const {
  const bool has_members = std::any_of(m_sizes.begin(), m_sizes.end(), [&](const DraftSize& size) {
    return size.is_extent && size.structure == structure;
  });
  std::string text;
  for (const DraftSize& size : m_sizes) {
    const bool counts = structure.empty() || !has_members || size.structure == structure;
    if (size.is_extent && counts) text += (text.empty() ? "" : " * ") + size.name;
  }
  return is_draft_expression(text) ? text : m_sizes.front().name;
}

std::string SpecDraft::extent_along(std::size_t axis) const {
  for (const DraftSize& size : m_sizes) {
    if (size.is_extent && axis_of(size.name) == axis) return size.name;
  }
  return "";
}

std::string SpecDraft::extent(std::size_t index) const {
  for (const DraftSize& size : m_sizes) {
    if (size.is_extent && index-- == 0) return size.name;
  }
  return m_sizes.front().name;
}

std::string SpecDraft::extent_of_grid(const std::set<std::string>& others) const {
  const Tokens& body = m_facts.kernel.body;
  for (const DraftSize& size : m_sizes) {
    const bool is_argument = m_meanings.contains(size.name) && size.structure.empty();
    const bool is_named = std::find(body.begin(), body.end(), size.name) != body.end();
    if (size.is_extent && is_argument && !is_named && !others.contains(size.name)) return size.name;
  }
  return "";
}

std::string SpecDraft::batch() const {
  for (const DraftSize& size : m_sizes) {
    if (looks_like_batch(size.name)) return size.name;
  }
  return "";
}

}  // namespace gtune
