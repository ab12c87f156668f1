// Bandwidths as they are published.
//
//   theoretical_bandwidth(1107, 512) / 1e9        141.7 GB/s  (GTX 280; / 2^30 it is 131.96)
//   effective_bandwidth(bytes, bytes, seconds)    of a copy: read + written, over the time
#pragma once

namespace headroom {

// B/s at the pins of a double-data-rate memory: clock in MHz, bus width in bits.
constexpr double theoretical_bandwidth(double memory_clock, double bus_width) {
  constexpr double transfers_per_clock = 2, bits_per_byte = 8;
  return memory_clock * 1e6 * bus_width / bits_per_byte * transfers_per_clock;
}

// B/s that a kernel achieved, from the application's view.
constexpr double effective_bandwidth(double bytes_read, double bytes_written, double seconds) {
  return (bytes_read + bytes_written) / seconds;
}

}  // namespace headroom
