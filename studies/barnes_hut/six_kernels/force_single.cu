// Kernel 5 in single precision: see force.cuh.
#include "studies/barnes_hut/six_kernels/force.cuh"

namespace barnes_hut::six {

using Tuning = headroom::LaunchBox<headroom::Row<80, 256, 1, 5>, headroom::Row<90, 256, 1, 5>>;

template <>
void force(const Tree<float>& tree, const View<float>& bodies, unsigned on, bool counts) {
  launch_force<Tuning>(tree, bodies, on, counts);
}

}  // namespace barnes_hut::six
