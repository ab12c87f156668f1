// The tuning of a kernel for every architecture in one type; device code takes its own row when it
// is compiled, host code launches with the same numbers. C++20, nvcc, headers only, no macros.
//
//   #include <headroom/launch_box.cuh>
//   using Tuning = headroom::LaunchBox<headroom::Row<80, 128, 7, 4>, headroom::Row<90, 256, 11>>;
//
//   template <typename Tuning>
//   __global__ __launch_bounds__(Tuning::here::NT, Tuning::here::OCC) void foo(int n, …) {
//     using here = typename Tuning::here;
//     const int first = here::NV * blockIdx.x;                     // NV = NT * VT values a block
//     for (int i = 0; i < here::VT; ++i) … first + here::NT * i + threadIdx.x …
//   }
//
//   headroom::Launched launched = headroom::launch<Tuning>(foo<Tuning>, n, stream, n, …);
//   std::puts(headroom::text(launched, "Foo").c_str());
//
//   Launch Foo<<<1117, 128>>> with NT=128 VT=7 OCC=4 (sm_86 uses the row of sm_80)
//
// An architecture without a row uses the nearest earlier one, and every text says so. One that is
// older than the first row does not compile where device code asks for `here`, and launch() throws.
// A kernel is a template over the whole table, never over a row: its name, made of its template
// arguments and parameters, has to be the same for host and device. docs/launch_box.md shows more.
//
// Source: the "Performance" chapter of *Modern GPU* (S. Baxter, 2013), LaunchBox.
#pragma once
#include "headroom/launch_box/launch.cuh"
#include "headroom/launch_box/text.h"
