#include "model/resource.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

using R = Resource;
constexpr std::string_view instructions = "warp instructions";

constexpr auto rows = std::to_array<ResourceRow>({
    {R::issue, "issue", "issue slots", instructions},
    {R::fp32, "fp32", "FP32", instructions},
    {R::fp64, "fp64", "FP64", instructions},
    {R::fp16, "fp16", "FP16", instructions},
    {R::fp32_operations, "fp32 operations", "FP32 operations", "operations"},
    {R::fp64_operations, "fp64 operations", "FP64 operations", "operations"},
    {R::fp16_operations, "fp16 operations", "FP16 operations", "operations"},
    {R::integer, "integer", "integer", instructions},
    {R::special, "special", "special functions", instructions},
    {R::alu, "alu", "ALU pipe", instructions},
    {R::fma, "fma", "FMA pipe", instructions},
    {R::xu, "xu", "XU pipe", instructions},
    {R::load_store, "load/store", "LSU", "requests"},
    {R::load_store_with_local, "load/store with local", "LSU with local", "requests"},
    {R::shared, "shared", "shared memory", "wavefronts"},
    {R::l1, "l1", "L1/TEX", "sectors"},
    {R::l1_with_local, "l1 with local", "L1/TEX with local", "sectors"},
    {R::l2, "l2", "L2", "B"},
    {R::l2_without_l1, "l2 without l1", "L2 without L1", "B"},
    {R::dram, "dram", "DRAM", "B"},
    {R::dram_cold, "dram cold", "DRAM, L2 cold", "B"},
    {R::dram_hot, "dram hot", "DRAM, L2 warm", "B"},
});
static_assert(std::ranges::is_sorted(rows, {}, &ResourceRow::resource) &&
                  rows.size() == size_t(R::dram_hot) + 1,
              "a row for each resource, in their order");

}  // namespace

std::span<const ResourceRow> resource_rows() { return rows; }

const ResourceRow& row_of(Resource resource) { return rows[size_t(resource)]; }

}  // namespace headroom
