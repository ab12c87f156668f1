// Memory instructions: where every lane's bytes are, whether it may touch them, and what the access
// looks like to the observer. The data moves afterwards (move.cpp), knowing only host addresses.
//
//   ld.global.f32 %f1, [%rd1+16]   operand[0] = %f1, operand[address_operand] = %rd1, offset = 16
#pragma once
#include "sim/cluster.h"
#include "sim/lanes/lift.h"
#include "sim/lanes/pattern.h"
#include "sim/lanes/tell.h"
#include "sim/machinery.h"
#include "sim/observer.h"
#include "sim/spaces.h"
#include "sim/warp.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using Addresses = uint64_t[lanes];
template <bool Wide>
using AddressLane = std::conditional_t<Wide, uint64_t, uint32_t>;

// Lanes that do not run take the first running lane's address: every lane's address is then a legal
// one.
inline void settle(Warp& warp, Addresses& address) {
  if (warp.mask == all_lanes) return;
  const uint64_t first = address[__builtin_ctz(warp.mask)];
  for (int i = 0; i < lanes; ++i) address[i] = warp.lane_mask[i] ? address[i] : first;
}

template <bool Wide>
inline void read_addresses(Warp& warp, const Operation& operation, Addresses& address) {
  const auto* base = at<AddressLane<Wide>>(warp, operation.operand[address_operand]);
#ifdef __AVX512F__
  // Whole vectors: what is stored under a mask takes twice as long to be loaded again.
  const auto first =
      AddressLane<Wide>(base[__builtin_ctz(warp.mask)] + AddressLane<Wide>(operation.offset));
  const __m512i others = _mm512_set1_epi64(int64_t(uint64_t(first)));
  for (int i = 0; i < lanes; i += 8) {
    __m512i here;
    if constexpr (Wide)
      here = _mm512_add_epi64(_mm512_loadu_si512(base + i), _mm512_set1_epi64(operation.offset));
    else
      here = _mm512_maskz_cvtepu32_epi64(
          0xff, _mm256_add_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(base + i)),
                                 _mm256_set1_epi32(int(operation.offset))));
    _mm512_storeu_si512(address + i, _mm512_mask_mov_epi64(others, __mmask8(warp.mask >> i), here));
  }
#else
  for (int i = 0; i < lanes; ++i)
    address[i] = AddressLane<Wide>(base[i] + AddressLane<Wide>(operation.offset));
  settle(warp, address);
#endif
}

// What a place's bytes may be, and where they are in the host's memory.
struct Extent {
  uint64_t begin = 0, end = 0;  // legal addresses
  uint64_t origin = 0;          // host address of address 0
};
template <Place P>
inline Extent extent(const Warp& warp, const Operation& operation) {
  const Machinery& machinery = *warp.block->machinery;
  if constexpr (P == Place::global || P == Place::constant) {
    const Memory::Block& recent = machinery.recent[operation.site];
    return {recent.begin, recent.end, 0};
  } else if constexpr (P == Place::shared) {
    return {0, machinery.shared_bytes, reinterpret_cast<uint64_t>(warp.block->shared)};
  } else if constexpr (P == Place::local) {
    return {0, warp.local_bytes, reinterpret_cast<uint64_t>(warp.local)};
  } else {
    return {0, machinery.arguments.size(), reinterpret_cast<uint64_t>(machinery.arguments.data())};
  }
}

// Pattern and first address are known, the access is legal: tell of it, say where the bytes are,
// move them.
template <Place P, Use U, Observer O>
inline void serve(Warp& warp, const Operation& operation, const AccessPattern& pattern,
                  uint64_t first, uint64_t origin, const BlockState* peer = nullptr) {
  tell<O>(warp, Access{.warp = warp,
                       .operation = operation,
                       .space = P,
                       .use = U,
                       .pattern = pattern,
                       .first = first,
                       .peer = peer});
  Addresses& host = warp.addresses.host;
  warp.addresses.pattern = &pattern;
  if constexpr (P == Place::local) {  // a block of its own for every lane
    for (int i = 0; i < lanes; ++i)
      host[i] = origin + uint64_t(i) * warp.local_stride + first + pattern.delta[i];
    settle(warp, host);
    warp.addresses.layout = HostAddresses::scattered;
  } else {
    const bool begins = U == Use::load
                            ? pattern.layout != HostAddresses::scattered
                            : U == Use::store && (pattern.layout == HostAddresses::contiguous ||
                                                  pattern.layout == HostAddresses::rows);
    if (begins) {  // the move knows the rest
      warp.addresses.layout = HostAddresses::Layout(pattern.layout);
      host[0] =
          origin + first + (pattern.layout == HostAddresses::window ? uint64_t(pattern.low) : 0);
    } else {
      warp.addresses.layout = HostAddresses::scattered;
      for (int i = 0; i < lanes; ++i) host[i] = origin + first + pattern.delta[i];
    }
  }
  operation.move(warp, operation);
}

