// Launches that would do again what one before did: of the same kernel, shape and arguments, where memory is as it was.
// They need not be run: what that one wrote lies there already or is put there, and what is counted of them is the same.
//
//   scale<<<…>>>(in, out)  scale<<<…>>>(in, out)      nobody has written what the first read or wrote: out is as it has to be
//   fill(sum)  add<<<…>>>(in, sum)  three times       the second time what lies in `in` and `sum` is copied before it and after
//                                                     it; the third time the same lies there before it
//
// What a launch does has to depend on device memory alone: no clock, texture or memory of the host.
#pragma once
#include <list>
#include <memory>
#include <optional>

#include "device/content.h"
#include "record/launch.h"
#include "record/trace.h"
#include "sim/loaded.h"

namespace headroom::sim {
struct Options;
struct Outcome;
}  // namespace headroom::sim

namespace headroom::device {

struct Session;

class Repeats {
 public:
  // What a launch does depends on these, and on memory.
  struct What {
    std::shared_ptr<const sim::Program> program;
    Launch launch;
    sim::Limits limits;
    TraceSample sample;  // that is asked for
  };
  // What a launch comes to that need not run, and what it leaves in memory; null: that lies there.
  struct Found {
    std::shared_ptr<const sim::Outcome> outcome;
    const Content* after;
  };
  std::optional<Found> find(const What&);
  void repeat(const What&);  // that was found: memory is as it leaves it

  // Of a launch that runs again: what lies in memory now of what it read and wrote. Then: it ran.
  struct Before {
    Content loaded, stored;
    bool is_there() const { return loaded.is_there() && stored.is_there(); }
    uint64_t bytes() const { return loaded.bytes() + stored.bytes(); }
  };
  std::optional<Before> before(const Session&, const What&);
  void ran(const Session&, const What&, const sim::Outcome&, std::optional<Before>);

  // Others: they wrote there, gave memory or took it back.
  void wrote(const Session&, uint64_t address, uint64_t bytes);
  void gone(const Session&, uint64_t address, uint64_t bytes);
  void forget() { kept_.clear(); }
  bool empty() const { return kept_.empty(); }

 private:
  struct Kept {
    What what;
    std::shared_ptr<const sim::Outcome> outcome = nullptr;
    bool is_seen = true;    // whoever writes what it touched
    bool is_intact = true;  // … which nobody has since
    std::optional<Before> before = std::nullopt;
    std::optional<Content> after = std::nullopt;
    int misses = 0;           // times that something else lay there
    bool lies_there() const;  // what it wrote, as it would again
  };
  using List = std::list<Kept>;
  List::iterator kept_of(const What&);
  void stored(const sim::SectorPages&, const Kept* by);
  void drop_oldest();
  static uint64_t bytes_kept(const Kept&);

  List kept_;  // the last that was needed first
};

// As Options say (device/options.h), the launch is run or taken from one before.
sim::Outcome run_or_repeat(Session&, const Repeats::What&, const sim::Options&);

}  // namespace headroom::device
