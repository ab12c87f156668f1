// A figure that deserves doubt: what is doubtful, the likely cause, what to do.
//
//   for (const Caveat& caveat : timing.caveats) std::puts(text(caveat).c_str());
//
//   the median is known to 1.2 %, not to 0.5 %; 40 samples are the most: allow more samples
#pragma once
#include <cstdarg>
#include <cstdio>
#include <string>

namespace headroom::timing {

struct Caveat {
  std::string what, cause, advice;
};

inline std::string text(const Caveat& caveat) {
  return caveat.what + "; " + caveat.cause + ": " + caveat.advice;
}

// As std::snprintf, but a string.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
inline std::string
printed(const char* format, ...) {
  char line[400];
  va_list values;
  va_start(values, format);
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

// 0.0123 -> "1.2 %"; 3.4e-6 -> "3.4 µs".
inline std::string percent(double fraction) { return printed("%.2g %%", fraction * 100); }
inline std::string duration(double seconds) {
  if (seconds < 1e-3) return printed("%.3g µs", seconds * 1e6);
  if (seconds < 1) return printed("%.3g ms", seconds * 1e3);
  return printed("%.3g s", seconds);
}

}  // namespace headroom::timing
