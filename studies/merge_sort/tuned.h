// The tunings of the last rungs, by the size of what is sorted. The sweep (scripts/measure/tune.py) compiles with
// other numbers, for all sizes: -DSORT_NT=512 -DSORT_VT=17 -DSORT_OCC=0, and MERGE_NT, MERGE_VT, MERGE_OCC.
//
// Swept on an H100 (results/h100/merge_sort_tunings.json, merge_sort_tuned_vs_cub.json), at 2^24 records. Those of
// 8 bytes: these are the best. Of 4 and of 16 bytes others are the best there, sort 1024 x 17 and merge 256 x 31
// by 6 %, sort 512 x 9 and merge 256 x 11 by 9 %; at 2^27 both lose, 4 and 6 %, so these stay.
#pragma once
#include <headroom/launch_box.cuh>

namespace merge_sort {

constexpr int by_size(int size, int of_4, int of_8, int of_16) {
  return size == 4 ? of_4 : size == 8 ? of_8 : of_16;
}

#ifdef SORT_NT
template <typename T>
using SortTuning = headroom::LaunchBox<headroom::Row<80, SORT_NT, SORT_VT, SORT_OCC>>;
#else
template <typename T>
using SortTuning = headroom::LaunchBox<
    headroom::Row<80, by_size(T::key_size, 512, 512, 256), by_size(T::key_size, 23, 13, 13)>>;
#endif

#ifdef MERGE_NT
template <typename T>
using MergeTuning = headroom::LaunchBox<headroom::Row<80, MERGE_NT, MERGE_VT, MERGE_OCC>>;
#else
template <typename T>
using MergeTuning = headroom::LaunchBox<headroom::Row<80, 256, by_size(T::key_size, 25, 15, 11)>>;
#endif

}  // namespace merge_sort
