// headroom-lab: what `headroom reproduce` hands over to, and the measurement of the studies. The tables of the sources and the results of the
// studies are in here and not in headroom.
#include "cli/start.h"
#include "lab/measure.h"
#include "lab/reproduce.h"

namespace headroom {

namespace {

constexpr Command commands[] = {
    {"reproduce", "[NAME…] [OPTIONS]", "The sources' tables: published, predicted and measured",
     add_reproduce},
    {"measure", "[STEP…] [OPTIONS]", "All of it measured on a GPU, step by step, and kept",
     add_measure_steps},
};

}  // namespace

}  // namespace headroom

int main(int count, char** arguments) {
  return headroom::start(headroom::commands, count, arguments);
}