inline bool legal(const AccessPattern& pattern, uint64_t first, uint64_t bytes,
                  const Extent& extent) {
  const uint64_t low = first + uint64_t(pattern.low), high = first + uint64_t(pattern.high);
  return low >= extent.begin && low <= high && high < extent.end && extent.end - high >= bytes &&
         extent.end > extent.begin;
}

// What of the first address must be as it was: sectors of global memory depend on where in one it
// lies; banks do not, but every access must be aligned.
template <Place P>
inline uint64_t phase_of(const Operation& operation, uint64_t first) {
  return first & (P == Place::global ? 31 : (operation.bytes - 1u) | 3);
}

// Addresses of another block's shared memory, of the same cluster: lanes that mean the same block
// run together.
template <Use U, Observer O>
[[gnu::noinline]] void access_peers(Warp& warp, const Operation& operation,
                                    const Addresses& address) {
  Machinery& machinery = *warp.block->machinery;
  AccessPattern& pattern = machinery.patterns[operation.site];
  const uint32_t all = warp.mask;
  for (uint32_t left = all; left;) {
    const uint64_t rank = address[__builtin_ctz(left)] & rank_bits;
    uint32_t same = 0;
    for (int i = 0; i < lanes; ++i) same |= uint32_t((address[i] & rank_bits) == rank) << i;
    same &= left;
    left &= ~same;
    set_mask(warp, same);
    Addresses there;
    const bool before = rank == rank_bits;  // the beginning of one's own
    for (int i = 0; i < lanes; ++i)
      there[i] = before ? uint64_t(shared_offset_of(address[i])) : address[i] & ~rank_bits;
    settle(warp, there);
    const uint64_t first = there[__builtin_ctz(same)];
    const BlockState* owner = before ? warp.block : owner_of_shared(*warp.block, rank);
    const bool aligned = take_pattern(warp.mask, operation.bytes, there, pattern);
    if (!aligned || !owner || !owner->live ||
        !legal(pattern, first, operation.bytes, {0, machinery.shared_bytes, 0})) {
      pattern.mask = 0;  // nothing learnt if this throws
      check_access(warp, operation, Place::shared, U, address);
      pattern.mask = warp.mask;
    }
    pattern.place = Place::shared;
    analyse(pattern);
    serve<Place::shared, U, O>(warp, operation, pattern, first,
                               reinterpret_cast<uint64_t>(owner->shared), owner);
  }
  set_mask(warp, all);
}

inline bool means_peers(const Addresses& address) {
  uint64_t any = 0;
  for (int i = 0; i < lanes; ++i) any |= address[i] & rank_bits;
  return any != 0;
}

// Offsets before the beginning of a block's shared memory wrap around in 32 bits. What the lanes
// mean, if that is the block's own: true.
inline bool unwrapped(const Addresses& address, Addresses& own) {
  uint64_t peers = 0;
  for (int i = 0; i < lanes; ++i) {
    const bool wraps = uint32_t(address[i] >> 32) == 0 && (address[i] & rank_bits) == rank_bits;
    own[i] = wraps ? uint64_t(int64_t(int32_t(address[i]))) : address[i];
    peers |= int64_t(own[i]) < 0 ? 0 : own[i] & rank_bits;
  }
  return peers == 0;
}

// All lanes lie in one allocation, if not in that of last time, which is remembered from now on.
inline bool legal_elsewhere(Machinery& machinery, const Operation& operation,
                            const AccessPattern& pattern, uint64_t first) {
  const Memory::Block* block = machinery.memory->find(first, machinery.limits.device);
  if (!block || !legal(pattern, first, operation.bytes, {block->begin, block->end, 0}))
    return false;
  machinery.recent[operation.site] = *block;
  return true;
}

