// rung    eight_float4
// idea    eight 16-byte loads in flight per thread: 4 KiB per warp
// expect  global_load_requests / 2 against eight_float2; bandwidth at a few percent occupancy
// next    none: more registers per thread would cost the warps they replace
#include "studies/copy/copy.h"

const copy::Variant copy::eight_float4 = copy::variant<float4, 8>("8 float4");
