// Nouns to JSON and back. Every key written is required when read: a record is whole or it is
// refused.
#include "record/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/resources.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

Json triple(const std::array<unsigned, 3>& values) { return {values[0], values[1], values[2]}; }
std::array<unsigned, 3> triple_from(const Json& json) {
  return {json.at(0).get<unsigned>(), json.at(1).get<unsigned>(), json.at(2).get<unsigned>()};
}
Dim3 dim_from(const Json& json) {
  const auto [x, y, z] = triple_from(json);
  return {x, y, z};
}

LaunchShape shape_from(const Json& json) {
  LaunchShape shape;
  shape.kernel = json.at("mangled");
  shape.grid = dim_from(json.at("grid"));
  shape.block = dim_from(json.at("block"));
  if (const Json& cluster = json.at("cluster"); !cluster.is_null())
    shape.cluster = dim_from(cluster);
  shape.dynamic_shared = json.at("dynamic_shared").get<uint64_t>();
  if (const Json& carveout = json.at("carveout"); !carveout.is_null())
    shape.carveout = carveout.get<int>();
  shape.cooperative = json.at("cooperative").get<bool>();
  return shape;
}

State state_from(const Json& json) {
  const std::string name = json;
  const std::optional<State> state = state_of(name);
  if (!state) throw Error{"", fmt::format("no launch is in the state \"{}\"", name)};
  return *state;
}

Engine engine_from(const Json& json) {
  const std::string name = json;
  const std::optional<Engine> engine = engine_of(name);
  if (!engine) throw Error{"", fmt::format("no engine is called \"{}\"", name)};
  return *engine;
}

// JSON has no infinities: an unknown time is null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_from(const Json& json) { return json.is_null() ? std::nan("") : json.get<double>(); }

template <class List>
Json list(const List& items) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(to_json(item));
  return json;
}

}  // namespace

Json to_json(const Counters& counters, Engine engine) {
  Json json = Json::object();
  for (const CounterField& field : counter_fields())
    if (engine == Engine::machine || !field.machine_code_alone)
      json[std::string(field.name)] = counters.*field.value;
  return json;
}

Counters counters_from(const Json& json) {
  Counters counters{};
  for (const CounterField& field : counter_fields())
    if (const auto found = json.find(field.name); found != json.end() || !field.machine_code_alone)
      counters.*field.value = json.at(std::string(field.name)).get<uint64_t>();
  return counters;
}

Json to_json(const Dim3& dim) { return triple({dim.x, dim.y, dim.z}); }

// The kernel under its mangled name: "kernel" is the one that people read.
Json to_json(const LaunchShape& shape) {
  return {{"mangled", shape.kernel},
          {"grid", to_json(shape.grid)},
          {"block", to_json(shape.block)},
          {"cluster", shape.cluster ? to_json(*shape.cluster) : Json()},
          {"dynamic_shared", shape.dynamic_shared},
          {"carveout", shape.carveout ? Json(*shape.carveout) : Json()},
          {"cooperative", shape.cooperative}};
}

Json to_json(const Finding::Party& party) {
  Json json{{"use", party.use},
            {"source", party.source},
            {"instruction", party.instruction},
            {"block", triple(party.block)},
            {"thread", triple(party.thread)}};
  if (!party.kernel.empty()) json["kernel"] = party.kernel;
  return json;
}

Finding::Party party_from(const Json& json) {
  return {json.at("use"),
          json.at("source"),
          json.at("instruction"),
          triple_from(json.at("block")),
          triple_from(json.at("thread")),
          json.value("kernel", "")};
}

Json to_json(const Finding& finding) {
  Json json{{"kind", finding.kind},
            {"kernel", finding.kernel},
            {"source", finding.source},
            {"instruction", finding.instruction},
            {"block", triple(finding.block)},
            {"thread", triple(finding.thread)},
            {"address", finding.address ? Json(fmt::format("{:#x}", *finding.address)) : Json()},
            {"what", finding.what},
            {"cuda_error", finding.cuda_error}};
  if (finding.other) json["other"] = to_json(*finding.other);
  if (!finding.advice.empty()) json["advice"] = finding.advice;
  if (finding.times != 1) json["times"] = finding.times;
  return json;
}

std::optional<uint64_t> address_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return std::strtoull(json.get<std::string>().c_str(), nullptr, 16);
}

