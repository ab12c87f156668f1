#include "lab/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/grid.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/text.h"

namespace headroom {
namespace {

constexpr const char* reading =
    "published: as the source printed it; predicted: by our model, for a machine; measured: on a "
    "GPU. –: unknown, or no answer; ≤: at most; !: the source contradicts itself";

std::string heading(const Lab& lab) {
  return fmt::format("The sources' tables, predicted for {} ({})", lab.machine.title,
                     lab.machine.name);
}

// A heading and a grid for each table. On a terminal the source stands beside the heading, on a
// page behind the title.
void add_tables(const Lab& lab, bool on_terminal, Document& document) {
  for (const LabTable& each : lab.tables) {
    const std::string title = title_of(each.published), origin = origin_of(each.published);
    Grid grid = grid_of(each, lab.machine.name);
    grid.lead = on_terminal ? title : fmt::format("{}. {}.", title, origin);
    document.add(Heading{2, each.published.name, on_terminal ? origin : ""});
    document.add(std::move(grid));
  }
}

// Where the figures are from, and what is doubtful about all.
std::vector<std::string> remarks(const Lab& lab) {
  std::vector<std::string> result;
  for (const std::string& line : provenance(lab)) result.push_back("measured: " + line);
  for (const Caveat& caveat : lab.caveats) result.push_back("caveat: " + sentence(caveat));
  return result;
}

}  // namespace

std::string lab_text(const Lab& lab, const Style& style) {
  Document document{"headroom reproduce", {Heading{1, heading(lab)}}};
  document.add(Paragraph{reading, Tone::plain, 0, 0});
  for (std::string& line : remarks(lab))
    document.add(Paragraph{std::move(line), Tone::plain, 0, 2});
  add_tables(lab, true, document);
  return draw_text(document, style);
}

std::string lab_markdown(const Lab& lab) {
  Document document{"headroom reproduce", {Heading{1, "Published, predicted, measured"}}};
  document.add(Paragraph{fmt::format("Written by `headroom reproduce`. {}.", heading(lab))});
  document.add(Paragraph{fmt::format("{}.", reading)});
  const auto lines = provenance(lab);
  if (!lines.empty())
    document.add(Paragraph{"Measured (commands, clocks and all rows stand in the files):"});
  document.add(List{lines});
  for (const Caveat& caveat : lab.caveats) document.add(Paragraph{"Caveat: " + sentence(caveat)});
  add_tables(lab, false, document);
  return draw_markdown(document);
}

std::string lab_html(const Lab& lab) {
  Document document{"headroom reproduce", {Heading{1, heading(lab)}}};
  document.add(Paragraph{reading});
  document.add(List{remarks(lab)});
  add_tables(lab, false, document);
  return draw_html(document);
}

std::string lab_list_text(const std::vector<PublishedStudy>& studies, const Style& style) {
  Grid grid{.columns = {{"table", Align::left},
                        {"rows"},
                        {"source", Align::left, Give::words},
                        {"GPU", Align::left, Give::words},
                        {"", Align::left}},
            .indent = 0};
  for (const PublishedStudy& study : studies) {
    for (const PublishedTable& each : study.tables) {
      const bool doubtful = std::ranges::any_of(
          each.rows, [](const PublishedRow& row) { return row.contradiction.has_value(); });
      grid.rows.push_back({each.name, std::to_string(each.rows.size()),
                           fmt::format("[{}] {}", each.source, each.page), each.gpu,
                           doubtful ? "!" : ""});
    }
  }
  return draw_text({"headroom reproduce --list", {std::move(grid)}}, style);
}

}  // namespace headroom
