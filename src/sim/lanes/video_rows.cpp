// Video instructions: section 9.7.18. Which of the many it is stands in the operation's second
// immediate.
#include <bit>

#include "sim/lanes/isa.h"
#include "sim/lanes/lift.h"
#include "sim/meaning/video.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

void run_video(Warp& warp, const Operation& operation) {
  const auto which = std::bit_cast<meaning::Video>(operation.extra);
  const uint32_t* a = at<uint32_t>(warp, operation.operand[1]);
  const uint32_t* b = at<uint32_t>(warp, operation.operand[2]);
  const uint32_t* c = at<uint32_t>(warp, operation.operand[3]);
  uint32_t out[lanes];
  for (int i = 0; i < lanes; ++i) out[i] = meaning::video(which, a[i], b[i], c[i]);
  keep<false>(warp, operation.operand[0], out);
}

}  // namespace

void video_rows(RowTable& table) {
  table.add("!video", whole<&run_video, &run_video, 4, 4, 4, 4>(1));
}

}  // namespace headroom::sim::HEADROOM_ISA
