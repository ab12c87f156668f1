// Floors against a profiler: no floor that follows from a launch's own counters may exceed its
// measured time. HEADROOM_PROFILE names a table as Nsight Compute's --csv --page raw writes it, one
// launch per row; its first lines may start with '#'. HEADROOM_PROFILE_MACHINE is the machine it
// was taken on (h200).
//
//   program,launch,kernel,block,grid,gpu__time_duration.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,…
//   axpy,0,axpy(float*),"(256, 1, 1)","(1024, 1, 1)",5312,…            times in ns
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "model/bounds.h"

namespace headroom {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else if (c != '\r')
      result.back() += c;
  }
  return result;
}

std::vector<Row> read_table(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> header;
  std::vector<Row> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    auto values = cells(line);
    if (header.empty()) {
      header = values;
      continue;
    }
    Row& row = rows.emplace_back();
    for (size_t i = 0; i < header.size() && i < values.size(); ++i) row[header[i]] = values[i];
  }
  return rows;
}

uint64_t count(const Row& row, const std::string& metric) {
  auto cell = row.find(metric);
  return cell == row.end() || cell->second.empty() ? 0 : uint64_t(std::stod(cell->second));
}

// What the profiler saw of a launch. Unique sectors are not among its counters: those floors stay
// out.
LaunchRecord record_of(const Row& row) {
  LaunchRecord record;
  std::sscanf(row.at("grid").c_str(), "(%u, %u, %u)", &record.shape.grid.x, &record.shape.grid.y,
              &record.shape.grid.z);
  std::sscanf(row.at("block").c_str(), "(%u, %u, %u)", &record.shape.block.x, &record.shape.block.y,
              &record.shape.block.z);
  const std::string global = "l1tex__t_", lsu = "_pipe_lsu_mem_global_op_",
                    waves = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
  Counters& counters = record.counters;
  counters.warp_instructions = count(row, "smsp__inst_executed.sum");
  counters.fp32_instructions =
      count(row, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") / 32;
  counters.global_load_requests = count(row, global + "requests" + lsu + "ld.sum");
  counters.global_load_sectors = count(row, global + "sectors" + lsu + "ld.sum");
  counters.global_store_requests = count(row, global + "requests" + lsu + "st.sum");
  counters.global_store_sectors = count(row, global + "sectors" + lsu + "st.sum");
  counters.shared_load_instructions = count(row, "smsp__inst_executed_op_shared_ld.sum");
  counters.shared_load_wavefronts = count(row, waves + "ld.sum");
  counters.shared_store_wavefronts = count(row, waves + "st.sum");
  return record;
}

TEST(ProfiledFloors, NeverExceedTheMeasuredTime) {
  const char* path = std::getenv("HEADROOM_PROFILE");
  if (!path) GTEST_SKIP() << "no profile given: set HEADROOM_PROFILE to a table of Nsight Compute";
  const char* name = std::getenv("HEADROOM_PROFILE_MACHINE");
  Machine machine = load_machine(name ? name : "h200");
  auto rows = read_table(path);
  ASSERT_FALSE(rows.empty()) << path;
  std::map<std::string_view, std::pair<double, std::string>>
      tightest;  // of each resource, share of the time and launch
  for (const Row& row : rows) {
    double seconds = double(count(row, "gpu__time_duration.sum")) * 1e-9;
    std::string launch = row.at("program") + " " + row.at("launch") + " " + row.at("kernel");
    for (const Floor& floor : bound(machine, record_of(row), {}).floors) {
      double share = floor.seconds / seconds;
      EXPECT_TRUE(!floor.certain || share <= 1)
          << launch << ": " << name_of(floor.resource) << " " << floor.equation;
      tightest[name_of(floor.resource)] =
          std::max(tightest[name_of(floor.resource)], {share, launch});
    }
  }
  fmt::print("{} launches; the largest share of the measured time that each floor makes up:\n",
             rows.size());
  for (auto& [resource, most] : tightest)
    fmt::print("  {:14} {:5.1f} %  {}\n", resource, 100 * most.first, most.second);
}

}  // namespace
}  // namespace headroom
