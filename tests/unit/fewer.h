// How often a long test goes round: a tenth under a sanitizer, which looks at each round more closely.
//
//   for (int i = 0; i < fewer(400'000); ++i)
#pragma once

namespace headroom {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int fewer(int rounds) { return rounds / 10; }
#else
constexpr int fewer(int rounds) { return rounds; }
#endif

}  // namespace headroom