Finding finding_from(const Json& json) {
  Finding finding{json.at("kind"),
                  json.at("kernel"),
                  json.at("source"),
                  json.at("instruction"),
                  triple_from(json.at("block")),
                  triple_from(json.at("thread")),
                  address_from(json.at("address")),
                  json.at("what"),
                  json.at("cuda_error").get<int>(),
                  {},
                  json.value("advice", ""),
                  json.value("times", uint64_t(1))};
  if (json.contains("other")) finding.other = party_from(json.at("other"));
  return finding;
}

Json to_json(const Transfer& transfer) {
  return {{"direction", transfer.direction}, {"calls", transfer.calls}, {"bytes", transfer.bytes}};
}

Transfer transfer_from(const Json& json) {
  return {json.at("direction"), json.at("calls").get<uint64_t>(), json.at("bytes").get<uint64_t>()};
}

// {"files": […], "instructions": [[64, "LDG.E …", 0, 6], …]}: address, text, file, line
Json to_json(const MachineListing& listing) {
  Json instructions = Json::array();
  for (const MachineInstruction& each : listing.instructions)
    instructions.push_back({each.address, each.text,
                            each.file == no_source_file ? Json() : Json(each.file), each.line});
  return {{"files", listing.files}, {"instructions", std::move(instructions)}};
}

MachineListing listing_from(const Json& json) {
  MachineListing listing{json.at("files").get<std::vector<std::string>>(), {}};
  for (const Json& each : json.at("instructions")) {
    const Json& file = each.at(2);
    listing.instructions.push_back({each.at(0).get<uint64_t>(), each.at(1).get<std::string>(),
                                    file.is_null() ? no_source_file : file.get<uint32_t>(),
                                    each.at(3).get<uint32_t>()});
    if (!file.is_null() && file.get<uint32_t>() >= listing.files.size())
      throw Error{"", "an instruction is of a file that is not named"};
  }
  return listing;
}

Json to_json(const std::vector<InstructionCounts>& counts) {
  Json json = Json::object();
  for (const InstructionCountField& field : instruction_count_fields()) {
    Json values = Json::array();
    bool any = false;
    for (const InstructionCounts& each : counts) {
      values.push_back(each.*field.value);
      any |= each.*field.value != 0;
    }
    if (any) json[std::string(field.name)] = std::move(values);
  }
  return json;
}

std::vector<InstructionCounts> instruction_counts_from(const Json& json, size_t instructions) {
  std::vector<InstructionCounts> counts(instructions);
  for (const InstructionCountField& field : instruction_count_fields()) {
    const auto values = json.find(std::string(field.name));
    if (values == json.end()) continue;
    if (values->size() != instructions)
      throw Error{"", "counts of another number of instructions than the kernel has"};
    for (size_t i = 0; i < instructions; ++i)
      counts[i].*field.value = values->at(i).get<uint64_t>();
  }
  return counts;
}

Json to_json(const std::vector<StallCycles>& cycles) {
  Json json = Json::object();
  for (const StallRow& row : stalls) {
    Json values = Json::array();
    bool any = false;
    for (const StallCycles& each : cycles) {
      values.push_back(uint64_t(each[size_t(row.stall)]));
      any |= each[size_t(row.stall)] != 0;
    }
    if (any) json[std::string(row.name)] = std::move(values);
  }
  return json;
}

Json whole_stalls(const StallCycles& cycles) {
  Json json = Json::object();
  for (const StallRow& row : stalls)
    if (const auto whole = uint64_t(cycles[size_t(row.stall)])) json[std::string(row.name)] = whole;
  return json;
}

std::vector<StallCycles> stall_cycles_from(const Json& json, size_t instructions) {
  std::vector<StallCycles> cycles(instructions);
  for (const StallRow& row : stalls) {
    const auto values = json.find(std::string(row.name));
    if (values == json.end()) continue;
    if (values->size() != instructions)
      throw Error{"", "stalls of another number of instructions than the kernel has"};
    for (size_t i = 0; i < instructions; ++i)
      cycles[i][size_t(row.stall)] = double(values->at(i).get<uint64_t>());
  }
  return cycles;
}

// Offsets are of the lanes that take part, in their order.
Json to_json(const AccessExample& example) {
  Json offsets = Json::array();
  for (size_t lane = 0; lane < example.offset.size(); ++lane)
    if (example.mask >> lane & 1) offsets.push_back(example.offset[lane]);
  return {{"instruction", example.instruction},
          {"space", example.shared ? "shared" : "global"},
          {"use", example.use},
          {"bytes", example.bytes},
          {"lanes", example.mask},
          {"first", example.first},
          {"offsets", std::move(offsets)},
          {"sectors", example.sectors},
          {"wavefronts", example.wavefronts},
          {"conflicts", example.conflicts},
          {"block", example.block},
          {"warp", example.warp}};
}

