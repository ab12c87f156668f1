// rung    eight_float2
// idea    eight 8-byte loads in flight per thread: the same instructions carry twice the bytes
// expect  global_load_requests / 2, global_load_sectors / 1 against eight_floats
// next    eight_float4: the widest load there is
#include "studies/copy/copy.h"

const copy::Variant copy::eight_float2 = copy::variant<float2, 8>("8 float2");
