// The results as one JSON file: every median with its spread.
//
//   {"schema": "headroom-transfer/1", "gpu": "NVIDIA H200", …, "rows": [
//     {"memory": "pinned", "pattern": "host to device", "api": "runtime", "bytes": 4, "copied": 4,
//      "wrong": 0, "median": 6.1e-06, "least": …, "most": …, "relative_error": 0.004, "samples": 40}, …
#include "studies/common/json.h"
#include "studies/common/output_file.h"
#include "studies/transfer/report.h"

namespace transfer {
namespace {

using study::Json;

void members(Json& json, const Seconds& seconds) {
  json.pair("median", seconds.median);
  json.pair("least", seconds.least);
  json.pair("most", seconds.most);
  json.finite("relative_error", seconds.relative_error);
  json.pair("samples", seconds.samples);
}
void member(Json& json, const char* key, const std::optional<Seconds>& seconds) {
  if (!seconds) return;
  json.key(key);
  json.begin('{');
  members(json, *seconds);
  json.end();
}

void way(Json& json, const Way& way) {
  if (way.has_host()) json.pair("memory", name(way.memory));
  json.pair("pattern", name(way.pattern));
  json.pair("api", way.copies->name);
}

template <typename Rows, typename Write>
void array(Json& json, const char* key, const Rows& rows, const Write& write) {
  json.key(key);
  json.begin('[');
  for (const auto& row : rows) {
    json.begin('{');
    write(row);
    json.end();
  }
  json.end();
}

void rows(Json& json, const Results& results) {
  array(json, "rows", results.rows, [&](const Row& row) {
    way(json, row.way);
    json.pair("bytes", row.bytes);
    json.pair("copied", row.way.copied(row.bytes));
    json.pair("wrong", row.wrong);
    if (row.seconds) members(json, *row.seconds);
  });
  std::vector<WayLine> found;
  for (const WayLine& each : lines(results)) {
    if (each.line.found) found.push_back(each);
  }
  array(json, "lines", found, [&](const WayLine& each) {
    way(json, each.way);
    json.pair("a", each.line.a);
    json.pair("b", each.line.b);
    json.pair("half", each.line.half());
    json.pair("typical_residual", each.line.typical_residual);
    json.pair("worst_residual", each.line.worst_residual);
    json.pair("points", each.line.points);
  });
}

void pinning(Json& json, const Results& results) {
  array(json, "pinning", results.pinning, [&](const PinningRow& row) {
    json.pair("bytes", row.bytes);
    json.pair("wrong", row.wrong);
    if (!row.times) return;
    member(json, "pageable", row.times->pageable);
    member(json, "pinned", row.times->pinned);
    member(json, "staged", row.times->staged);
    member(json, "registered", row.times->registered);
    member(json, "allocate_pinned", row.times->allocate_pinned);
    member(json, "allocate", row.times->allocate);
  });
  if (results.pinning.empty() || !results.pinning.back().times) return;
  json.key("pays_from");
  json.begin('{');
  const auto pair = [&](const char* key, Seconds PinningRow::Times::*faster) {
    if (const size_t from = pays_from(results.pinning, faster)) json.pair(key, from);
  };
  pair("pinned", &PinningRow::Times::pinned);
  pair("staged", &PinningRow::Times::staged);
  pair("registered", &PinningRow::Times::registered);
  json.end();
}

void overlap(Json& json, const Results& results) {
  array(json, "overlap", results.overlap, [&](const OverlapRow& row) {
    json.pair("memory", name(row.memory));
    json.pair("bytes", row.bytes);
    json.pair("chunks", row.chunks);
    json.pair("streams", row.streams);
    json.pair("wrong", row.wrong);
    member(json, "copy", row.copy);
    member(json, "kernel", row.kernel);
    member(json, "together", row.together);
    if (row.together) json.pair("hidden", row.hidden());
  });
}

void steady(Json& json, const Results& results) {
  array(json, "steady", results.steady, [&](const SteadyRow& row) {
    json.pair("what", row.what);
    json.pair("bytes", row.bytes);
    json.pair("wrong", row.wrong);
    if (row.seconds) members(json, *row.seconds);
  });
}

}  // namespace

bool write_json(const std::string& path, const Settings& chosen, const About& about,
                const Results& results) {
  study::OutputFile file(path);
  if (!file.stream()) return false;
  Json json(file.stream());
  json.begin('{');
  json.pair("schema", "headroom-transfer/1");
  json.pair("gpu", about.device);
  json.pair("driver", about.driver);
  json.pair("runtime", about.runtime);
  if (!about.link.empty()) json.pair("link", about.link);
  json.pair("date", about.date);
  json.pair("command", about.command);
  json.pair("seed", std::to_string(chosen.seed));
  json.pair("measured", chosen.measured);
  json.pair("complete", !results.interrupted);
  json.pair("units", "seconds of one transfer, medians; bytes; rates in bytes a second");
  array(json, "clocks", results.clocks, [&](const ClocksAfter& clocks) {
    json.pair("after", clocks.part);
    if (clocks.sm_mhz) json.pair("sm_mhz", size_t(*clocks.sm_mhz));
    if (clocks.memory_mhz) json.pair("memory_mhz", size_t(*clocks.memory_mhz));
    if (clocks.celsius) json.pair("celsius", size_t(*clocks.celsius));
  });
  json.key("left_out");
  json.begin('[');
  for (const std::string& what : results.left_out) json.value(what);
  json.end();
  rows(json, results);
  pinning(json, results);
  overlap(json, results);
  steady(json, results);
  json.end();
  return file.finish();
}

}  // namespace transfer
