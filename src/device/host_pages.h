// Managed and pinned memory that work has touched which the program has not waited for: under headroom
// check its pages are taken from the program's own code until it waits, so that an access before that
// faults, is told (race_host), and goes on.
//
//   fill<<<1, 64>>>(managed);   sum += managed[3];     no cudaDeviceSynchronize() between: told
//
// Taken are whole pages that the work has touched all of, and only while no call of ours runs: the emulator
// itself may touch all. System calls see such pages as the program does, and fail. After the first finding
// the work counts as waited for.
#pragma once
#include "device/session.h"

namespace headroom::device {

// For as long as a call runs, the pages are the program's.
class HostPages {
 public:
  explicit HostPages(Session&);
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

 private:
  Session& session_;
};

void give_host_pages();  // for good, as where the program ends

}  // namespace headroom::device
