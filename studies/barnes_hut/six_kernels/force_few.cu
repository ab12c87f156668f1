// Kernel 5 for few bodies: one a lane, as published, so that there are as many warps as can be.
#include "studies/barnes_hut/six_kernels/force.cuh"

namespace barnes_hut::six {

using Single = headroom::LaunchBox<headroom::Row<80, 256, 1, 5>, headroom::Row<90, 256, 1, 5>>;
using Double = headroom::LaunchBox<headroom::Row<80, 256, 1, 5>, headroom::Row<90, 256, 1, 4>>;

template <>
void force_of_few(const Tree<float>& tree, const View<float>& bodies, unsigned on, bool counts) {
  launch_force<Single>(tree, bodies, on, counts);
}
template <>
void force_of_few(const Tree<double>& tree, const View<double>& bodies, unsigned on, bool counts) {
  launch_force<Double>(tree, bodies, on, counts);
}

}  // namespace barnes_hut::six
