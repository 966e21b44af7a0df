#include "spec/shapes_file.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "model/error.hpp"
#include "spec/problem_sizes.hpp"
#include "spec/suggestion.hpp"

namespace gtune {
namespace {

std::string stripped(std::string text) {
  const char* blank = " \t\r";
  text.erase(0, text.find_first_not_of(blank));
  text.erase(text.find_last_not_of(blank) + 1);
  return text;
}

std::vector<std::string> fields_of(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  for (;;) {
    const std::size_t end = line.find(separator, from);
    fields.push_back(stripped(line.substr(from, end - from)));
    if (end == std::string::npos) return fields;
    from = end + 1;
  }
}

class ShapeReader {
 public:
  explicit ShapeReader(const KernelSpec& spec) : m_spec(spec) {}

  /// `line`: without its comment.
  void read(const std::string& line) {
    constexpr std::size_t longest = 1000;
    if (line.size() > longest)
      fail("the line has " + std::to_string(line.size()) + " bytes; a shape has at most 1000");
    const bool digit = line.front() >= '0' && line.front() <= '9';
    if (m_columns.empty() && !digit) {
      read_columns(line);
    } else {
      add(m_columns.empty() ? by_place(fields_of(line, 'x')) : by_name(fields_of(line, ',')));
    }
  }

  [[nodiscard]] std::vector<Problem> take() { return std::move(m_problems); }

 private:
  using Given = std::map<std::string, std::vector<std::int64_t>>;

  [[noreturn]] static void fail(const std::string& what) { throw UserError(ExitCode::usage, what); }

  void read_columns(const std::string& line) {
    for (const std::string& name : fields_of(line, ',')) {
      if (std::find(m_columns.begin(), m_columns.end(), name) != m_columns.end()) {
        fail("'" + name + "' is named twice");
      }
      std::vector<std::string> known;
      for (const ProblemSize& size : m_spec.sizes) known.push_back(size.name);
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        fail("kernel '" + m_spec.name + "' has no problem size '" + name + "'" +
             did_you_mean(name, known));
      }
      m_columns.push_back(name);
    }
  }

  /// One value, not a list or range.
  [[nodiscard]] std::vector<std::int64_t> value(const std::string& name,
                                                const std::string& text) const {
    const auto size = std::find_if(m_spec.sizes.begin(), m_spec.sizes.end(),
                                   [&](const ProblemSize& each) { return each.name == name; });
    std::vector<std::int64_t> values = parse_sizes(*size, text);
    if (values.size() != 1) fail("'" + text + "' is not a single size");
    return values;
  }

  [[nodiscard]] Given by_name(const std::vector<std::string>& fields) const {
    if (fields.size() != m_columns.size()) {
      fail("expected " + std::to_string(m_columns.size()) + " values, there are " +
           std::to_string(fields.size()));
    }
    Given given;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      given[m_columns[i]] = value(m_columns[i], fields[i]);
    }
    return given;
  }

  [[nodiscard]] Given by_place(const std::vector<std::string>& fields) const {
    if (fields.size() > m_spec.sizes.size()) {
      fail("more sizes than the kernel has; expected at most " +
           std::to_string(m_spec.sizes.size()));
    }
    Given given;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      given[m_spec.sizes[i].name] = value(m_spec.sizes[i].name, fields[i]);
    }
    return given;
  }

  void add(const Given& given) {
    for (Problem& problem : expand_problems(m_spec, given)) {
      if (m_known.insert(problem.text()).second) m_problems.push_back(std::move(problem));
    }
  }

  const KernelSpec& m_spec;
  std::vector<std::string> m_columns;  // empty: the spec's order
  std::vector<Problem> m_problems;
  std::set<std::string> m_known;
};

/// Bytes, without a byte order mark.
std::string text_of(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = std::size_t{1} << 24;
  std::ifstream in(file, std::ios::binary);  // may be a pipe: --shapes <(COMMAND)
  if (!in || std::filesystem::is_directory(file)) {
    throw UserError(ExitCode::usage, file.string() + " cannot be read: give a file of shapes");
  }
  std::string text(most_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > most_bytes) {
    throw UserError(ExitCode::usage,
                    file.string() + " has more than 16 MiB: give a file of shapes");
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  return text;
}

}  // namespace

std::vector<Problem> read_shapes(const KernelSpec& spec, const std::filesystem::path& file) {
  std::istringstream in(text_of(file));
  ShapeReader reader(spec);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = stripped(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      reader.read(line);
    } catch (const UserError& error) {
      throw UserError(ExitCode::usage,
                      file.string() + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  std::vector<Problem> problems = reader.take();
  if (problems.empty()) {
    throw UserError(ExitCode::usage, file.string() +
                                         ": no shapes in it; expected lines such as "
                                         "1024x1024, or CSV with a line of names");
  }
  return problems;
}

}  // namespace gtune
