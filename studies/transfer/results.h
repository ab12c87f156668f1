// What the study's parts find out, and the settings they share. Times are in seconds; on an executor
// there are none, as nothing was measured.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studies/transfer/fit.h"
#include "studies/transfer/patterns.h"

namespace transfer {

struct Settings {
  size_t least, most;  // bytes of a transfer
  size_t max_managed;  // of managed memory
  int factor;          // between two sizes
  bool measured;       // there is hardware: times mean something
  int devices;
  uint64_t seed;
  std::vector<Memory> memories;
};

// least, factor * least, … and most itself.
std::vector<size_t> sizes_up_to(const Settings&, size_t most);

struct Seconds {
  double median, least, most, relative_error;
  int samples;
};

// sweep.cu: one transfer by one way.
struct Row {
  Way way;
  size_t bytes, wrong;
  std::optional<Seconds> seconds;
};

// pinning.cu: ways to get pageable data to the device once.
struct PinningRow {
  size_t bytes, wrong;
  struct Times {
    Seconds pageable;         // plain cudaMemcpy
    Seconds pinned;           // the same of memory that is pinned already
    Seconds staged;           // memcpy into pinned memory that is kept, then cudaMemcpy
    Seconds registered;       // cudaHostRegister, cudaMemcpy, cudaHostUnregister
    Seconds allocate_pinned;  // cudaHostAlloc and cudaFreeHost
    Seconds allocate;         // malloc, the first touch of every page, free
  };
  std::optional<Times> times;
};

// overlap.cu: a copy in chunks beside a kernel on the chunks that have arrived.
struct OverlapRow {
  Memory memory;
  size_t bytes, wrong;
  int chunks, streams;
  std::optional<Seconds> copy, kernel, together;  // the first two by themselves

  // 1: the shorter of the two costs nothing more.
  double hidden() const {
    const double shorter = copy->median < kernel->median ? copy->median : kernel->median;
    return (copy->median + kernel->median - together->median) / shorter;
  }
};

// steady.cu: the rate of a long copy by the device's own clock.
struct SteadyRow {
  const char* what;
  size_t bytes, wrong;
  std::optional<Seconds> seconds;
};

// The device's clocks right after a part of the study, where the driver tells.
struct ClocksAfter {
  std::string part;
  std::optional<unsigned> sm_mhz, memory_mhz, celsius;
};

struct Results {
  std::vector<Row> rows;
  std::vector<PinningRow> pinning;
  std::vector<OverlapRow> overlap;
  std::vector<SteadyRow> steady;
  std::vector<ClocksAfter> clocks;
  std::vector<std::string> left_out;
  bool interrupted = false;

  size_t wrong() const;
};

void sweep(const Settings&, Results&);
void pinning(const Settings&, Results&);
void overlap(const Settings&, Results&);
void steady(const Settings&, Results&);

}  // namespace transfer
