#include "report/source_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "report/format.h"

namespace headroom {
namespace {

// Names of files without their folders, where that tells them apart.
std::map<std::string, std::string> short_files(const std::vector<SourceLine>& lines) {
  std::map<std::string, std::set<std::string>> paths;
  const auto bare = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  for (const SourceLine& line : lines) paths[bare(line.file)].insert(line.file);
  std::map<std::string, std::string> names;
  for (const SourceLine& line : lines) {
    const std::string name = bare(line.file);
    names[line.file] = paths[name].size() == 1 ? name : line.file;
  }
  return names;
}

struct CountColumn {
  const char* title;
  std::function<bool(const InstructionCounts& sum)> shown;
  std::function<std::string(const InstructionCounts&)> cell;
};

std::string count(uint64_t value) { return value ? text::compact(double(value)) : ""; }
std::string mean(double value) { return value > 0 ? text::ratio(value) : ""; }

CountColumn plain(const char* title, uint64_t InstructionCounts::*value) {
  return {title, [value](const InstructionCounts& sum) { return sum.*value > 0; },
          [value](const InstructionCounts& each) { return count(each.*value); }};
}

bool some_off(const InstructionCounts& each) { return each.threads_on != each.threads; }

// In this order; those that are zero everywhere are left out.
std::vector<CountColumn> count_columns() {
  using Counts = InstructionCounts;
  const auto always = [](const Counts&) { return true; };
  return {
      {"warp\ninstr.", always, [](const Counts& c) { return text::compact(double(c.executed)); }},
      {"thread\ninstr.", always, [](const Counts& c) { return count(c.threads); }},
      {"lanes", always, [](const Counts& c) { return mean(mean_active_lanes(c)); }},
      {"on", some_off,
       [](const Counts& c) { return some_off(c) ? text::ratio(mean_lanes_on(c)) : ""; }},
      plain("parted", &Counts::divergent),
      {"req.", [](const Counts& c) { return all_requests(c) > 0; },
       [](const Counts& c) { return count(all_requests(c)); }},
      plain("sec-\ntors", &Counts::sectors),
      {"per\nreq.", [](const Counts& c) { return c.sectors > 0 && c.requests > 0; },
       [](const Counts& c) { return mean(sectors_per_request(c)); }},
      plain("wave-\nfronts", &Counts::wavefronts),
      plain("con-\nflicts", &Counts::conflicts),
  };
}

std::string line_label(const SourceLine& line, const std::map<std::string, std::string>& names) {
  constexpr size_t most_of_a_line = 100;
  const std::string mark = fmt::format("{}{:>6} ", line.hot ? "→" : " ", text::percent(line.share));
  if (line.file.empty()) return mark + "no source line";
  const std::string place = fmt::format("{}:{}", names.at(line.file), line.line);
  if (line.text.empty()) return mark + place;
  return mark + place + "  " + text::shorten(line.text, most_of_a_line);
}

constexpr double least_stalled = 0.0005;  // is told as 0.1 %
constexpr double least_named = 0.01;

struct CountedPlace {  // a line or an instruction
  std::string label;
  const InstructionCounts& counts;
  const StallCycles& stalls;
};

std::vector<std::string> cells(const CountedPlace& place, const SourcePage& page,
                               const std::vector<CountColumn>& columns) {
  std::vector<std::string> row{place.label};
  for (const CountColumn& column : columns) row.push_back(column.cell(place.counts));
  if (page.stalls.empty()) return row;
  const auto waits = stalled(place.stalls, page.all_stalls);
  row.push_back(waits && waits->share >= least_stalled ? text::percent(waits->share) : "");
  // A column of its own would leave a terminal too little for the source.
  if (waits && waits->share >= least_named)
    row.front() += fmt::format(" · {}", in_words(waits->most, page.counters).title);
  return row;
}

std::vector<std::string> notes(const SourcePage& page) {
  std::string legend =
      "%: of all warp instructions, the hottest lines marked; lanes: active ones of a warp, the "
      "mean";
  if (some_off(page.sum)) legend += "; on: of these, those whose guard holds";
  if (page.sum.divergent) legend += "; parted: how often the lanes of a warp parted";
  std::vector<std::string> notes{legend};
  if (!page.stalls.empty())
    notes.push_back(
        "stalls: of the cycles in which warps wait, as predicted; behind ·, what they wait for "
        "there most. A warp waits where it stands: not at the load, but where its data are used");
  if (page.sum.shared_requests)
    notes.push_back("requests of shared memory have wavefronts, all others sectors");
  const bool unknown =
      std::ranges::all_of(page.lines, [](const SourceLine& line) { return line.file.empty(); });
  if (unknown)
    notes.push_back("the code does not tell source lines: compile the program with -lineinfo");
  for (const std::string& file : page.unread)
    notes.push_back(fmt::format("{} cannot be read: its lines stand without their text", file));
  return notes;
}

}  // namespace

Document source_document(const SourcePage& page) {
  std::vector<CountColumn> columns;
  for (const CountColumn& column : count_columns())
    if (column.shown(page.sum)) columns.push_back(column);
  constexpr size_t narrow = 1;  // the columns belong together, and the first one needs the room
  Grid grid{.columns = {{.align = Align::left, .give = Give::words, .hang = 8}}};
  for (const CountColumn& column : columns)
    grid.columns.push_back({column.title, Align::right, Give::nothing, narrow});
  if (!page.stalls.empty()) grid.columns.push_back({"stalls", Align::right, Give::nothing, narrow});
  const auto names = short_files(page.lines);
  for (const SourceLine& line : page.lines) {
    grid.rows.push_back(cells({line_label(line, names), line.sum, line.stalls}, page, columns));
    for (const size_t i : line.instructions) {
      const MachineInstruction& instruction = page.listing->instructions[i];
      grid.rows.push_back(
          cells({fmt::format("    {:#06x} {}", instruction.address, instruction.text),
                 page.counts[i], page.stalls.empty() ? line.stalls : page.stalls[i]},
                page, columns));
    }
  }
  grid.notes = notes(page);
  const std::string beside =
      page.launches == 1
          ? "machine instructions by source line"
          : fmt::format("machine instructions by source line, summed over {} launches",
                        text::grouped(page.launches));
  return {"", {Heading{3, "Source", beside}, std::move(grid)}};
}

}  // namespace headroom
