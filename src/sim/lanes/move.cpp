// Moves data between memory and registers, once access.h knows where every lane's bytes are.
//
//   ld.global.u8 %rs1   load 1 byte, extend to 2      ld.shared.v4.f32   4 words a lane
//
// Loads compute all lanes and keep those that run (idle lanes point at a legal place); stores and
// atomics visit the running lanes in order, so that the highest lane wins a store and atomics are
// sequential.
#include <cmath>
#include <type_traits>

#include "sim/access_pattern.h"
#include "sim/lanes/gather.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/weave.h"
#include "sim/machinery.h"
#include "sim/meaning/integer.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

struct Wide {  // a 128-bit register
  uint64_t low, high;
};

template <class T>
inline T read(uint64_t host) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(host), sizeof value);
  return value;
}
template <class T>
inline void write(uint64_t host, T value) {
  std::memcpy(reinterpret_cast<void*>(host), &value, sizeof value);
}

// memory type M -> register type D
template <class M, class D>
inline D widened(M value) {
  if constexpr (std::is_same_v<M, Wide>)
    return value;
  else
    return D(value);
}

// To registers of 4 bytes, from lanes that lie neither in a row nor at one place: where vectors pay.
template <class M, int N>
inline void load_words(Warp& warp, const Operation& operation) {
  const HostAddresses& addresses = warp.addresses;
  const AccessPattern* pattern = addresses.pattern;  // of scattered lanes there may be none
  const bool full = warp.mask == all_lanes;
  alignas(64) uint32_t kept[N][lanes];
  uint32_t* out[N];
  for (int n = 0; n < N; ++n) out[n] = full ? at<uint32_t>(warp, operation.operand[n]) : kept[n];
  const bool scattered = addresses.layout == HostAddresses::scattered,
             in_window = addresses.layout == HostAddresses::window;
  if constexpr (sizeof(M) < 4) {
    const uint64_t first = addresses.host[0] - (in_window ? uint64_t(pattern->low) : 0);
    for (int n = 0; n < N; ++n)
      scattered ? narrow_of<M>(out[n], addresses.host, n)
                : narrow<M>(out[n], first + uint64_t(n) * sizeof(M), pattern->delta32);
  } else if (scattered) {
    for (int n = 0; n < N; ++n) words_of(out[n], addresses.host, n);
  } else if (in_window) {
    const uint32_t* window = reinterpret_cast<const uint32_t*>(addresses.host[0]);
    for (int n = 0; n < N; ++n)
      near_words(out[n], window, pattern->index, pattern->words, uint32_t(n));
  } else if constexpr (N == 4) {
    quads({out[0], out[1], out[2], out[3]}, addresses.host[0], pattern->delta);
  } else if constexpr (N == 2) {
    pairs({out[0], out[1]}, addresses.host[0], pattern->delta32);
  } else {
    if (addresses.layout == HostAddresses::spread)
      spread_words(out[0], addresses.host[0], pattern->delta32);
    else
      words_by_eights(out[0], addresses.host[0], pattern->delta32,
                      addresses.layout == HostAddresses::rows);
  }
  if (full) return;
  for (int n = 0; n < N; ++n) keep<false>(warp, operation.operand[n], kept[n]);
}

template <class M, class D, int N>
void load(Warp& warp, const Operation& operation) {
  const uint64_t* host = warp.addresses.host;
  const bool irregular = warp.addresses.layout != HostAddresses::uniform &&
                         warp.addresses.layout != HostAddresses::contiguous;
  if constexpr (sizeof(M) <= 4 && sizeof(D) == 4) {
    if (irregular) return load_words<M, N>(warp, operation);
  }
  if constexpr (sizeof(M) == 4 && sizeof(D) == 4 && N == 2) {
    if (warp.mask == all_lanes && warp.addresses.layout == HostAddresses::contiguous)
      return pairs_of_row(
          {at<uint32_t>(warp, operation.operand[0]), at<uint32_t>(warp, operation.operand[1])},
          reinterpret_cast<const uint32_t*>(host[0]));
  }
  const uint64_t first = host[0] - (warp.addresses.layout == HostAddresses::window
                                        ? uint64_t(warp.addresses.pattern->low)
                                        : 0);  // of the first lane
  D out[lanes];
  for (int n = 0; n < N; ++n) {
    switch (warp.addresses.layout) {
      case HostAddresses::uniform: {
        const D value = widened<M, D>(read<M>(host[0] + n * sizeof(M)));
        for (int i = 0; i < lanes; ++i) out[i] = value;
        break;
      }
      case HostAddresses::contiguous: {
        const M* from = reinterpret_cast<const M*>(host[0]) + n;
        for (int i = 0; i < lanes; ++i) out[i] = widened<M, D>(from[i * N]);
        break;
      }
      case HostAddresses::window:
      case HostAddresses::rows:
      case HostAddresses::steps:
      case HostAddresses::spread: {
        const uint64_t* delta = warp.addresses.pattern->delta;
        for (int i = 0; i < lanes; ++i)
          out[i] = widened<M, D>(read<M>(first + delta[i] + n * sizeof(M)));
        break;
      }
      default:
        for (int i = 0; i < lanes; ++i) out[i] = widened<M, D>(read<M>(host[i] + n * sizeof(M)));
    }
    if (warp.mask == all_lanes)
      keep<true>(warp, operation.operand[n], out);
    else
      keep<false>(warp, operation.operand[n], out);
  }
}

