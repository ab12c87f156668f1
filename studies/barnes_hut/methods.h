// All methods, in the order of the tables.
#pragma once
#include "studies/barnes_hut/barnes_hut.h"

namespace barnes_hut {

constexpr const Method* methods[] = {
    &all_pairs, &six_kernels, &sorted_tree, &sorted_tree_quadrupoles, &openmp, &pthreads,
};

}  // namespace barnes_hut
