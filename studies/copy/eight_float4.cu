// rung    eight_float4
// idea    eight 16-byte loads in flight per thread: 4 KiB per warp
// expect  global_load_requests / 2 against eight_float2; bandwidth at a few percent occupancy
// next    sixteen_float4: more of them, for fewer threads
//
// Only the type changes, from float2 to float4, which takes 32 registers for values. Here the
// source's ladder ends, with most of the memory's bandwidth at a few percent occupancy.
#include "studies/copy/values.h"

const copy::Variant copy::eight_float4 = copy::variant<float4, 8>("8 float4", "eight_float4");
