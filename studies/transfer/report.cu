// What follows from the times: lines, and where pinned memory pays.
#include "studies/transfer/report.h"

namespace transfer {
namespace {

bool same(const Way& one, const Way& other) {
  return one.pattern == other.pattern && one.copies == other.copies &&
         (one.memory == other.memory || !one.has_host());
}

}  // namespace

std::vector<WayLine> lines(const Results& results) {
  std::vector<WayLine> found;
  for (size_t first = 0; first < results.rows.size();) {
    const Way& way = results.rows[first].way;
    std::vector<Point> points;
    size_t end = first;
    for (; end < results.rows.size() && same(way, results.rows[end].way); ++end) {
      const Row& row = results.rows[end];
      if (row.seconds) points.push_back({double(way.copied(row.bytes)), row.seconds->median});
    }
    found.push_back({way, fit(points)});
    first = end;
  }
  return found;
}

size_t pays_from(const std::vector<PinningRow>& rows, Seconds PinningRow::Times::*faster) {
  size_t from = 0;
  for (const PinningRow& row : rows) {
    if (!row.times) return 0;
    const bool pays = ((*row.times).*faster).median < row.times->pageable.median;
    from = !pays ? 0 : from ? from : row.bytes;
  }
  return from;
}

}  // namespace transfer
