// The one list of what is counted for each machine instruction.
#include "record/source.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

using Counts = InstructionCounts;

constexpr auto instruction_counts = std::to_array<InstructionCountField>({
    // clang-format off
    {"executed", "times a warp executed it", &Counts::executed},
    {"threads", "active lanes of these warps, summed", &Counts::threads},
    {"threads_on", "of these lanes, those whose guard holds", &Counts::threads_on},
    {"divergent", "times the lanes of a warp parted at it", &Counts::divergent},
    {"requests", "requests to global and local memory", &Counts::requests},
    {"sectors", "32-byte sectors of these requests, and of bulk copies, which make none", &Counts::sectors},
    {"shared_requests", "accesses of shared memory", &Counts::shared_requests},
    {"wavefronts", "passes through the 32 banks that these take; of atomics they are not known", &Counts::wavefronts},
    {"conflicts", "of these, passes beyond what the width of the access needs", &Counts::conflicts},
    // clang-format on
});
static_assert(sizeof(Counts) == instruction_counts.size() * sizeof(uint64_t),
              "every count needs its row");

}  // namespace

std::span<const InstructionCountField> instruction_count_fields() { return instruction_counts; }

const AccessExample* example_of(const SourceCounts& source, size_t instruction) {
  const auto found =
      std::ranges::lower_bound(source.examples, instruction, {}, &AccessExample::instruction);
  return found != source.examples.end() && found->instruction == instruction ? &*found : nullptr;
}

void add(InstructionCounts& sum, const InstructionCounts& more) {
  for (const InstructionCountField& field : instruction_counts)
    sum.*field.value += more.*field.value;
}

}  // namespace headroom
