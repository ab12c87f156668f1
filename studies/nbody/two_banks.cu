// rung    two_banks
// idea    one half of constant memory is filled while blocks read the other: two streams, by turns
// expect  atomic_requests / 2, memory_instructions / 2 against uniform_bodies: a block takes twice as many bodies; what closes are gaps
// next    symmetric_pairs: Newton's third law, each pair once
//
// The rung before ends a launch, copies, and begins the next: while the last blocks of a launch end, most SMs have
// nothing to do, and none has during the copy; at 100 000 bodies that is 25 times. The model calls it the tail. Here
// each half has its stream: while one waits for its last blocks and its copy, the blocks of the other are at work.
// Blocks of 64 threads leave less to wait for. With a few thousand bodies there is one launch, and two streams only
// cost.
#include "studies/nbody/bank.cuh"
#include "studies/nbody/two_streams.h"

namespace nbody {

constexpr int piece = 256;  // bodies of half a bank that a block takes

// Its own names: rows of one name and unlike numbers in two files are one row to the linker.
template <typename Real>
struct banks_80 : headroom::Row<80, 128, 4, 1> {
  static constexpr int turns = sizeof(Real) == 4 ? 4 : 2, bodies = piece;
};
template <typename Real>
struct banks_90 : headroom::Row<90, 64, sizeof(Real) == 4 ? 10 : 4, 1> {
  static constexpr int turns = 2, bodies = piece;
};
template <typename Real>
using Tuning = headroom::LaunchBox<banks_80<Real>, banks_90<Real>>;

template <typename Real>
static void launch(const Problem<Real>& p) {
  constexpr auto kernel = uniform_bodies_kernel<Tuning<Real>, Real>;
  const headroom::Choice choice = headroom::configure<Tuning<Real>>(kernel);
  const int blocks = blocks_over(p.n, choice.NV());
  static const TwoStreams streams;
  clear_accelerations(p);
  streams.begin();
  constexpr int room = bodies_in_bank<Real> / 2;
  for (int first = 0, half = 0; first < p.n; first += room, half = 1 - half) {
    const int bodies = p.n - first < room ? p.n - first : room;
    fill_bank(p, half * room, first, bodies, room, streams[half]);
    kernel<<<dim3(blocks, blocks_over(bodies, piece)), choice.NT, 0, streams[half]>>>(p,
                                                                                      half * room);
  }
  streams.end();
}
const Rung two_banks{"two_banks", launch<float>, launch<double>};

}  // namespace nbody