// A pattern not seen last time: learn it, then serve.
template <Place P, Use U, Observer O>
[[gnu::noinline]] void learn(Warp& warp, const Operation& operation, const Addresses& address) {
  Machinery& machinery = *warp.block->machinery;
  AccessPattern& pattern = machinery.patterns[operation.site];
  const uint64_t first = address[__builtin_ctz(warp.mask)];
  bool fits = take_pattern(warp.mask, operation.bytes, address, pattern);
  if constexpr (P == Place::global || P == Place::constant)
    fits = fits && (legal(pattern, first, operation.bytes, extent<P>(warp, operation)) ||
                    legal_elsewhere(machinery, operation, pattern, first));
  else
    fits = fits && legal(pattern, first, operation.bytes, extent<P>(warp, operation));
  if (!fits) {
    pattern.mask = 0;  // nothing learnt if this throws
    if constexpr (P == Place::shared) {
      if (means_peers(address)) {
        Addresses own;
        if (!unwrapped(address, own)) return access_peers<U, O>(warp, operation, address);
        if (std::memcmp(own, address, sizeof own) != 0) return learn<P, U, O>(warp, operation, own);
      }
    }
    check_access(warp, operation, P, U, address);
    pattern.mask = warp.mask;
  }
  pattern.place = P;
  pattern.phase = uint32_t(phase_of<P>(operation, first));
  analyse(pattern);
  serve<P, U, O>(warp, operation, pattern, first, extent<P>(warp, operation).origin);
}

// True if the lanes lie as they did when this instruction last ran: all that is new is where the
// first one is.
template <bool Wide>
inline bool as_before(const Warp& warp, const AccessPattern& pattern, const AddressLane<Wide>* base,
                      AddressLane<Wide> first) {
  using A = AddressLane<Wide>;
  if (warp.mask != pattern.mask) return false;
  const A* delta;
  if constexpr (Wide)
    delta = pattern.delta;
  else
    delta = pattern.delta32;
#ifdef __AVX512F__
  constexpr int together = 64 / sizeof(A);
  const __m512i from = Wide ? _mm512_set1_epi64(int64_t(first)) : _mm512_set1_epi32(int(first));
  uint32_t changed = 0;
  for (int i = 0; i < lanes; i += together) {
    const __m512i here = _mm512_loadu_si512(base + i), there = _mm512_loadu_si512(delta + i);
    if constexpr (Wide)
      changed |= uint32_t(_mm512_cmpneq_epi64_mask(_mm512_sub_epi64(here, from), there)) << i;
    else
      changed |= uint32_t(_mm512_cmpneq_epi32_mask(_mm512_sub_epi32(here, from), there)) << i;
  }
  return (changed & warp.mask) == 0;
#else
  A changed = 0;
  if (warp.mask == all_lanes) {
    for (int i = 0; i < lanes; ++i) changed |= A(base[i] - first) ^ delta[i];
  } else {
    for (int i = 0; i < lanes; ++i)
      changed |= (A(base[i] - first) ^ delta[i]) & A(int32_t(warp.lane_mask[i]));
  }
  return changed == 0;
#endif
}

// The lanes lie as before, if not the first one in its sector: what is counted may be another.
inline void take_phase(AccessPattern& pattern, uint32_t phase) {
  const uint32_t changed = phase ^ pattern.phase;
  pattern.phase = phase;
  if (changed & pattern.phase_mask) analyse(pattern);
}

template <Place P, Use U, bool Wide, Observer O>
void access(Warp& warp, const Operation& operation) {
  const auto* base = at<AddressLane<Wide>>(warp, operation.operand[address_operand]);
  const AddressLane<Wide> lane = base[__builtin_ctz(warp.mask)];
  const uint64_t first = AddressLane<Wide>(lane + AddressLane<Wide>(operation.offset));
  AccessPattern& pattern = warp.block->machinery->patterns[operation.site];
  if (as_before<Wide>(warp, pattern, base, lane) && (first & (operation.bytes - 1u)) == 0) {
    const Extent here = extent<P>(warp, operation);
    if (legal(pattern, first, operation.bytes, here)) [[likely]] {
      take_phase(pattern, uint32_t(phase_of<P>(operation, first)));
      return serve<P, U, O>(warp, operation, pattern, first, here.origin);
    }
  }
  Addresses address;
  read_addresses<Wide>(warp, operation, address);
  learn<P, U, O>(warp, operation, address);
}

