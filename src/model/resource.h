// What a floor is about: a resource of the hardware and, where there are two ways to count its
// work, which. One table has its names and what is counted.
//
//   Resource::l1          name "l1", which JSON has; title "L1/TEX", as profilers call it; unit "sectors"
//   Resource::dram_cold   "dram cold"; "DRAM, L2 cold"; "B"
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace headroom {

enum class Resource : uint8_t {
  issue,
  fp32,
  fp64,
  fp16,
  fp32_operations,
  fp64_operations,
  fp16_operations,
  integer,
  special,
  alu,  // of machine code: pipes instead of kinds
  fma,
  xu,
  load_store,
  load_store_with_local,
  shared,
  l1,
  l1_with_local,
  l2,
  l2_without_l1,
  dram,  // where its rate is unknown; what is known is of one of the next two
  dram_cold,
  dram_hot,
};

struct ResourceRow {
  Resource resource;
  std::string_view name;   // in JSON
  std::string_view title;  // as profilers call it
  std::string_view unit;   // of the work that its floor divides
};
std::span<const ResourceRow> resource_rows();
const ResourceRow& row_of(Resource);
inline std::string_view name_of(Resource resource) { return row_of(resource).name; }
inline std::string_view title_of(Resource resource) { return row_of(resource).title; }

}  // namespace headroom
