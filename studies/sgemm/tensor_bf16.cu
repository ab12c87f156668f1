// rung    tensor_bf16
// idea    tensor cores multiply bf16: a float is a sum of three, and of their nine products six count
// expect  global_load_requests / 32, fp32_operations / 30.2 against shared_tile
// next    tensor_f16: three products are enough where the numbers of a row lie near each other
//
// Another arithmetic. Before the product every float becomes the sum of three bf16 of 8 bits each,
// exactly; of the nine products of pieces the three below 2^-24 are left out, the others are summed
// by the tensor cores, the smallest first. These cut sums off where an FADD rounds, so a thread takes
// their sum over after 32 steps of k and adds it to its own, in parts of 2 048 steps: fewer roundings
// than a chain of FMAs has. A block of 128 x 256 of C is a producer warp with bulk copies and two
// groups of four warps that multiply; the tiles that would leave most multiprocessors idle in a last
// wave are shared by several blocks each, along k.
// What comes out infinite or no number is summed again by FMAs, so that it is what the other rungs
// say; a C full of these is slow. What single precision does and this does not: numbers below 2^-109
// lose bits, since bf16 has no smaller exponents than float; sums below 2^-126 are cut off, not
// rounded; a sum that overflows on its way and comes back may be finite here.
#include "studies/sgemm/tensor_product.h"

namespace sgemm {

const Rung tensor_bf16{"tensor_bf16",
                       [](const Problem& p) { TensorPlan(p).multiply<Bf16>({}, Tiles::all); },
                       [](const Problem& p) { return TensorPlan(p).bytes<Bf16>(); }, 90};

}  // namespace sgemm
