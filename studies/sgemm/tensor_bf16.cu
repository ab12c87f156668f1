// rung    tensor_bf16
// idea    tensor cores multiply bf16: a float is a sum of three, and of their nine products six count
// expect  global_load_requests / 32, fp32_operations / 33.5 against shared_tile
// next    tensor_f16: three products are enough where the numbers of a row lie near each other
//
// Emulated single precision. Before the product every float is split into three bf16 terms of 8 bits
// each, exactly (3 × bf16). Of the nine products of terms the three below 2^-24 are left out; tensor
// cores sum the others, the smallest first. Tensor cores truncate where an FADD rounds, so after every
// 32 steps of k their accumulators are promoted: a thread adds them to its own. After 2 048 steps a
// partial goes to memory. That is fewer roundings than a chain of FMAs has.
//
// A block makes 128 x 256 of C: one producer warp with bulk copies, and two consumer groups of four
// warps that multiply ping-pong. The tiles of the last wave are done split-K, several blocks to a tile.
//
// What comes out infinite or NaN is computed again by FMAs, so that it is what the other rungs give; a
// C full of these is slow. What single precision does and this does not: numbers below 2^-109 lose
// bits, since bf16 has no smaller exponents than float; results below 2^-126 are truncated, not
// rounded; a sum that overflows on its way and comes back may be finite here.
#include "studies/sgemm/tensor_product.h"

namespace sgemm {

const Rung tensor_bf16{
    "tensor_bf16", [](const Problem& p) { TensorPlan(whole(p)).multiply<Bf16>({}, Tiles::all); },
    [](const Problem& p) { return TensorPlan(whole(p)).bytes<Bf16>(); }, 90};

}  // namespace sgemm
