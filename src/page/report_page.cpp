#include "page/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "embedded/page.css.hpp"
#include "embedded/page.js.hpp"
#include "model/words.hpp"
#include "page/figure.hpp"
#include "page/page_data.hpp"
#include "page/problem_parts.hpp"
#include "page/shapes_part.hpp"
#include "report/chart.hpp"
#include "report/checked_text.hpp"
#include "report/document_html.hpp"
#include "report/heading.hpp"
#include "report/markup_text.hpp"
#include "report/timing_text.hpp"
#include "spec/problem_text.hpp"
#include "system/hash.hpp"

namespace gtune {
namespace {

/// Builds the page's contents, their table and the data of its script side by side.
class PageWriter {
 public:
  explicit PageWriter(const PageContents& contents) : m_contents(contents) {}

  [[nodiscard]] std::string page() && {
    if (m_contents.is_overview) add_overview();
    for (std::size_t i = 0; i < m_contents.kernels.size(); ++i) {
      add_kernel(m_contents.kernels[i], fmt::format("kernel{}", i + 1));
    }
    add_metrics();
    const std::string style = std::string(embedded::k_page_css) + chart_colours();
    const std::string script(embedded::k_page_js);
    return head(style, script) + "<body>\n<header>\n<h1>" + markup_text(title()) + "</h1>\n" +
           paragraph(m_contents.database) + "</header>\n<nav aria-label=\"Contents\">\n<ul>\n" +
           m_links + "</ul>\n</nav>\n<main>\n" + m_main +
           "</main>\n<script type=\"application/json\" id=\"data\">" +
           script_text("{\"problems\":[" + m_data + "]}") + "</script>\n<script>" + script +
           "</script>\n</body>\n</html>\n";
  }

 private:
  [[nodiscard]] std::string title() const {
    if (m_contents.is_overview) return "gtune: all kernels of a database";
    return "gtune: " + kernel_title(*m_contents.kernels.front().spec);
  }

  /// The policy allows nothing but the style sheet and the script with these contents.
  [[nodiscard]] std::string head(const std::string& style, const std::string& script) const {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n"
        "<style>{}</style>\n</head>\n",
        base64_digest(style), base64_digest(script), markup_text(title()), style);
  }

  /// Links to the parts of many problems would hide the problems.
  [[nodiscard]] bool has_few_problems() const {
    constexpr std::size_t few = 3;
    std::size_t problems = 0;
    for (const KernelRecord& kernel : m_contents.kernels) problems += kernel.problems.size();
    return problems <= few;
  }

  void add_link(const std::string& id, const std::string& text, int depth) {
    m_links += fmt::format("<li class=\"depth{}\"><a href=\"#{}\">{}</a></li>\n", depth, id,
                           wrapping_text(text));
  }

  void add_overview() {
    Table table({text_column("kernel"), text_column("problems"), text_column("devices"),
                 text_column("what it does")});
    for (const KernelRecord& kernel : m_contents.kernels) {
      std::vector<std::string> devices;
      for (const ProblemBest& each : kernel.best) {
        const std::string name =
            each.row.device.name + (each.row.device.replayed ? " (replayed)" : "");
        if (std::find(devices.begin(), devices.end(), name) == devices.end()) {
          devices.push_back(name);
        }
      }
      table.row({kernel.spec->name, kernel.best.size(), fmt::format("{}", fmt::join(devices, ", ")),
                 kernel.spec->help});
    }
    add_link("overview", "Overview", 1);
    m_main += heading_element(2, "overview", "Overview") + html_of(table);
    Table unshown({text_column("not shown"), text_column("why")});
    for (const UnshownKernel& each : m_contents.unshown) unshown.row({each.name, each.why});
    m_main += html_of(unshown);
  }

  void add_metrics() {
    const std::string table = metrics_part(m_contents.kernels, m_contents.metrics);
    if (table.empty()) return;
    add_link("metrics", "What the metrics mean", 1);
    m_main += heading_element(2, "metrics", "What the metrics mean") + table;
  }

  void add_kernel(const KernelRecord& record, const std::string& id) {
    add_link(id, record.spec->name, 1);
    m_main += "<section class=\"kernel\">\n" + heading_element(2, id, kernel_title(*record.spec));
    const bool is_one = record.best.size() == 1 && record.problems.size() == 1;
    if (is_one) m_main += lead_part(record.problems.front());
    if (!record.spec->help.empty()) m_main += paragraph(record.spec->help);
    m_main += vocabulary_part(*record.spec);
    if (record.best.size() > 1) {
      add_link(id + "-shapes", "All problems", 2);
      m_main += shapes_part(record, id);
    }
    if (record.problems.size() < record.best.size()) {
      m_main += paragraph(fmt::format(
          "Shown in detail: {} of {}, those with metrics or the most configurations. Name the "
          "sizes of another to see it.",
          record.problems.size(), counted(record.best.size(), "problem")));
    }
    for (std::size_t i = 0; i < record.problems.size(); ++i) {
      add_problem(record, record.problems[i], fmt::format("{}-problem{}", id, i + 1), i == 0,
                  !is_one);
    }
    m_main += "</section>\n";
  }

  /// `is_open`: whether the reader sees more than its heading at first. `with_lead`: unless the
  /// lead is at the top of the page.
  void add_problem(const KernelRecord& kernel, const ProblemRecord& record, const std::string& id,
                   bool is_open, bool with_lead) {
    const KernelSpec& spec = *kernel.spec;
    const BestRow& row = record.best.row;
    const std::string name = problem_text(spec, row.problem);
    const std::string which = which_device(kernel, row);
    add_link(id, (name.empty() ? "Result" : name) + which, 2);
    const ProblemPlace place{id, m_problems++};
    m_main +=
        std::string("<details class=\"problem\"") + (is_open ? " open" : "") + "><summary>" +
        heading_element(
            3, id,
            heading(spec, row.problem, row.device.name, row.device.replayed, row.mode) + which) +
        "</summary>\n";
    if (with_lead) m_main += lead_part(record);
    add_part(answer_part(spec, record, place), id + "-answer", "Answer");
    add_part(search_part(spec, record, place), id + "-search", "Search");
    add_part(effects_part(spec, record, place), id + "-effects", "What matters");
    add_part(limits_part(spec, record, place), id + "-limits", "What limits it");
    add_part(lines_part(record, kernel.texts, place), id + "-lines", "Where it waits");
    add_part(history_part(spec, record, place), id + "-history", "History");
    m_main += "</details>\n";
    m_data += (m_data.empty() ? "" : ",\n") + problem_data(spec, record);
  }

  /// The start of the device's UUID, if another one of its name has the same problem.
  static std::string which_device(const KernelRecord& kernel, const BestRow& row) {
    constexpr std::size_t start = 12;  // of "GPU-5273ba45-ed7c-..."
    const bool is_alone = std::ranges::none_of(kernel.best, [&](const ProblemBest& each) {
      return each.row.problem == row.problem && each.row.device.name == row.device.name &&
             each.row.device.uuid != row.device.uuid;
    });
    return is_alone ? "" : ", " + row.device.uuid.substr(0, start);
  }

  void add_part(const std::string& part, const std::string& id, const std::string& name) {
    if (part.empty()) return;
    if (has_few_problems()) add_link(id, name, 3);
    m_main += "<section class=\"part\">\n" + part + "</section>\n";
  }

  const PageContents& m_contents;
  std::string m_links;
  std::string m_main;
  std::string m_data;
  std::size_t m_problems = 0;
};

}  // namespace

std::string report_page(const PageContents& contents) { return PageWriter(contents).page(); }

}  // namespace gtune
