// Which work comes before which: by the streams that it was given to, by events, by the edges of graphs and
// by the host's waiting. Kept for `headroom check`, which looks for work that touches the same memory in no
// order.
//
//   timeline.begin(stream)               {7, {5, 6}}: the stream's next piece of work; 5 and 6 came earlier, and
//                                        nothing says that they are over when it runs
//   clock = timeline.now(a);  timeline.follow(b, clock)      an event recorded in a, and waited for in b
//   timeline.host_waits(a)               what `a` was given comes before all that the program gives from now on
//
// All threads of the program count as one, and waiting is believed: what it learns by other ways (a host
// function, memory that a kernel writes) makes less unordered, never more.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sim/check/work.h"

namespace headroom::device {

struct Stream;

using Clock = std::vector<uint32_t>;  // how many of each chain's pieces of work come before

class Timeline {
 public:
  bool is_kept = false;  // else nothing here does anything

  sim::check::Work begin(const Stream&);
  Clock now(const Stream&);
  void follow(const Stream&, const Clock&);
  void destroyed(const Stream&);
  void host_waits(const Stream&);
  void host_waits(const Clock&);
  void host_waits(int device);
  std::vector<uint32_t> pending() const;  // work that the host does not know to be over; ascending

 private:
  struct Chain {  // pieces of work, each after the one before
    std::deque<uint32_t> ids;
    uint32_t dropped = 0;  // so many before these
  };
  struct Line {
    uint32_t chain = 0;
    Clock before;                 // what its next piece of work follows
    std::vector<uint32_t> spare;  // chains whose work comes before that, too
    bool legacy = false, blocking = false;
    int device = 0;
  };
  Line& line_of(const Stream&);
  void catch_up(Line&);  // with the host, and the streams that it waits for by themselves
  uint32_t new_chain();  // one that holds nothing that is not known to be over
  void learnt();

  std::deque<Chain> chains_;
  std::map<const Stream*, Line> lines_;
  std::map<int, Clock> gone_;   // by device: of streams that are no more
  std::vector<uint32_t> free_;  // their chains
  Clock host_;
  uint32_t next_id_ = 1;
  const Stream* inside_ = nullptr;  // it runs a graph, whose node has this line now
  Line* inner_ = nullptr;

  friend class Branches;
};

// The nodes of a graph, while a stream runs it: each comes after those that it follows, and the stream goes
// on behind all of them.
//
//   Branches branches(timeline, stream);   branches.enter(node, {those before it});   … its work …
class Branches {
 public:
  Branches(Timeline&, const Stream&);
  ~Branches();
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;
  void enter(const void* node, const std::vector<const void*>& follows);

 private:
  struct Done {
    Timeline::Line line;
    bool continued = false;  // another has its chain
  };
  uint32_t next_chain();

  Timeline& timeline_;
  const Stream* stream_;
  const Stream* outside_;  // as it was before
  Timeline::Line* outer_ = nullptr;
  Timeline::Line* last_inner_ = nullptr;
  Clock base_;
  bool own_is_taken_ = false;
  std::map<const void*, Done> done_;
};

}  // namespace headroom::device