AccessExample example_from(const Json& json, size_t instructions) {
  static constexpr std::array<std::string_view, 3> uses{"load", "store", "atomic"};
  AccessExample example;
  example.instruction = json.at("instruction").get<uint32_t>();
  if (example.instruction >= instructions)
    throw Error{"", "an access is of an instruction that is not listed"};
  example.shared = json.at("space") == "shared";
  const auto use = std::ranges::find(uses, json.at("use").get<std::string>());
  if (use == uses.end()) throw Error{"", "an access is none"};
  example.use = *use;
  example.bytes = json.at("bytes").get<uint8_t>();
  example.mask = json.at("lanes").get<uint32_t>();
  example.first = json.at("first").get<uint64_t>();
  size_t next = 0;
  for (size_t lane = 0; lane < example.offset.size(); ++lane)
    if (example.mask >> lane & 1)
      example.offset[lane] = json.at("offsets").at(next++).get<int64_t>();
  example.sectors = json.at("sectors").get<uint32_t>();
  example.wavefronts = json.at("wavefronts").get<uint32_t>();
  example.conflicts = json.at("conflicts").get<uint32_t>();
  example.block = json.at("block").get<uint64_t>();
  example.warp = json.at("warp").get<uint32_t>();
  return example;
}

Json stalls_json(const StallCycles& cycles) {
  Json json = Json::object();
  for (const StallRow& row : stalls) json[std::string(row.name)] = cycles[size_t(row.stall)];
  return json;
}

Json to_json(const StalledLine& line) {
  return {{"file", line.file},
          {"line", line.line},
          {"share", line.share},
          {"most", row_of(line.most).name}};
}

Json to_json(const LatencyBound& bound) {
  return {{"id", bound.id}, {"time_ns", bound.seconds * 1e9}, {"text", bound.what}};
}

Json to_json(const Apart& apart) {
  return {{"without_arithmetic_ns", apart.without_arithmetic * 1e9},
          {"without_memory_ns", apart.without_memory * 1e9},
          {"overlap", apart.overlap}};
}

Json to_json(const Prediction& prediction) {
  return {{"time_ns", prediction.seconds * 1e9},
          {"low_ns", prediction.low_seconds * 1e9},
          {"high_ns", prediction.high_seconds * 1e9},
          {"start_ns", prediction.start_seconds * 1e9},
          {"sm_cycles", prediction.sm_cycles},
          {"ipc", prediction.ipc},
          {"bytes_in_flight", prediction.bytes_in_flight},
          {"needed_bytes", prediction.needed_bytes},
          {"dram_share", prediction.dram_share},
          {"dram_bytes", prediction.dram_bytes},
          {"host_share", prediction.host_share},
          {"host_bytes", prediction.host_bytes},
          {"warps", prediction.warps},
          {"cycles_alone", prediction.cycles_alone},
          {"needed_warps", prediction.needed_warps},
          {"apart", prediction.apart ? to_json(*prediction.apart) : Json()},
          {"lines", list(prediction.lines)},
          {"latency_bounds", list(prediction.latency_bounds)},
          {"basis", prediction.basis},
          {"stalls", stalls_json(prediction.stall_cycles)}};
}

Json to_json(const Advice& advice) {
  Json json = {{"id", advice.id},
               {"gain_ns", advice.gain_seconds * 1e9},
               {"text", advice.what},
               {"next", advice.next},
               {"file", advice.file.empty() ? Json() : Json(advice.file)},
               {"line", advice.file.empty() ? Json() : Json(advice.line)}};
  if (!advice.then.empty()) json["then"] = list(advice.then);
  return json;
}

Advice advice_from(const Json& json) {
  Advice advice;
  advice.id = json.at("id");
  advice.gain_seconds = json.at("gain_ns").get<double>() / 1e9;
  advice.what = json.at("text");
  advice.next = json.at("next");
  if (!json.at("file").is_null()) {
    advice.file = json.at("file");
    advice.line = json.at("line").get<unsigned>();
  }
  for (const Json& each : json.value("then", Json::array()))
    advice.then.push_back(advice_from(each));
  return advice;
}

