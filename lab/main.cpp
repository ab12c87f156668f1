// headroom-lab: what `headroom reproduce` hands over to. The tables of the sources and the results of the
// studies are in here and not in headroom.
#include "cli/start.h"
#include "lab/reproduce.h"

namespace headroom {

namespace {

constexpr Command commands[] = {
    {"reproduce", "[NAME…] [OPTIONS]", "The sources' tables: published, predicted and measured",
     add_reproduce},
};

}  // namespace

}  // namespace headroom

int main(int count, char** arguments) {
  return headroom::start(headroom::commands, count, arguments);
}
