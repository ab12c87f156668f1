// Batched complex Fourier transforms in single precision, of 16 to 8192 points: a power of two. Forward
// with exp(-2 pi i j k / n), inverse with the conjugate; neither is scaled, as in FFTW and cuFFT.
//
//   bulk.launch(request);      // asynchronous, on the default stream
//
// Source of the ladder: V. Volkov, "Better Performance at Lower Occupancy", 2010, p3 and part V: 1024
// points by 64 threads rather than 256.
#pragma once
#include <cmath>
#include <cstddef>

namespace fft {

constexpr int min_size = 16, max_size = 8192;  // points of a transform

struct Request {
  const float2* from;
  float2* to;           // the same: in place
  const float2* roots;  // exp(-2 pi i k / n) for k < n, rounded from double precision
  float2* workspace;    // as large as the data, for rungs that ask for it
  int n;                // points of a transform
  size_t batch;         // transforms, one after the other
  bool inverse;
  int multiprocessors;
  int blocks = 0;  // of blocks that stay, on each multiprocessor; 0: as tuned
  int stages = 0;  // tiles that a block holds at a time, of rungs with a ring of them; 0: as tuned
};

// How a rung is launched.
struct Shape {
  const void* kernel;
  int threads;  // of a block
  int shared;   // bytes of a block, dynamic
  int blocks;   // on each multiprocessor, of those that stay; 0: they come and go
};

struct Rung {
  const char* name;
  void (*launch)(const Request&);
  Shape (*shape)(const Request&);
  int most = max_size;     // points of the longest transform
  bool workspace = false;  // asks for one
  int capability = 0;      // the least compute capability: 90 is 9.0
};

// As is usual, whatever a program really computes.
inline double operations(int n, size_t batch) { return 5.0 * n * std::log2(n) * double(batch); }

extern const Rung global_stages, shared_stages, four_values, sixteen_values, padded, intrinsic,
    eight_values, recurrence, kept_twiddles, pipelined, queued, bulk, bulk_stores;

// The ladder, from the ground up.
constexpr const Rung* rungs[] = {&global_stages, &shared_stages, &four_values,  &sixteen_values,
                                 &padded,        &intrinsic,     &eight_values, &recurrence,
                                 &kept_twiddles, &pipelined,     &queued,       &bulk,
                                 &bulk_stores};

}  // namespace fft
