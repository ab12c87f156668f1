// Kernel 5 for many bodies: several a lane, so that what is read for a node, and the vote, serve more
// of them. Some more cells are opened, since more bodies have to agree.
#include "studies/barnes_hut/six_kernels/force.cuh"

namespace barnes_hut::six {

using Single = headroom::LaunchBox<headroom::Row<80, 256, 1, 5>, headroom::Row<90, 256, 3, 5>>;
using Double = headroom::LaunchBox<headroom::Row<80, 256, 1, 5>, headroom::Row<90, 256, 2, 4>>;

template <>
void force_of_many(const Tree<float>& tree, const View<float>& bodies, unsigned on, bool counts) {
  launch_force<Single>(tree, bodies, on, counts);
}
template <>
void force_of_many(const Tree<double>& tree, const View<double>& bodies, unsigned on, bool counts) {
  launch_force<Double>(tree, bodies, on, counts);
}

}  // namespace barnes_hut::six
