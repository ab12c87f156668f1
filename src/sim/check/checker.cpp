#include "sim/check/checker.h"

#include "record/launch.h"
#include "sim/simulate.h"

namespace headroom::sim::check {

void Checker::begin(const Program& program, const Launch& launch, bool lockstep) {
  because_ = program.code
                 ? "its machine code ran, which no longer tells of all that orders accesses"
             : launch.shape.cluster_size().count() > 1 ? "its blocks run in clusters"
                                                       : nullptr;
  watches_ = !because_ && what_.races;
  follows_ = !because_ && what_.uninitialised;
  if (watches_) {
    races_.begin(program, launch.shape, lockstep);
    copies_.begin(program);
  }
  initialised_.begin(program, follows_);
}

std::shared_ptr<Checker> make_checker(bool races, bool uninitialised, bool bounds) {
  return std::make_shared<Checker>(Checker::What{races, uninitialised, bounds});
}

void allocated(Checker& checker, uint64_t address, uint64_t bytes) {
  checker.allocated(address, bytes);
}
void wrote(Checker& checker, uint64_t address, uint64_t bytes) { checker.wrote(address, bytes); }
void copied(Checker& checker, uint64_t to, uint64_t from, uint64_t bytes) {
  checker.copied(to, from, bytes);
}
void begin_work(Checker& checker, Work work) { checker.begin_work(std::move(work)); }
void runs(Checker& checker, std::shared_ptr<const Program> program) {
  checker.runs(std::move(program));
}
void touches(Checker& checker, uint64_t address, uint64_t bytes, bool writes, const char* what) {
  checker.touches(address, bytes, writes, what);
}
std::vector<Finding> take_findings(Checker& checker) { return checker.take_findings(); }

std::vector<Finding> Checker::finish() {
  std::vector<Finding> all;
  if (watches_) {
    races_.end();
    all = races_.finish();
    for (Finding& each : copies_.finish()) all.push_back(std::move(each));
  }
  for (Finding& each : initialised_.finish()) all.push_back(std::move(each));
  return all;
}

}  // namespace headroom::sim::check
