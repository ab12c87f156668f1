#include "sim/check/checker.h"

#include "record/launch.h"
#include "sim/simulate.h"

namespace headroom::sim::check {

void Checker::begin(const Program& program, const Launch& launch, bool lockstep) {
  because_ = program.code
                 ? "its machine code ran, which no longer tells of all that orders accesses"
             : launch.shape.cluster_size().count() > 1 ? "its blocks run in clusters"
                                                       : nullptr;
  watches_ = !because_;
  if (watches_) races_.begin(program, lockstep);
}

std::shared_ptr<Checker> make_checker() { return std::make_shared<Checker>(); }

std::vector<Finding> Checker::finish() {
  return watches_ ? races_.finish() : std::vector<Finding>();
}

}  // namespace headroom::sim::check
