#include "report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/format.h"
#include "report/html.h"
#include "report/notes.h"
#include "report/page_data.h"
#include "report/page_files.h"
#include "report/prediction_document.h"
#include "report/run_document.h"

namespace headroom {
namespace {

constexpr size_t most_of_a_page = 4500 * 1000;  // bytes of its data

// In this order: later ones use names of those before.
constexpr const char* page_scripts[] = {"base.js",     "chart.js",     "table.js",
                                        "roofline.js", "occupancy.js", "access.js",
                                        "source.js",   "kernel.js",    "main.js"};

std::string page_file(std::string_view name) {
  const auto files = embedded_page();
  const auto found = std::ranges::find_if(
      files, [&](const EmbeddedFile& file) { return file.path.ends_with(name); });
  return found->text;
}

std::string all_scripts() {
  std::string text;
  for (const char* name : page_scripts) text += page_file(std::string("/") + name);
  return text;
}

// "</script>" in a name must not end the data.
std::string in_script(std::string json) {
  for (size_t at = 0; (at = json.find('<', at)) != json.npos; at += 6)
    json.replace(at, 1, "\\u003c");
  return json;
}

std::string figure(std::string_view title, const std::string& value, std::string_view unit) {
  return fmt::format("<div><dt>{}</dt><dd>{}{}{}{}</dd></div>\n", title, value,
                     unit.empty() ? "" : " <small>", unit, unit.empty() ? "" : "</small>");
}

std::string figures(const Explanation& report) {
  std::string text = figure("launches", text::grouped(report.launches.size()), "") +
                     figure("kernels", text::grouped(report.kernel_names), "");
  if (report.predicted_seconds)
    text += figure("predicted, all launches", text::microseconds(*report.predicted_seconds), "µs");
  text +=
      figure("sum of the largest floors",
             text::marked(text::microseconds(report.total_seconds), report.total_estimated), "µs");
  text += figure("findings", text::grouped(report.findings.size()), "");
  return "<dl class=\"figures\">\n" + text + "</dl>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& content) {
  if (content.empty()) return "";
  return fmt::format("<section id=\"{}\">{}{}</section>\n", id,
                     title.empty() ? "" : fmt::format("<h2>{}</h2>\n", title), content);
}

std::string header(const Explanation& report) {
  return fmt::format(
      "<header><p class=\"kicker\">headroom run on {}</p>\n<h1>{}</h1>\n"
      "<p class=\"soft\">{}</p>\n{}</header>\n",
      html_escaped(report.machine.title),
      html_escaped(fmt::format("{}", fmt::join(report.command, " "))),
      html_escaped(how_it_ended(report.end)), figures(report));
}

// Under their own heading they need no word before each.
std::string caveats_of_run(const Explanation& report) {
  List list = caveats_list(report);
  constexpr std::string_view word = "caveat: ";
  for (std::string& item : list.items)
    if (item.starts_with(word)) item.erase(0, word.size());
  return html_blocks({"", {list}});
}

std::string next_of(const Explanation& report) {
  const List steps = next_steps(report);
  return steps.items.empty() ? "" : html_blocks({"", {steps}});
}

}  // namespace

std::string run_page(const Explanation& report) {
  const Document whole = run_document(report);
  std::string page = html_head(fmt::format("headroom: {}", fmt::join(report.command, " ")));
  page += header(report) + "<main>\n";
  page += section("findings", "", html_blocks(findings_told(report.findings)));
  if (!report.launches.empty()) {
    page += "<section id=\"kernels\"><h2>Kernels</h2>\n<div id=\"table\"></div></section>\n";
    page += section("next", "What to do next", next_of(report));
    page += "<section><h2>Roofline</h2>\n<div id=\"roofline\"></div></section>\n";
    page += "<section id=\"kernel\" hidden></section>\n";
  }
  if (!report.caveats.empty()) page += section("caveats", "Caveats", caveats_of_run(report));
  page += "<noscript><hr>" + html_blocks(whole) + "</noscript>\n</main>\n";
  page +=
      "<footer><p>Floors are lower bounds, predicted times are a model's; neither was "
      "measured.</p></footer>\n";
  page += "<script type=\"application/json\" id=\"data\">" +
          in_script(page_data(report, most_of_a_page)) + "</script>\n<script>\n(() => {\n" +
          all_scripts() + "})();\n</script>\n</body></html>\n";
  return page;
}

}  // namespace headroom
