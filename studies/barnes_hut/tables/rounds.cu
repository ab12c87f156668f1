// How much each kernel could do at once, round by round, whatever runs it: see host/parallelism.h.
//
//   kernel      round  bodies  work items
//   build tree      1    1024           8
//   build tree      2    1024           8
#include "studies/barnes_hut/host/parallelism.h"
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

int rows(const Settings&, const Bodies& bodies, study::Table& table) {
  for (const Rounds& rounds : parallelism(bodies)) {
    for (size_t round = 0; round < rounds.items.size(); ++round) {
      table.row({rounds.kernel, count(round + 1), count(bodies.size()),
                 count(size_t(rounds.items[round]))});
    }
  }
  return 0;
}

}  // namespace

const TableKind rounds_table{
    "--parallelism", {"kernel", "round", "bodies", "work items"}, rows, rows, false};

}  // namespace barnes_hut