// Absent in records of before, and where nothing was predicted.
std::optional<Prediction> prediction_from(const Json& launch) {
  const auto found = launch.find("prediction");
  if (found == launch.end() || found->is_null()) return std::nullopt;
  Prediction prediction;
  prediction.seconds = found->at("time_ns").get<double>() / 1e9;
  prediction.low_seconds = found->at("low_ns").get<double>() / 1e9;
  prediction.high_seconds = found->at("high_ns").get<double>() / 1e9;
  prediction.start_seconds = found->at("start_ns").get<double>() / 1e9;
  prediction.sm_cycles = found->at("sm_cycles").get<double>();
  prediction.ipc = found->at("ipc").get<double>();
  prediction.bytes_in_flight = found->at("bytes_in_flight").get<double>();
  prediction.needed_bytes = found->at("needed_bytes").get<double>();
  prediction.dram_share = found->value("dram_share", 0.0);
  prediction.dram_bytes = found->value("dram_bytes", 0.0);
  prediction.host_share = found->value("host_share", 0.0);
  prediction.host_bytes = found->value("host_bytes", 0.0);
  prediction.warps = found->value("warps", 0);
  prediction.cycles_alone = found->value("cycles_alone", 0.0);
  prediction.needed_warps = found->value("needed_warps", 0.0);
  if (const auto apart = found->find("apart"); apart != found->end() && !apart->is_null())
    prediction.apart = {apart->at("without_arithmetic_ns").get<double>() / 1e9,
                        apart->at("without_memory_ns").get<double>() / 1e9,
                        apart->at("overlap").get<double>()};
  for (const Json& each : found->at("lines")) {
    const auto most =
        std::ranges::find(stalls, each.at("most").get<std::string>(), &StallRow::name);
    if (most == stalls.end()) throw Error{"", "a line waits for what is not known"};
    prediction.lines.push_back({each.at("file"), each.at("line").get<unsigned>(),
                                each.at("share").get<double>(), most->stall});
  }
  for (const Json& each : found->value("latency_bounds", Json::array()))
    prediction.latency_bounds.push_back(
        {each.at("id"), each.at("time_ns").get<double>() / 1e9, each.at("text")});
  prediction.basis = found->at("basis");
  for (const StallRow& row : stalls)
    prediction.stall_cycles[size_t(row.stall)] =
        found->at("stalls").value(std::string(row.name), 0.0);
  for (const Json& each : launch.at("advice")) prediction.advice.push_back(advice_from(each));
  return prediction;
}

Json launched_json(const LaunchRecord& launch) {
  Json json = {{"kernel", launch.name}};
  json.update(to_json(launch.shape));
  json["engine"] = name_of(launch.engine);
  json["image"] = launch.image;
  json["device"] = launch.device;
  json["stream"] = launch.stream;
  json["resources"] = to_json(launch.resources);
  return json;
}

Json outcome_json(const LaunchRecord& launch) {
  return {{"floor_seconds", number(launch.floor_seconds)},
          {"prediction", launch.prediction ? to_json(*launch.prediction) : Json()},
          {"advice", launch.prediction ? list(launch.prediction->advice) : Json::array()},
          {"ordered", launch.ordered},
          {"state", name_of(launch.state)},
          {"completed", launch.completed()},
          {"findings", list(launch.findings)},
          {"caveats", to_json(launch.caveats)}};
}

Json to_json(const LaunchRecord& launch) {
  Json json = {{"index", launch.index}};
  json.update(launched_json(launch));
  json["counters"] = to_json(launch.counters, launch.engine);
  json["seconds"] = number(launch.seconds);
  json.update(outcome_json(launch));
  return json;
}

LaunchRecord launch_from(const Json& json) {
  LaunchRecord launch;
  launch.index = json.at("index").get<int>();
  launch.shape = shape_from(json);
  launch.state = state_from(json.at("state"));
  launch.name = json.at("kernel");
  if (json.contains("engine"))  // records of before have none
    launch.engine = engine_from(json.at("engine"));
  launch.image = json.at("image");
  launch.device = json.at("device").get<int>();
  launch.stream = json.at("stream").get<uint64_t>();
  launch.resources = resources_from(json.at("resources"));
  launch.counters = counters_from(json.at("counters"));
  launch.seconds = number_from(json.at("seconds"));
  launch.floor_seconds = number_from(json.at("floor_seconds"));
  launch.prediction = prediction_from(json);
  launch.ordered = json.at("ordered").get<bool>();
  for (const Json& finding : json.at("findings")) launch.findings.push_back(finding_from(finding));
  launch.caveats = caveats_from(json.at("caveats"));
  return launch;
}

}  // namespace headroom
