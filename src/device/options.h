// What `headroom run` tells the stand-in through the environment.
//
//   HEADROOM_RECORD=/tmp/run.7   records go to /tmp/run.7.<pid>.jsonl; unset: no record
//   HEADROOM_MACHINE=h200        name or path of the machine imitated
//   HEADROOM_IMAGE=sm_80         which PTX of a program's images; unset: the best for the machine
//   HEADROOM_ENGINE=ptx          what of a kernel runs: machine, its machine code, or its PTX; unset:
//                                machine code where it can run
//   HEADROOM_SOURCE=1            counts for each machine instruction too; unset or 0: for launches
//   HEADROOM_MODEL=0             no predicted times; unset or 1: of all that can be predicted; times: without
//                                their range and without advice
//   HEADROOM_EVENTS=predicted    what events count of a launch: its predicted time; unset or floors: its
//                                largest floor
//   HEADROOM_CHECK=race,leak     looks for faults of these classes (1: all) instead of counting, by PTX
//                                where a program has some; unset or 0: not
//   HEADROOM_ACTIONS=1           copies and waits are recorded one by one; unset or 0: added up
//   HEADROOM_DEVICES=2           simulated devices
//   HEADROOM_SCHEDULING=lockstep warps as before Volta; unset or independent: as since
//   HEADROOM_HANG_AFTER=1e9      turns of one block, none of its blocks beginning or ending, after
//                                which a kernel is ended; unset: 1e10, of loops that only wait
//   HEADROOM_REPEATED=run        launches that would do again what one before did run too; skip or unset: they are
//                                taken from it; check: they run, and whether they do the same is looked at
//   HEADROOM_THREADS=4           host threads that run and predict a kernel; 0 or unset: as many as there are
//   HEADROOM_PROGRESS=1          a progress line on stderr while a kernel runs
//   HEADROOM_DO_NOTHING=1        launches are recorded but not executed (the negative control)
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "record/launch.h"

namespace headroom::device {

enum class Repeated : uint8_t { skip, run, check };  // repeats.h

struct Options {
  std::string record, machine = "h200", image;
  int devices = 1, threads = 0;
  std::optional<Engine> engine;  // absent: machine code where it can run
  bool source = false;
  bool source_if_any = false;  // … without a caveat where there are none
  // Look for faults instead of counting; those that a GPU would see are found anyway.
  struct Check {
    bool on = false, races = false, uninitialised = false, bounds = false, api = false,
         leaks = false;
  } check;
  bool model = true;              // predict the time of launches
  bool times_alone = false;       // … without their range and advice
  bool predicted_events = false;  // events count predicted times
  bool lockstep = false;
  Repeated repeats = Repeated::skip;
  std::optional<uint64_t> hang_after;  // turns of a block; unset: the executor's own limit
  bool actions = false;                // copies and waits, each
  bool progress = false, do_nothing = false;
};

// Throws Error for a number or a name that is none.
Options read_options();

}  // namespace headroom::device
