// rung    tensor_f16
// idea    two pieces of f16 hold 23 bits of a float: three products instead of six
// expect  tensor_operations / 2 against tensor_bf16
// next    none: what is left is two passes over A and B before the product, and its last wave of tiles
//
// Pieces of f16 have 11 bits and few exponents. So rows of A and columns of B are first divided by
// powers of two that bring the greatest number of each below 2^15, and what is small beside it is
// looked for: a number below 2^-13 would lose bits, and the tiles of C that need its row or column are
// made from three pieces of bf16 afterwards, as in the rung before. The second piece counts 2^11 times
// too much, so that it needs no smaller exponents: its two products are summed first, then multiplied
// by 2^-11 in registers. The two groups take turns at the tensor cores, and stages are 64 steps long.
// Dividing also saves what bf16 alone loses: tiny numbers, and sums that overflow only on their way
// (other rungs call these infinite). A sum of one product is wrong in 3 bits more than by FMAs, one of
// 64 and more no longer.
#include "studies/sgemm/tensor_product.h"

namespace sgemm {

static void launch(const Problem& p) {
  const TensorPlan plan(p);
  const Scale scale = plan.scale<Bf16>();
  plan.find_scale(scale);
  plan.multiply<F16, Bf16>(scale, Tiles::others);
  plan.multiply<Bf16>(scale, Tiles::wide);
}

const Rung tensor_f16{"tensor_f16", launch,
                      [](const Problem& p) { return TensorPlan(p).bytes<Bf16>(); }, 90};

}  // namespace sgemm
