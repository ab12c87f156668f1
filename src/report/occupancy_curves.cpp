#include "report/occupancy_curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"

namespace headroom {
namespace {

constexpr int columns = 40;  // of a line of bars

const OccupancyStep& step_at(const OccupancyCurve& curve, double x) {
  auto above = std::ranges::upper_bound(curve.steps, x, {}, &OccupancyStep::from);
  return above == curve.steps.begin() ? *above : *(above - 1);
}

double first_of(const OccupancyCurve& curve) { return curve.steps.front().from; }

// Each column shows the most warps of the values it stands for, so that no peak is lost.
std::string bars(const OccupancyCurve& curve, double most) {
  static constexpr const char* levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  const double first = first_of(curve), width = (curve.last - first) / columns;
  for (int i = 0; i < columns; ++i) {
    const double begin = first + i * width, end = begin + width;
    int warps = step_at(curve, begin).warps;
    for (const OccupancyStep& step : curve.steps)
      if (step.from >= begin && step.from < end) warps = std::max(warps, step.warps);
    line += levels[warps == 0 ? 0 : std::max(1, int(std::lround(8 * warps / most)))];
  }
  return line;
}

std::string amount(const OccupancyCurve& curve, double x) {
  if (curve.unit != "B") return fmt::format("{:g}", x);
  return x < 1024 ? fmt::format("{:g} B", x) : fmt::format("{:.4g} KiB", x / 1024);
}

std::string escaped(std::string_view words) {
  std::string result;
  for (const char c : words)
    result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

// Where a panel lies, and how it maps values to pixels.
struct Panel {
  double left, top, first, last, most;
  static constexpr double width = 250, height = 130;
  double x(double value) const {
    return left + width * (value - first) / std::max(1.0, last - first);
  }
  double y(double warps) const { return top + height * (1 - warps / most); }
};

std::string panel(const OccupancyCurve& curve, const Panel& at) {
  const double bottom = at.top + at.height;
  std::string svg;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double warps = at.most * quarter / 4;
    svg += fmt::format(R"(<line class="grid" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>)"
                       R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{:g}</text>)",
                       at.left, at.y(warps), at.left + at.width, at.y(warps), at.left - 5,
                       at.y(warps) + 4, warps);
  }
  std::string path;
  for (size_t i = 0; i < curve.steps.size(); ++i) {
    const OccupancyStep& step = curve.steps[i];
    const double end = i + 1 < curve.steps.size() ? curve.steps[i + 1].from : curve.last;
    path += fmt::format("{}{:.1f},{:.1f}H{:.1f}", i ? "L" : "M", at.x(step.from), at.y(step.warps),
                        at.x(end));
  }
  svg += fmt::format(R"(<path class="curve" d="{}"/>)", path);
  if (curve.here && *curve.here >= at.first && *curve.here <= curve.last)
    svg += fmt::format(R"(<circle class="here" cx="{:.1f}" cy="{:.1f}" r="4.5"/>)",
                       at.x(*curve.here), at.y(step_at(curve, *curve.here).warps));
  for (int third = 0; third <= 2; ++third) {
    const double x = at.first + (curve.last - at.first) * third / 2;
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", at.x(x),
                       bottom + 15, amount(curve, curve.unit == "B" ? x : std::round(x)));
  }
  svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}{}</text>)",
                     at.left + at.width / 2, bottom + 32, curve.over,
                     curve.here ? ", here " + amount(curve, *curve.here) : "");
  return svg;
}

constexpr const char* style =
    "text{font:11px sans-serif;fill:#222}.title{font-size:13px;font-weight:bold}.ground{fill:#fff}"
    ".grid{stroke:#ddd}.curve{fill:none;stroke:#1f5fa8;stroke-width:2}.here{fill:#c2562f}"
    "@media(prefers-color-scheme:dark){text{fill:#d5dbe1}.ground{fill:#14181d}"
    ".grid{stroke:#333b44}.curve{stroke:#6aa5d8}}";

}  // namespace

Document occupancy_curves_document(const Machine& machine,
                                   const std::vector<OccupancyCurve>& curves) {
  const double most = machine.max_warps_per_sm.value_or(1);
  Grid grid{.columns = {{fmt::format("warps of an SM, of {:g}, over", most), Align::left},
                        {"from"},
                        {"", Align::left},
                        {"to", Align::left},
                        {"here", Align::left}}};
  for (const OccupancyCurve& curve : curves) {
    if (curve.steps.empty()) continue;
    std::string here;
    if (curve.here && *curve.here >= first_of(curve) && *curve.here <= curve.last)
      here = fmt::format("{}: {}", amount(curve, *curve.here), step_at(curve, *curve.here).warps);
    grid.rows.push_back({curve.over, amount(curve, first_of(curve)), bars(curve, most),
                         amount(curve, curve.last), here});
  }
  grid.notes.push_back("a column shows the most warps of the values it stands for");
  return {"", {std::move(grid)}};
}

std::string occupancy_svg(const Machine& machine, const std::vector<NamedCurves>& kernels) {
  constexpr double left = 64, column = Panel::width + 62, row = Panel::height + 84, head = 26;
  const double most = machine.max_warps_per_sm.value_or(1);
  std::string parts;
  double top = head;
  size_t widest = 1;
  for (const NamedCurves& kernel : kernels) {
    parts += fmt::format(R"(<text class="title" x="{}" y="{:.1f}">{}</text>)", left - 40, top + 14,
                         escaped(kernel.kernel.empty() ? "a block of this shape" : kernel.kernel));
    double at = left;
    size_t drawn = 0;
    for (const OccupancyCurve& curve : kernel.curves) {
      if (curve.steps.empty()) continue;
      parts += panel(curve, {at, top + 26, first_of(curve), curve.last, most});
      at += column;
      ++drawn;
    }
    widest = std::max(widest, drawn);
    top += row;
  }
  const double width = left + double(widest) * column, height = top + 6;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">)"
      R"(<style>{2}</style><rect class="ground" width="{0:.0f}" height="{1:.0f}"/>)"
      R"(<text class="title" x="{3}" y="18">warps of an SM of {4}</text>{5}</svg>)"
      "\n",
      width, height, style, left - 40, escaped(machine.title), parts);
}

}  // namespace headroom
