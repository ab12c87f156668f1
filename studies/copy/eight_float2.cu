// rung    eight_float2
// idea    eight 8-byte loads in flight per thread: the same instructions carry twice the bytes
// expect  global_load_requests / 2, global_load_sectors / 1 against eight_floats
// next    eight_float4: the widest load there is
//
// Only the type changes, from float to float2: a warp's load asks for 256 bytes rather than 128.
// The sectors stay, for they are counted in bytes; the requests halve.
#include "studies/copy/values.h"

const copy::Variant copy::eight_float2 = copy::variant<float2, 8>("8 float2", "eight_float2");
