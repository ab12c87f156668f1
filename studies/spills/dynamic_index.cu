// rung    dynamic_index
// idea    as unbounded, but the ring begins where a parameter says
// expect  warp_instructions / 0.122 against unbounded
// next    none: index by constants, and the array is registers again
//
// Registers have no addresses: an array that is indexed by what is not known when compiling lies in local
// memory as a whole, though no limit of registers forced it. `spill` is 0 here and the stack is not: that
// tells this from pressure.
#include "studies/spills/spills.h"

namespace {

constexpr int values = 64;

__global__ void __launch_bounds__(spills::threads) dynamic_index_kernel(spills::Work work) {
  float* const own = work.values + blockIdx.x * (values * spills::threads) + threadIdx.x;
  float a[values];
#pragma unroll
  for (int v = 0; v < values; ++v) a[v] = own[v * spills::threads];
  for (int round = 0; round < work.rounds; ++round) {
    const float first = a[work.first];
#pragma unroll 8
    for (int v = 0; v < values; ++v) {
      const int at = (work.first + v) % values;
      const float next = v + 1 < values ? a[(at + 1) % values] : first;
      a[at] = __fmaf_rn(work.b, __fsub_rn(next, a[at]), a[at]);
    }
  }
#pragma unroll
  for (int v = 0; v < values; ++v) own[v * spills::threads] = a[v];
}

}  // namespace

const spills::Rung spills::dynamic_index{
    values, 0, reinterpret_cast<const void*>(dynamic_index_kernel), launch<dynamic_index_kernel>};
