// See energy_plot.h. The drawing has the manner of the other studies' figures.
#include <headroom/timing/caveat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "studies/barnes_hut/snapshots/energy_plot.h"
#include "studies/barnes_hut/snapshots/files.h"

namespace barnes_hut {

namespace {

constexpr int width = 760, left = 78, right = 20;  // in pixels, as all below
constexpr int upper_top = 58, upper_height = 250, lower_top = 352, lower_height = 130;
constexpr int height = lower_top + lower_height + 46;

using headroom::timing::printed;

// Round marks from `least` to `most`, which they enclose.
struct Axis {
  double step, least, most;
  int pixels;

  Axis(double from, double to, int pixels, int marks) : pixels(pixels) {
    if (!(to > from)) from -= std::abs(from) / 2 + 1e-12, to += std::abs(to) / 2 + 1e-12;
    const double rough = (to - from) / marks, power = std::pow(10, std::floor(std::log10(rough)));
    step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) step = factor * power;
    }
    least = std::floor(from / step + 1e-9) * step, most = std::ceil(to / step - 1e-9) * step;
  }
  double at(double value) const { return (value - least) / (most - least) * pixels; }
  std::vector<double> marks() const {
    std::vector<double> found;
    for (double k = std::round(least / step); k * step <= most + step / 2; ++k)
      found.push_back(k * step);
    return found;
  }
};

std::string text(double x, double y, const std::string& words, const char* anchor, int size,
                 const char* more = "") {
  return printed("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>", x, y, anchor,
                 size, more) +
         words + "</text>\n";
}
std::string line(double x1, double y1, double x2, double y2, const char* colour,
                 const char* stroke = "1") {
  return printed(
      "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%s\"/>\n",
      x1, y1, x2, y2, colour, stroke);
}

std::string panel(const Axis& x, const Axis& y, int top) {
  const int bottom = top + y.pixels;
  std::string drawn;
  for (const double mark : x.marks()) {
    drawn += line(left + x.at(mark), top, left + x.at(mark), bottom, "#ddd");
    drawn += text(left + x.at(mark), bottom + 16, printed("%g", mark), "middle", 10);
  }
  for (const double mark : y.marks()) {
    const bool zero = std::abs(mark) < y.step / 2;
    drawn += line(left, bottom - y.at(mark), left + x.pixels, bottom - y.at(mark),
                  zero ? "#888" : "#ddd");
    drawn += text(left - 6, bottom - y.at(mark) + 4, printed("%g", zero ? 0 : mark), "end", 10);
  }
  return drawn + printed(
                     "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" "
                     "stroke=\"#888\"/>\n",
                     left, top, x.pixels, y.pixels);
}

template <typename Value>
std::string curve(const std::vector<EnergyPoint>& points, const Axis& x, const Axis& y, int top,
                  const char* colour, const Value& value) {
  std::string drawn = "<polyline points=\"";
  for (const EnergyPoint& point : points) {
    drawn += printed("%.2f,%.2f ", left + x.at(point.time), top + y.pixels - y.at(value(point)));
  }
  drawn.back() = '"';
  return drawn + printed(" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>\n", colour);
}

struct Curve {
  const char *name, *colour;
  double (*value)(const EnergyPoint&);
};
constexpr Curve curves[] = {
    {"kinetic", "#b5482a", [](const EnergyPoint& point) { return point.kinetic; }},
    {"total", "#222", [](const EnergyPoint& point) { return point.total(); }},
    {"potential", "#1f5fa8", [](const EnergyPoint& point) { return point.potential; }}};

std::string upright(double y, const std::string& words) {
  return text(18, y, words, "middle", 12, printed(" transform=\"rotate(-90 18 %.1f)\"", y).c_str());
}

std::string svg(const std::vector<EnergyPoint>& points, const EnergyLabels& labels) {
  const int across = width - left - right;
  const Axis time(points.front().time, points.back().time, across, 10);
  double least = 0, most = 0, off = 0, min_off = 0, max_off = 0;
  for (const EnergyPoint& point : points) {
    least = std::min({least, point.kinetic, point.potential, point.total()});
    most = std::max({most, point.kinetic, point.potential, point.total()});
    const double drift = drift_of(point, points.front());
    off = std::max(off, std::abs(drift));
    min_off = std::min(min_off, drift), max_off = std::max(max_off, drift);
  }
  // Marks of the drift are whole parts of a power of ten, which its title says.
  const int power = off > 0 ? int(std::floor(std::log10(off))) : 0;
  const double unit = std::pow(10, power);
  const Axis energy(least, most, upper_height, 6);
  const Axis drift(min_off / unit, max_off / unit, lower_height, 4);

  std::string drawn = printed(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
      "font-family=\"sans-serif\" fill=\"#222\">\n<rect width=\"%d\" height=\"%d\" "
      "fill=\"#fff\"/>\n",
      width, height, width, height, width, height);
  drawn += text(20, 20, labels.title, "start", 14);
  for (int c = 0; c < 3; ++c) {
    drawn += line(left + 110 * c, 42, left + 110 * c + 24, 42, curves[c].colour, "1.8");
    drawn += text(left + 110 * c + 30, 46, curves[c].name, "start", 12);
  }
  drawn += panel(time, energy, upper_top) + panel(time, drift, lower_top);
  for (const Curve& each : curves) {
    drawn += curve(points, time, energy, upper_top, each.colour, each.value);
  }
  drawn += curve(points, time, drift, lower_top, "#2f8f5b",
                 [&](const EnergyPoint& point) { return drift_of(point, points.front()) / unit; });
  drawn += upright(upper_top + upper_height / 2.0, "energy, " + labels.energy_unit);
  drawn +=
      upright(lower_top + lower_height / 2.0, printed("drift, 10<tspan baseline-shift=\"super\" "
                                                      "font-size=\"9\">%d</tspan>",
                                                      power));
  drawn += text(left + across / 2.0, height - 8, "time, " + labels.time_unit, "middle", 12);
  return drawn + "</svg>\n";
}

std::string csv(const std::vector<EnergyPoint>& points) {
  std::string rows = "time,kinetic,potential,total,drift\n";
  for (const EnergyPoint& point : points) {
    for (const double value : {point.time, point.kinetic, point.potential, point.total(),
                               drift_of(point, points.front())}) {
      char digits[32];
      rows.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
      rows += ',';
    }
    rows.back() = '\n';
  }
  return rows;
}

}  // namespace

double drift_of(const EnergyPoint& point, const EnergyPoint& first) {
  const double off = point.total() - first.total();
  return off == 0 ? 0 : off / std::abs(first.total());
}

void write_energy(const std::string& path, const std::vector<EnergyPoint>& points,
                  const EnergyLabels& labels) {
  const std::string contents = path.ends_with(".svg") ? svg(points, labels) : csv(points);
  replace_file(path, [&](const std::string& beside) { write_contents(beside, contents); });
}

void require_energy_file(const std::string& path) {
  if (!path.ends_with(".svg") && !path.ends_with(".csv")) {
    refuse(path, "the energy's name must end in .csv or .svg");
  }
  require_replaceable(path);
}

}  // namespace barnes_hut
