// The time of a whole launch that fills the machine: C = A·B for 1024 x 1024 matrices with a tile
// of 8 x 8 a thread (tile_2d.cu), counting, on one host thread and on as many as there are.
#pragma once

namespace headroom::bench {

void register_product();

}  // namespace headroom::bench
