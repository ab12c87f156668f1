// The bare loop: the same 32-lane operations on the same register file in memory, written out in
// C++, with nothing that makes an executor: no decoding, no dispatch, no masks, no checks, no
// counting.
//
// Each operation reads its registers from memory and writes its result back, as it must where the
// next operation is not known; a barrier to the compiler stands between them.
#pragma once
#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/meaning/float.h"

namespace headroom::bench {

struct Bare {
  std::string_view isa;
  void (*fma)(uint32_t iterations);
  void (*tile)(uint32_t iterations);
  void (*integer)(uint32_t iterations);
  void (*stream)(float* data, uint32_t iterations);
};

namespace portable {
extern const Bare bare;
}
namespace avx2 {
extern const Bare bare;
}
namespace avx512 {
extern const Bare bare;
}

}  // namespace headroom::bench
