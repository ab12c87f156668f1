// rung    eight_values
// idea    half of the values a thread, up to 2048 points: twice the warps, whose loads overlap
// expect  shared_store_instructions / 0.67, barriers / 0.33 against intrinsic: a stage more
// next    recurrence: the special function units take longer than a product
//
// Sixteen values take fewer exchanges, and leave registers for 20 blocks of 64 threads; eight leave them for 32. Where
// memory is what a transform waits for, more warps are faster: at 256 and 512 points; at 1024 and 2048 they make up for
// a stage more. Of 4096 points eight values would be blocks of 512 threads, whose warps wait for each other: there it
// is sixteen again.
#include "studies/fft/block_transform.h"

namespace {

using namespace fft;

constexpr int most_of_eight = 2048;
using Eight = BlockLaunch<8, Padded<16>, Intrinsic, most_of_eight>;
using Sixteen = BlockLaunch<16, Padded<16>, Intrinsic>;

void launch(const Request& r) {
  return r.n <= most_of_eight ? Eight::launch(r) : Sixteen::launch(r);
}

Shape shape(const Request& r) { return r.n <= most_of_eight ? Eight::shape(r) : Sixteen::shape(r); }

}  // namespace

const fft::Rung fft::eight_values = {"eight_values", launch, shape};
