// One launch that ran on the executor: what it did, what it needs at least, what is predicted, and what to change.
//
//   launch["global_load_sectors"]   4096; throws where it is not known, and says why
//   launch.figure("spill")          nothing where it is not known
//   launch.advice()[0].next         "pad the rows of the tile by one element"
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headroom/library/connect.h"

namespace headroom {

struct Figure {
  std::string name, unit;
  double value = 0;
};
struct Floor {
  std::string resource;  // "dram cold"
  double nanoseconds = 0;
  bool estimate = false;
  std::string equation;
};
struct Stall {
  std::string reason;  // "long_scoreboard", as Nsight Compute has it
  double cycles = 0;   // of each instruction issued
  double share = 0;    // of a warp's time
};
struct Advice {
  std::string id;  // "uncoalesced"
  double nanoseconds = 0;
  std::string what, next;
  std::string file;  // empty: of no line
  unsigned line = 0;
};
struct Finding {
  std::string kind;  // "illegal_global_load"
  std::string what;
  std::string source;  // "saxpy.cu:12"
  std::string advice;
  std::array<unsigned, 3> block{}, thread{};
  std::size_t times = 1;
};

class Launch {
 public:
  explicit Launch(std::size_t index) : index_(index) {}

  std::string kernel() const { return described().kernel; }  // with its parameters
  std::string engine() const {
    return described().engine;
  }  // "machine": its machine code; or "ptx"
  bool completed() const { return described().completed != 0; }
  bool counted() const { return figure("warp_instructions").has_value(); }  // not by headroom check

  // A counter, or another figure of docs/compare.md. Of a launch that a fault stopped it is refused.
  double operator[](const std::string& name) const {
    if (!completed())
      throw Error(kernel() + " was stopped" + first_finding() + "; it has no figures");
    if (const auto value = figure(name)) return *value;
    throw Error(kernel() + ": " + name + " is not known (of " + engine() +
                "; see the caveats of headroom run)");
  }
  std::optional<double> figure(const std::string& name) const {
    headroom_figure found{};
    library::check(library::functions().figure(index_, name.c_str(), &found));
    return found.known ? std::optional(found.value) : std::nullopt;
  }
  std::vector<Figure> figures() const {  // those that are known
    return all<Figure>(library::functions().figures, [](const headroom_figure& one) {
      return Figure{one.name, one.unit, one.value};
    });
  }
  // The largest first.
  std::vector<Floor> floors() const {
    return all<Floor>(library::functions().floors, [](const headroom_floor& one) {
      return Floor{one.resource, one.nanoseconds, one.estimate != 0, one.equation};
    });
  }
  std::vector<Stall> stalls() const {
    return all<Stall>(library::functions().stalls, [](const headroom_stall& one) {
      return Stall{one.reason, one.cycles, one.share};
    });
  }
  std::vector<Advice> advice() const {
    return all<Advice>(library::functions().advice, [](const headroom_advice& one) {
      return Advice{one.id, one.nanoseconds, one.what, one.next, one.file, one.line};
    });
  }
  std::vector<Finding> findings() const {
    return all<Finding>(library::functions().findings, [](const headroom_finding& one) {
      return Finding{one.kind,
                     one.what,
                     one.source,
                     one.advice,
                     {one.block[0], one.block[1], one.block[2]},
                     {one.thread[0], one.thread[1], one.thread[2]},
                     std::size_t(one.times)};
    });
  }

 private:
  headroom_launch described() const {
    headroom_launch launch{};
    library::check(library::functions().describe(index_, &launch));
    return launch;
  }
  std::string first_finding() const {
    const std::vector<Finding> found = findings();
    return found.empty() ? "" : ": " + found[0].what + " (" + found[0].source + ")";
  }
  template <class Given, class One, class Convert>
  std::vector<Given> all(int (*list)(std::size_t, void (*)(void*, const One*), void*),
                         Convert convert) const {
    struct State {
      std::vector<Given> given;
      Convert convert;
    } state{{}, convert};
    library::check(list(
        index_,
        [](void* to, const One* one) {
          auto& s = *static_cast<State*>(to);
          s.given.push_back(s.convert(*one));
        },
        &state));
    return std::move(state.given);
  }
  std::size_t index_;
};

}  // namespace headroom
