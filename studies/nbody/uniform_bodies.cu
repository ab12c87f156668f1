// rung    uniform_bodies
// idea    the other bodies come from constant memory: operands that take no registers and no loads
// expect  memory_instructions / 7.5 against bodies_per_thread: almost none are left
// next    two_banks: between two launches nothing is computed
//
// All threads of a warp read the same body j, which is what constant memory is for. On Hopper its
// values reach uniform registers, and a difference or a product takes one of its operands from
// there, none from the banks of the vector registers. What still takes two cycles of those banks is
// the first of three multiply-adds with three different operands; the other two reuse one of them.
// The price: 64 KiB of bodies a launch, copied there before it, and a small cache behind them,
// which wants many bodies a thread: in double precision, with twice the bytes and room for fewer
// bodies, the rung before is the faster one.
#include "studies/nbody/bank.cuh"

namespace nbody {

constexpr int piece = 128;  // bodies of the bank that a block takes

// Its own names: rows of one name and unlike numbers in two files are one row to the linker.
template <typename Real>
struct uniform_80 : headroom::Row<80, 128, 4, 1> {
  static constexpr int turns = sizeof(Real) == 4 ? 4 : 2, bodies = piece;
};
template <typename Real>
struct uniform_90 : headroom::Row<90, 128, sizeof(Real) == 4 ? 10 : 4, 1> {
  static constexpr int turns = 2, bodies = piece;
};
template <typename Real>
using Tuning = headroom::LaunchBox<uniform_80<Real>, uniform_90<Real>>;

template <typename Real>
static void launch(const Problem<Real>& p) {
  constexpr auto kernel = uniform_bodies_kernel<Tuning<Real>, Real>;
  const headroom::Choice choice = headroom::configure<Tuning<Real>>(kernel);
  const int blocks = blocks_over(p.n, choice.NV());
  clear_accelerations(p);
  constexpr int room = bodies_in_bank<Real>;
  for (int first = 0; first < p.n; first += room) {
    const int bodies = p.n - first < room ? p.n - first : room;
    fill_bank(p, 0, first, bodies, room, nullptr);
    kernel<<<dim3(blocks, blocks_over(bodies, piece)), choice.NT>>>(p, 0);
  }
}
const Rung uniform_bodies{"uniform_bodies", launch<float>, launch<double>};

}  // namespace nbody
