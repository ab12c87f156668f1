// Which facts of a machine a probe measures too, and finding what was measured.
#include "machine/measured.h"

#include <algorithm>

#include "machine/embedded.h"

namespace headroom {
namespace {

struct Counterpart {
  Fact Machine::*fact;
  std::string_view probe, value;
};
constexpr Counterpart counterparts[] = {
    {&Machine::fp32_per_clock, "arithmetic", "ffma"},
    {&Machine::fp64_per_clock, "arithmetic", "dfma"},
    {&Machine::fp16_per_clock, "arithmetic", "hfma2"},
    {&Machine::integer_per_clock, "arithmetic", "iadd3"},
    {&Machine::special_per_clock, "arithmetic", "mufu_rsq"},
    {&Machine::issue_per_clock, "issue", "best"},
    {&Machine::shared_bytes_per_clock, "shared", "best"},
    {&Machine::l1_bytes_per_clock, "l1", "best"},
    {&Machine::l2_bandwidth, "l2", "best"},
    {&Machine::dram_bandwidth, "dram", "read"},
    {&Machine::dram_bandwidth_measured, "dram", "read"},
    {&Machine::alu_latency, "latency", "ffma"},
    {&Machine::imad_wide_latency, "latency", "imad_wide"},
    {&Machine::fp64_latency, "latency", "dfma"},
    {&Machine::mma_f16_latency, "tensor", "mma_f16_latency"},
    {&Machine::special_latency, "latency", "mufu_rsq"},
    {&Machine::shared_latency, "chase", "shared"},
    {&Machine::l1_latency, "chase", "l1"},
    {&Machine::l2_latency, "chase", "l2"},
    {&Machine::dram_latency, "chase", "dram"},
};

}  // namespace

const ProbeResult* Measured::find(std::string_view probe) const {
  const auto found = std::ranges::find(probes, probe, &ProbeResult::name);
  return found == probes.end() ? nullptr : &*found;
}

const MeasuredValue* Measured::find(std::string_view probe, std::string_view value) const {
  const ProbeResult* result = find(probe);
  if (!result) return nullptr;
  for (const MeasuredValue& each : result->values)
    if (each.name == value && each.at.empty()) return &each;
  return nullptr;
}

const MeasuredValue* measured_of(const Measured& measured, const MachineField& field) {
  for (const Counterpart& each : counterparts)
    if (each.fact == field.fact) return measured.find(each.probe, each.value);
  return nullptr;
}

std::optional<Measured> load_measured(const std::string& machine) {
  for (const EmbeddedFile& file : embedded_measured())
    if (file.stem() == machine)
      return parse_measured(file.text, "measured/" + file.stem() + ".json");
  return {};
}

}  // namespace headroom
