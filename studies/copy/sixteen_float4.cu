// rung    sixteen_float4
// idea    sixteen 16-byte loads in flight per thread: 8 KiB per warp
// expect  global_load_requests / 1, global_load_sectors / 1 against eight_float4
// next    persistent: blocks that stay need no unused shared memory, which the L1 lacks
//
// Only the number of values changes; they take 64 registers. It helps less than it should: at low
// occupancies the shared memory that keeps further blocks away is taken from the L1, and loads in
// flight land there. With nearly all of it gone the loads wait for room, however many there are.
#include "studies/copy/values.h"

const copy::Variant copy::sixteen_float4 = copy::variant<float4, 16>("16 float4", "sixteen_float4");
