// rung    one_float
// idea    one 4-byte load in flight per thread: parallelism comes from threads alone
// expect  the most warp instructions per byte; full occupancy is needed to fill the memory
// next    two_floats: a second independent load
#include "studies/copy/copy.h"

const copy::Variant copy::one_float = copy::variant<float, 1>("1 float");
