// The tunings of the last rung, by the size of a key. The sweep (scripts/measure/tune.py) compiles with other
// numbers, for keys of every size: -DSORT_NT=512 -DSORT_VT=17 -DSORT_OCC=0, and MERGE_NT, MERGE_VT, MERGE_OCC.
#pragma once
#include <headroom/launch_box.cuh>

namespace merge_sort {

#ifdef SORT_NT
template <typename T>
using SortTuning = headroom::LaunchBox<headroom::Row<80, SORT_NT, SORT_VT, SORT_OCC>>;
#else
template <typename T>
using SortTuning = headroom::LaunchBox<headroom::Row<80, 512, T::key_size == 4 ? 23 : 13>>;
#endif

#ifdef MERGE_NT
template <typename T>
using MergeTuning = headroom::LaunchBox<headroom::Row<80, MERGE_NT, MERGE_VT, MERGE_OCC>>;
#else
template <typename T>
using MergeTuning = headroom::LaunchBox<headroom::Row<80, 256, T::key_size == 4 ? 25 : 15>>;
#endif

}  // namespace merge_sort