// Parameter blocks of device functions lie in the frame, a block a lane.
template <Use U, Observer O>
void access_frame(Warp& warp, const Operation& operation) {
  const uint64_t base = reinterpret_cast<uint64_t>(warp.base) + uint64_t(operation.offset);
  for (int i = 0; i < lanes; ++i) warp.addresses.host[i] = base + uint64_t(i) * operation.extra;
  settle(warp, warp.addresses.host);
  warp.addresses.layout = HostAddresses::scattered;
  operation.move(warp, operation);
}

inline Place window_of(uint64_t address) {
  switch ((address + window_margin) >> 32) {
    case shared_window >> 32: return Place::shared;
    case local_window >> 32: return Place::local;
    case param_window >> 32: return Place::parameter;
    default: return Place::global;
  }
}

// A generic address may mean any space, and lanes may disagree: each space's lanes run on their
// own.
template <Place P, Use U, Observer O>
inline bool serve_as_before(Warp& warp, const Operation& operation, AccessPattern& pattern,
                            uint64_t first) {
  if (pattern.place != P || (first & (operation.bytes - 1u)) != 0) return false;
  const Extent here = extent<P>(warp, operation);
  if (!legal(pattern, first, operation.bytes, here)) return false;
  take_phase(pattern, uint32_t(phase_of<P>(operation, first)));
  serve<P, U, O>(warp, operation, pattern, first, here.origin);
  return true;
}

template <Use U, Observer O>
void access_generic(Warp& warp, const Operation& operation) {
  const auto* base = at<uint64_t>(warp, operation.operand[address_operand]);
  const uint64_t lane = base[__builtin_ctz(warp.mask)], lead = lane + uint64_t(operation.offset);
  AccessPattern& pattern = warp.block->machinery->patterns[operation.site];
  if (as_before<true>(warp, pattern, base, lane)) {
    if (serve_as_before<Place::global, U, O>(warp, operation, pattern, lead)) return;
    if (serve_as_before<Place::shared, U, O>(warp, operation, pattern, lead - shared_window))
      return;
  }
  Addresses address;
  read_addresses<true>(warp, operation, address);
  const uint32_t all = warp.mask;
  uint32_t left = all;
  while (left) {
    const Place place = window_of(address[__builtin_ctz(left)]);
    uint32_t same = 0;
    for (int i = 0; i < lanes; ++i) same |= uint32_t(window_of(address[i]) == place) << i;
    same &= left;
    left &= ~same;
    if (same != all) set_mask(warp, same);
    Addresses mine;
    const uint64_t lead_window = (address[__builtin_ctz(same)] + window_margin) >> 32 << 32;
    const uint64_t window = place == Place::global ? 0 : lead_window;
    for (int i = 0; i < lanes; ++i) mine[i] = address[i] - window;
    settle(warp, mine);
    switch (place) {
      case Place::shared: learn<Place::shared, U, O>(warp, operation, mine); break;
      case Place::local: learn<Place::local, U, O>(warp, operation, mine); break;
      case Place::parameter: learn<Place::parameter, U, O>(warp, operation, mine); break;
      default: learn<Place::global, U, O>(warp, operation, mine);
    }
  }
  if (warp.mask != all) set_mask(warp, all);
}

template <Use U, Observer O>
Handler choose(Place place, bool wide) {
  switch (place) {
    case Place::global:
      return wide ? &access<Place::global, U, true, O> : &access<Place::global, U, false, O>;
    case Place::constant:
      return wide ? &access<Place::constant, U, true, O> : &access<Place::constant, U, false, O>;
    case Place::shared:
      return wide ? &access<Place::shared, U, true, O> : &access<Place::shared, U, false, O>;
    case Place::local:
      return wide ? &access<Place::local, U, true, O> : &access<Place::local, U, false, O>;
    case Place::parameter:
      return wide ? &access<Place::parameter, U, true, O> : &access<Place::parameter, U, false, O>;
    case Place::frame: return &access_frame<U, O>;
    case Place::generic: return &access_generic<U, O>;
    case Place::texture: break;  // texture_operations.cpp
  }
  return nullptr;
}

template <Observer O>
Handler choose_access(Place place, Use use, bool wide) {
  switch (use) {
    case Use::load: return choose<Use::load, O>(place, wide);
    case Use::store: return choose<Use::store, O>(place, wide);
    default: return choose<Use::atomic, O>(place, wide);
  }
}

}  // namespace
}  // namespace headroom::sim::HEADROOM_ISA
