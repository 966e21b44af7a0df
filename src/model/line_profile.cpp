#include "model/line_profile.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/one_line.hpp"

namespace gtune {

using nlohmann::json;

std::uint64_t total_of(const SampleCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each.second; });
}

namespace {

constexpr std::size_t k_longest_sampled_name = 200;  // bytes
constexpr std::size_t k_longest_declaration = 2000;

/// Names that become equal are one.
SampleCounts presentable(const SampleCounts& counts) {
  SampleCounts shown;
  for (const auto& [name, samples] : counts)
    shown[one_line(name, k_longest_sampled_name)] += samples;
  return shown;
}

}  // namespace

LineProfile presentable(LineProfile profile) {
  for (LineSamples& line : profile.lines) {
    line.file = one_line(line.file, k_longest_declaration);
    line.function = one_line(line.function, k_longest_declaration);
    line.stalls = presentable(line.stalls);
    line.opcodes = presentable(line.opcodes);
    for (InstructionSamples& each : line.hottest) {
      each.opcode = one_line(each.opcode, k_longest_sampled_name);
      each.stall = one_line(each.stall, k_longest_sampled_name);
    }
  }
  return profile;
}

namespace {

/// Texts that occur many times, each with its place in a list.
class TextList {
 public:
  std::size_t place_of(const std::string& text) {
    const auto [found, is_new] = m_places.emplace(text, m_places.size());
    if (is_new) m_texts.push_back(text);
    return found->second;
  }
  [[nodiscard]] const json& texts() const { return m_texts; }

 private:
  std::map<std::string, std::size_t> m_places;
  json m_texts = json::array();
};

using Texts = std::vector<std::string>;

/// Many lines refer to one text: it is shortened before it is copied.
Texts texts_from(const json& in, std::size_t longest) {
  if (!in.is_array()) throw std::invalid_argument("no list of texts");
  Texts texts;
  for (const json& text : in) texts.push_back(one_line(text.get<std::string>(), longest));
  return texts;
}

const std::string& text_at(const Texts& texts, const json& place) {
  const auto index = place.get<std::size_t>();
  if (index >= texts.size()) throw std::invalid_argument("a text that is not listed");
  return texts[index];
}

/// [place, samples, place, samples, ...]
json counts_json(const SampleCounts& counts, TextList& names) {
  json out = json::array();
  for (const auto& [name, samples] : counts) {
    out.push_back(names.place_of(name));
    out.push_back(samples);
  }
  return out;
}

SampleCounts counts_from(const json& in, const Texts& names) {
  if (!in.is_array() || in.size() % 2 != 0) throw std::invalid_argument("no list of samples");
  SampleCounts counts;
  for (std::size_t i = 0; i < in.size(); i += 2) {
    counts[text_at(names, in[i])] += in[i + 1].get<std::uint64_t>();
  }
  return counts;
}

/// [offset, opcode, samples, stall]
json instruction_json(const InstructionSamples& instruction, TextList& names) {
  return {instruction.offset, names.place_of(instruction.opcode), instruction.samples,
          names.place_of(instruction.stall)};
}

InstructionSamples instruction_from(const json& in, const Texts& names) {
  return {in.at(0).get<std::uint64_t>(), text_at(names, in.at(1)), in.at(2).get<std::uint64_t>(),
          text_at(names, in.at(3))};
}

LineSamples line_from(const json& in, const Texts& files, const Texts& functions,
                      const Texts& names) {
  LineSamples line;
  line.file = text_at(files, in.at("file"));
  in.at("line").get_to(line.line);
  line.function = text_at(functions, in.at("function"));
  line.stalls = counts_from(in.at("stalls"), names);
  line.opcodes = counts_from(in.at("opcodes"), names);
  in.at("instructions").get_to(line.instructions);
  const json& hottest = in.at("hottest");
  if (hottest.size() > k_most_hottest) throw std::invalid_argument("too many instructions");
  for (const json& each : hottest) line.hottest.push_back(instruction_from(each, names));
  return line;
}

}  // namespace

void to_json(json& out, const LineProfile& profile) {
  TextList files, functions, names;
  json lines = json::array();
  for (const LineSamples& line : profile.lines) {
    json hottest = json::array();
    for (const auto& each : line.hottest) hottest.push_back(instruction_json(each, names));
    lines.push_back({{"file", files.place_of(line.file)},
                     {"line", line.line},
                     {"function", functions.place_of(line.function)},
                     {"stalls", counts_json(line.stalls, names)},
                     {"opcodes", counts_json(line.opcodes, names)},
                     {"instructions", line.instructions},
                     {"hottest", std::move(hottest)}});
  }
  out = {{"period_cycles", profile.period_cycles},
         {"launches", profile.launches},
         {"samples", profile.samples},
         {"dropped", profile.dropped},
         {"files", files.texts()},
         {"functions", functions.texts()},
         {"names", names.texts()},
         {"lines", std::move(lines)}};
}

void from_json(const json& in, LineProfile& profile) {
  in.at("period_cycles").get_to(profile.period_cycles);
  in.at("launches").get_to(profile.launches);
  in.at("samples").get_to(profile.samples);
  in.at("dropped").get_to(profile.dropped);
  const json& lines = in.at("lines");
  if (lines.size() > k_most_lines) throw std::invalid_argument("too many source lines");
  const Texts files = texts_from(in.at("files"), k_longest_declaration);
  const Texts functions = texts_from(in.at("functions"), k_longest_declaration);
  const Texts names = texts_from(in.at("names"), k_longest_sampled_name);
  profile.lines.clear();
  for (const json& line : lines) profile.lines.push_back(line_from(line, files, functions, names));
}

}  // namespace gtune