// Side by side in memory: registers' words, lane by lane.
template <int N>
inline void store_row(Warp& warp, const Operation& operation, uint64_t host) {
  if constexpr (N == 2)
    weave({at<uint32_t>(warp, operation.operand[0]), at<uint32_t>(warp, operation.operand[1])},
          reinterpret_cast<uint32_t*>(host));
  else
    weave({at<uint32_t>(warp, operation.operand[0]), at<uint32_t>(warp, operation.operand[1]),
           at<uint32_t>(warp, operation.operand[2]), at<uint32_t>(warp, operation.operand[3])},
          reinterpret_cast<uint32_t*>(host));
}

// Of rows only the first lane's place is known so far.
inline void place_rows(HostAddresses& addresses) {
  const uint64_t first = addresses.host[0];
  for (int i = 0; i < lanes; ++i) addresses.host[i] = first + addresses.pattern->delta[i];
}

template <class M, class S, int N>
void store(Warp& warp, const Operation& operation) {
  const uint64_t* host = warp.addresses.host;
  if (warp.addresses.layout == HostAddresses::rows) {
    if constexpr (N == 1 && sizeof(M) == 4 && sizeof(S) == 4) {
      const S* from = at<S>(warp, operation.operand[0]);
      for (int i = 0; i < lanes; i += 8)
        std::memcpy(reinterpret_cast<void*>(host[0] + warp.addresses.pattern->delta[i]), from + i,
                    32);
      return;
    }
    place_rows(warp.addresses);
  }
  const bool in_a_row = warp.addresses.layout == HostAddresses::contiguous;
  if constexpr (N > 1 && sizeof(M) == 4 && sizeof(S) == 4) {
    if (in_a_row) return store_row<N>(warp, operation, host[0]);
    // As pieces of a lane: of lanes that write to one place the highest wins all of it.
    alignas(64) uint32_t row[N * lanes];
    store_row<N>(warp, operation, reinterpret_cast<uint64_t>(row));
    for (uint32_t left = warp.mask; left; left &= left - 1) {
      const int i = __builtin_ctz(left);
      std::memcpy(reinterpret_cast<void*>(host[i]), row + N * i, N * sizeof(M));
    }
    return;
  }
  for (int n = 0; n < N; ++n) {
    const S* from = at<S>(warp, operation.operand[n]);
    if (in_a_row) {
      M* to = reinterpret_cast<M*>(host[0]) + n;
      for (int i = 0; i < lanes; ++i) to[i * N] = M(from[i]);
    } else if (warp.mask == all_lanes) {
      for (int i = 0; i < lanes; ++i) write<M>(host[i] + n * sizeof(M), M(from[i]));
    } else {
      for (uint32_t left = warp.mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        write<M>(host[i] + n * sizeof(M), M(from[i]));
      }
    }
  }
}

template <class M, class D>
Handler load_of(int count) {
  return count == 1   ? &load<M, D, 1>
         : count == 2 ? &load<M, D, 2>
         : count == 4 ? &load<M, D, 4>
                      : nullptr;
}
template <class M, class S>
Handler store_of(int count) {
  return count == 1   ? &store<M, S, 1>
         : count == 2 ? &store<M, S, 2>
         : count == 4 ? &store<M, S, 4>
                      : nullptr;
}

template <class M>
Handler load_to(int register_bytes, int count) {
  using Same = std::conditional_t<std::is_signed_v<M>, int64_t, uint64_t>;
  using Half = std::conditional_t<std::is_signed_v<M>, int32_t, uint32_t>;
  using Quarter = std::conditional_t<std::is_signed_v<M>, int16_t, uint16_t>;
  if (register_bytes == 8) return load_of<M, Same>(count);
  if (register_bytes == 4 && sizeof(M) <= 4) return load_of<M, Half>(count);
  if (register_bytes == 2 && sizeof(M) <= 2) return load_of<M, Quarter>(count);
  if (register_bytes == 1 && sizeof(M) == 1) return load_of<M, M>(count);
  return nullptr;
}

template <class M>
Handler store_from(int register_bytes, int count) {
  if (register_bytes == 8) return store_of<M, uint64_t>(count);
  if (register_bytes == 4 && sizeof(M) <= 4) return store_of<M, uint32_t>(count);
  if (register_bytes == 2 && sizeof(M) <= 2) return store_of<M, uint16_t>(count);
  if (register_bytes == 1 && sizeof(M) == 1) return store_of<M, uint8_t>(count);
  return nullptr;
}

}  // namespace

Handler choose_load(int memory_bytes, bool is_signed, int register_bytes, int count) {
  switch (memory_bytes * 2 + is_signed) {
    case 2: return load_to<uint8_t>(register_bytes, count);
    case 3: return load_to<int8_t>(register_bytes, count);
    case 4: return load_to<uint16_t>(register_bytes, count);
    case 5: return load_to<int16_t>(register_bytes, count);
    case 8: return load_to<uint32_t>(register_bytes, count);
    case 9: return load_to<int32_t>(register_bytes, count);
    case 16:
    case 17: return load_to<uint64_t>(register_bytes, count);
    case 32:
    case 33: return register_bytes == 16 && count == 1 ? &load<Wide, Wide, 1> : nullptr;
  }
  return nullptr;
}

Handler choose_store(int memory_bytes, int register_bytes, int count) {
  switch (memory_bytes) {
    case 1: return store_from<uint8_t>(register_bytes, count);
    case 2: return store_from<uint16_t>(register_bytes, count);
    case 4: return store_from<uint32_t>(register_bytes, count);
    case 8: return store_from<uint64_t>(register_bytes, count);
    case 16: return register_bytes == 16 && count == 1 ? &store<Wide, Wide, 1> : nullptr;
  }
  return nullptr;
}

}  // namespace headroom::sim::HEADROOM_ISA
