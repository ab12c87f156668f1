// The rates as a table for each routine, and from where the GPU wins.
#include <cstdio>
#include <cstring>

#include "peers/blas/report.h"
#include "studies/common/table.h"

namespace blas {
namespace {

void print_routine(const std::vector<Row>& rows, const char* routine) {
  using study::Cell;
  using study::number;
  study::Table table({"n", "CPU, GFLOP/s", "GPU, events", "resident", "pinned copies",
                      "pageable copies", "verified"});
  bool any = false;
  for (const Row& row : rows) {
    if (std::strcmp(row.routine, routine) != 0) continue;
    any = true;
    std::vector<Cell> cells{std::to_string(row.n), number(rate(row, row.cpu), 1)};
    for (const Mode& mode : modes)
      cells.push_back(row.gpu ? number(rate(row, (*row.gpu).*mode.times), 1) : Cell("-"));
    cells.push_back(row.right() ? "PASS" : "FAIL");
    table.row(cells);
  }
  if (!any) return;
  std::printf("\n%s\n\n", routine);
  table.print();
  for (const Mode& mode : modes) {
    if (mode.times == &GpuTimes::device || !rows.front().gpu) continue;
    const size_t from = wins_from(rows, routine, mode.times);
    if (from) {
      std::printf("%s: the GPU is faster from n = %zu on\n", mode.name, from);
    } else {
      std::printf("%s: the GPU is not faster at the largest n\n", mode.name);
    }
  }
}

}  // namespace

void print(const std::vector<Row>& rows) {
  for (const char* routine : {"sgemm", "dgemm"}) print_routine(rows, routine);
  if (!doubt_of_cpu().empty()) std::printf("\ncaveat: %s\n", doubt_of_cpu().c_str());
}

}  // namespace blas
