// rung    four_floats
// idea    four loads in flight per thread: instruction-level parallelism stands in for warps
// expect  warp_instructions / 1.39 against two_floats; as fast as two_floats at half the occupancy
// next    eight_floats: twice as many again
//
// Only the number of values changes. Bytes in flight on an SM are threads times values times four:
// this rung at some occupancy and two_floats at twice that one have as many, and take as long.
#include "studies/copy/values.h"

const copy::Variant copy::four_floats = copy::variant<float, 4>("4 floats", "four_floats");
