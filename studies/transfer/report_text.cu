// The results as tables. A transfer that brought wrong bytes is marked where it stands; without
// hardware the cells say only that.
#include <cstdio>

#include "studies/common/table.h"
#include "studies/transfer/report.h"

namespace transfer {
namespace {

using study::Cell;
using study::number;
using study::Table;

std::string heading(const Way& way) {
  if (!way.has_host()) return way.copies->name;
  const std::string memory = name(way.memory), api = way.copies->name;
  return api == "runtime" ? memory : memory + ", " + api;
}

Cell microseconds(const std::optional<Seconds>& seconds, size_t wrong) {
  if (wrong) return "WRONG";
  if (!seconds) return "PASS";
  return number(seconds->median * 1e6, seconds->median < 1e-4 ? 2 : 1);
}

// Sizes down, ways across.
void print_pattern(Pattern pattern, const Results& results) {
  std::vector<std::string> columns{"bytes"};
  std::vector<size_t> sizes;
  for (const Row& row : results.rows) {
    if (row.way.pattern != pattern) continue;
    const std::string column = heading(row.way);
    if (std::find(columns.begin(), columns.end(), column) == columns.end())
      columns.push_back(column);
    if (std::find(sizes.begin(), sizes.end(), row.bytes) == sizes.end()) sizes.push_back(row.bytes);
  }
  if (sizes.empty()) return;
  std::sort(sizes.begin(), sizes.end());
  Table table(columns);
  for (const size_t bytes : sizes) {
    std::vector<Cell> cells(columns.size(), Cell("-"));
    cells[0] = std::to_string(bytes);
    for (const Row& row : results.rows) {
      if (row.way.pattern != pattern || row.bytes != bytes) continue;
      const auto column = std::find(columns.begin(), columns.end(), heading(row.way));
      cells[size_t(column - columns.begin())] = microseconds(row.seconds, row.wrong);
    }
    table.row(cells);
  }
  const bool measured = results.rows.front().seconds.has_value();
  std::printf("\n%s%s\n\n", name(pattern), measured ? ", microseconds" : "");
  table.print();
}

void print_lines(const Results& results) {
  Table table({"line through the times", "memory", "API", "a, us", "b, GB/s", "b, Gbit/s",
               "n1/2, bytes", "residual, %", "worst, %"});
  for (const WayLine& each : lines(results)) {
    if (!each.line.found) continue;
    const Line& line = each.line;
    table.row({name(each.way.pattern), each.way.has_host() ? name(each.way.memory) : "-",
               each.way.copies->name, number(line.a * 1e6, 2), number(line.b * 1e-9, 2),
               number(line.b * 8e-9, 1), number(line.half(), 0),
               number(line.typical_residual * 100, 1), number(line.worst_residual * 100, 1)});
  }
  std::puts(
      "\nT(n) = a + n / b, n: all bytes that were copied; weighted least squares of the relative\n"
      "residual, robust by Huber's weights; residual: the median over sizes; GB/s: 10^9\n");
  table.print();
}

void print_pinning(const Results& results) {
  Table table({"bytes", "pageable, us", "pinned", "staged", "registered", "allocate pinned",
               "allocate", "copies that repay it"});
  for (const PinningRow& row : results.pinning) {
    std::vector<Cell> cells{std::to_string(row.bytes)};
    if (!row.times) {
      cells.insert(cells.end(), {row.wrong ? "WRONG" : "PASS", "-", "-", "-", "-", "-", "-"});
    } else {
      const PinningRow::Times& times = *row.times;
      for (const Seconds& each : {times.pageable, times.pinned, times.staged, times.registered,
                                  times.allocate_pinned, times.allocate})
        cells.push_back(number(each.median * 1e6, 1));
      const double gain = times.pageable.median - times.pinned.median;
      const double cost = times.allocate_pinned.median - times.allocate.median;
      cells.push_back(gain <= 0 ? Cell("never") : number(std::max(0.0, std::ceil(cost / gain)), 0));
      if (row.wrong) cells[1] = "WRONG";
    }
    table.row(cells);
  }
  std::puts(
      "\nwhere pinned pays: bytes that lie in pageable memory are to reach the device once\n");
  table.print();
  if (results.pinning.empty() || !results.pinning.front().times) return;
  const auto say = [&](const char* what, Seconds PinningRow::Times::*faster) {
    const size_t from = pays_from(results.pinning, faster);
    if (from) {
      std::printf("%s is faster than pageable from %zu bytes on\n", what, from);
    } else {
      std::printf("%s is not faster than pageable at the largest size\n", what);
    }
  };
  std::puts("");
  say("pinned", &PinningRow::Times::pinned);
  say("copying into kept pinned memory first", &PinningRow::Times::staged);
  say("pinning on the spot (register, copy, unregister)", &PinningRow::Times::registered);
}

void print_overlap(const Results& results) {
  Table table({"memory", "chunks", "streams", "copy, us", "kernel", "together", "hidden, %",
               "could be, %", "verified"});
  for (const OverlapRow& row : results.overlap) {
    std::vector<Cell> cells{name(row.memory), number(row.chunks, 0), number(row.streams, 0)};
    const bool in_order = row.memory == Memory::pinned && row.streams == 1;
    const double most = in_order ? 0 : 1 - 1.0 / row.chunks;
    if (row.together) {
      for (const auto& each : {row.copy, row.kernel, row.together})
        cells.push_back(number(each->median * 1e6, 1));
      cells.push_back(number(row.hidden() * 100, 1));
    } else {
      cells.insert(cells.end(), {"-", "-", "-", "-"});
    }
    cells.push_back(number(most * 100, 1));
    cells.push_back(row.wrong ? "WRONG" : "PASS");
    table.row(cells);
  }
  std::printf("\na copy of %zu bytes to the device behind a kernel that takes as long\n\n",
              results.overlap.front().bytes);
  table.print();
}

void print_steady(const Results& results) {
  Table table({"sixteen copies in a row, by events", "bytes", "GB/s", "spread, %", "verified"});
  for (const SteadyRow& row : results.steady) {
    std::vector<Cell> cells{row.what, std::to_string(row.bytes)};
    if (row.seconds) {
      cells.push_back(number(double(row.bytes) / row.seconds->median * 1e-9, 2));
      cells.push_back(
          number((row.seconds->most - row.seconds->least) / row.seconds->median * 100, 2));
    } else {
      cells.insert(cells.end(), {"-", "-"});
    }
    cells.push_back(row.wrong ? "WRONG" : "PASS");
    table.row(cells);
  }
  std::puts("\npinned and device memory; bytes are counted once, also within a device\n");
  table.print();
}

}  // namespace

void print(const Settings& chosen, const About& about, const Results& results) {
  std::printf("seed %llu\ntransfers from %zu to %zu bytes, %s, driver %s, runtime %s%s%s\n",
              static_cast<unsigned long long>(chosen.seed), chosen.least, chosen.most,
              about.device.c_str(), about.driver.c_str(), about.runtime.c_str(),
              about.link.empty() ? "" : ", link ", about.link.c_str());
  if (!chosen.measured) {
    std::puts("no hardware moves these bytes: every transfer is verified, and no time is shown");
  }
  for (int pattern = 0; pattern <= int(Pattern::peer); ++pattern) {
    print_pattern(Pattern(pattern), results);
  }
  if (chosen.measured && !results.rows.empty()) print_lines(results);
  if (!results.pinning.empty()) print_pinning(results);
  if (!results.overlap.empty()) print_overlap(results);
  if (!results.steady.empty()) print_steady(results);
  std::puts("");
  for (const std::string& what : results.left_out) std::printf("left out: %s\n", what.c_str());
  if (results.interrupted) std::puts("left out: what an interrupt came before");
  std::puts(results.wrong() ? "FAIL" : "PASS");
}

}  // namespace transfer
