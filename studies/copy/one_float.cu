// rung    one_float
// idea    one 4-byte load in flight per thread: parallelism comes from threads alone
// expect  the most warp instructions per byte; full occupancy is needed to fill the memory
// next    two_floats: a second independent load
//
// The plainest copy: thread i loads value i and stores it. While its load is on its way it has
// nothing else to do, so bytes in flight are threads times four. Small blocks are short-lived: the
// rate at which blocks begin bounds this rung too.
#include "studies/copy/values.h"

const copy::Variant copy::one_float = copy::variant<float, 1>("1 float", "one_float");
