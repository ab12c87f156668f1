// rung    tensor_f16
// idea    two terms of f16 hold 23 bits of a float: three products instead of six
// expect  tensor_operations / 2 against tensor_bf16
// next    tensor_any_shape: small products pay for two passes over A and B, and for large tiles
//
// Terms of f16 have 11 bits and few exponents. So rows of A and columns of B are first divided by
// powers of two that bring the greatest number of each below 2^15. A number below 2^-13 would then lose
// bits: its row or column is marked, and the tiles of C that need it are computed from three bf16 terms
// afterwards, as in tensor_bf16. The second term is stored 2^11 times too large, so that it needs no
// smaller exponents: its two products are summed first, then multiplied by 2^-11 in registers.
//
// Dividing also keeps what tensor_bf16 loses: tiny numbers, and sums that overflow only on their way
// (other rungs make these infinite). A sum of one product may be wrong in 3 bits more than by FMAs, one
// of 64 products or more is not.
#include "studies/sgemm/tensor_any_shape.h"
#include "studies/sgemm/tensor_product.h"

namespace sgemm {

void launch_terms(const Product& p) {
  const TensorPlan plan(p);
  const Scale scale = plan.scale<Bf16>();
  plan.find_scale(scale);
  plan.multiply<F16, Bf16>(scale, Tiles::others);
  plan.multiply<Bf16>(scale, Tiles::wide);
}
size_t workspace_of_terms(const Product& p) { return TensorPlan(p).bytes<Bf16>(); }

const Rung tensor_f16{"tensor_f16", [](const Problem& p) { launch_terms(whole(p)); },
                      [](const Problem& p) { return workspace_of_terms(whole(p)); }, 90};

}  // namespace sgemm
