// Memory instructions: where every lane's bytes are, whether it may touch them, and what the access looks like
// to the observer. The data moves afterwards (move.cpp), knowing only host addresses.
//
//   ld.global.f32 %f1, [%rd1+16]   operand[0] = %f1, operand[address_operand] = %rd1, offset = 16
#include "sim/lanes/lift.h"
#include "sim/machinery.h"
#include "sim/observe.h"
#include "sim/warp.h"

namespace headroom::sim::HEADROOM_ISA {
namespace {

using Addresses = uint64_t[lanes];

// Lanes that do not run take the first running lane's address: every lane's address is then a legal one.
inline void settle(Warp& warp, Addresses& address) {
  if (warp.mask == all_lanes) return;
  uint64_t first = address[__builtin_ctz(warp.mask)];
  for (int i = 0; i < lanes; ++i) address[i] = warp.lane_mask[i] ? address[i] : first;
}

template <bool Wide> inline void read_addresses(Warp& warp, const Step& step, Addresses& address) {
  if constexpr (Wide) {
    const uint64_t* base = at<uint64_t>(warp, step.operand[address_operand]);
    for (int i = 0; i < lanes; ++i) address[i] = base[i] + uint64_t(step.offset);
  } else {
    const uint32_t* base = at<uint32_t>(warp, step.operand[address_operand]);
    for (int i = 0; i < lanes; ++i) address[i] = uint32_t(base[i] + uint32_t(step.offset));
  }
  settle(warp, address);
}

// True if every lane's access lies in [begin, begin + size) and is aligned.
inline bool inside(const Addresses& address, uint64_t begin, uint64_t size, uint64_t bytes) {
  if (size < bytes) return false;
  uint64_t room = size - bytes, bad = 0;
  for (int i = 0; i < lanes; ++i) bad |= uint64_t(address[i] - begin > room) | (address[i] & (bytes - 1));
  return bad == 0;
}

inline Places::Shape shape_of(const Addresses& address, uint64_t first, uint64_t bytes) {
  uint64_t differs = 0, strays = 0;
  for (int i = 0; i < lanes; ++i) {
    uint64_t delta = address[i] - first;
    differs |= delta;
    strays |= delta ^ (uint64_t(i) * bytes);
  }
  return differs == 0 ? Places::uniform : strays == 0 ? Places::contiguous : Places::scattered;
}

template <Place P, Use U> inline void count(Count& count, const Shape& shape, uint64_t first, uint64_t bytes) {
  Counters& c = count.counters;
  if constexpr (P == Place::global) {
    if constexpr (U == Use::load) {
      c.global_load_requests += 1;
      c.global_load_sectors += shape.sectors;
      c.global_load_bytes += bytes;
    } else if constexpr (U == Use::store) {
      c.global_store_requests += 1;
      c.global_store_sectors += shape.sectors;
      c.global_store_bytes += bytes;
    } else {
      c.atomic_requests += 1;
      c.atomic_sectors += shape.sectors;
    }
    uint64_t sector = (first - count.memory_base) >> 5;
    auto mark = [&](Footprint& footprint) {
      if (shape.consecutive) {
        footprint.add(sector + uint64_t(shape.sector[0]), shape.sectors);
      } else {
        for (int i = 0; i < shape.sectors; ++i) footprint.add(sector + uint64_t(shape.sector[i]), 1);
      }
    };
    if constexpr (U != Use::store) mark(count.loaded);
    if constexpr (U != Use::load) mark(count.stored);
  } else if constexpr (P == Place::local) {
    (U == Use::load ? c.local_load_requests : c.local_store_requests) += 1;
    (U == Use::load ? c.local_load_sectors : c.local_store_sectors) += shape.sectors;
  } else if constexpr (P == Place::shared) {
    if constexpr (U == Use::load) {
      c.shared_load_instructions += 1;
      c.shared_load_wavefronts += shape.wavefronts;
      c.shared_load_conflicts += shape.conflicts;
    } else if constexpr (U == Use::store) {
      c.shared_store_instructions += 1;
      c.shared_store_wavefronts += shape.wavefronts;
      c.shared_store_conflicts += shape.conflicts;
    } else {
      c.shared_atomic_instructions += 1;
    }
  }
}

// What the observer makes of an access whose lanes are at these addresses of their space.
template <Place P, Use U, class Observer>
inline void look(Warp& warp, const Step& step, const Addresses& address) {
  constexpr bool counted = P == Place::global || P == Place::local || P == Place::shared;
  const uint64_t first = address[__builtin_ctz(warp.mask)];
  if constexpr (std::is_same_v<Observer, Count> && counted) {
    Count& observer = *static_cast<Count*>(warp.observer);
    Shape& shape = observer.shapes[step.site];
    const uint32_t phase = first & 31;
    uint64_t changed = uint64_t(warp.mask ^ shape.mask) | (phase ^ shape.phase) | (step.bytes ^ shape.bytes);
    for (int i = 0; i < lanes; ++i) changed |= (address[i] - first) ^ shape.delta[i];
    if (changed) {
      for (int i = 0; i < lanes; ++i) shape.delta[i] = address[i] - first;
      shape.mask = warp.mask;
      shape.phase = phase;
      shape.bytes = step.bytes;
      shape.lie = uint8_t(warp.mask == all_lanes ? shape_of(address, first, step.bytes) : Places::scattered);
      P == Place::global ? analyse_global(shape)
                         : P == Place::shared ? analyse_shared(shape) : analyse_local(shape);
    }
    count<P, U>(observer, shape, first, uint64_t(step.bytes) * uint64_t(__builtin_popcount(warp.mask)));
    warp.places.shape = Places::Shape(shape.lie);
  } else {
    warp.places.shape = warp.mask == all_lanes ? shape_of(address, first, step.bytes) : Places::scattered;
  }
}

template <Place P, Use U> [[noreturn]] void refuse(Warp& warp, const Step& step, const Addresses& address) {
  refuse_access(warp, step, P, U, address);
}

// Addresses of one space -> host places, checked and observed; then the data moves.
template <Place P, Use U, class Observer>
inline void reach(Warp& warp, const Step& step, Addresses& address) {
  Machinery& machinery = *warp.block->machinery;
  Addresses& host = warp.places.host;
  if constexpr (P == Place::global || P == Place::constant) {
    Memory::Block& recent = machinery.recent[step.site];
    if (!inside(address, recent.begin, recent.end - recent.begin, step.bytes)) [[unlikely]] {
      check_global(warp, step, P, U, address);
    }
    look<P, U, Observer>(warp, step, address);
    for (int i = 0; i < lanes; ++i) host[i] = address[i];
  } else if constexpr (P == Place::shared) {
    if (!inside(address, 0, machinery.shared_bytes, step.bytes)) [[unlikely]] refuse<P, U>(warp, step, address);
    look<P, U, Observer>(warp, step, address);
    uint64_t base = reinterpret_cast<uint64_t>(warp.block->shared);
    for (int i = 0; i < lanes; ++i) host[i] = base + address[i];
  } else if constexpr (P == Place::local) {
    if (!inside(address, 0, warp.local_stride, step.bytes)) [[unlikely]] refuse<P, U>(warp, step, address);
    look<P, U, Observer>(warp, step, address);
    uint64_t base = reinterpret_cast<uint64_t>(warp.local);
    for (int i = 0; i < lanes; ++i) host[i] = base + uint64_t(i) * warp.local_stride + address[i];
    warp.places.shape = Places::scattered;
    if (warp.mask != all_lanes) {  // a lane that does not run must still have a legal place
      uint64_t first = host[__builtin_ctz(warp.mask)];
      for (int i = 0; i < lanes; ++i) host[i] = warp.lane_mask[i] ? host[i] : first;
    }
  } else if constexpr (P == Place::parameter) {
    if (!inside(address, 0, machinery.arguments.size(), step.bytes)) [[unlikely]] refuse<P, U>(warp, step, address);
    look<P, U, Observer>(warp, step, address);
    uint64_t base = reinterpret_cast<uint64_t>(machinery.arguments.data());
    for (int i = 0; i < lanes; ++i) host[i] = base + address[i];
  }
  step.move(warp, step);
}

template <Place P, Use U, bool Wide, class Observer> void access(Warp& warp, const Step& step) {
  Addresses address;
  read_addresses<Wide>(warp, step, address);
  reach<P, U, Observer>(warp, step, address);
}

// Parameter blocks of device functions lie in the frame, a block a lane.
template <Use U, class Observer> void access_frame(Warp& warp, const Step& step) {
  uint64_t base = reinterpret_cast<uint64_t>(warp.base[0]) + uint64_t(step.offset);
  for (int i = 0; i < lanes; ++i) warp.places.host[i] = base + uint64_t(i) * step.extra;
  settle(warp, warp.places.host);
  warp.places.shape = Places::scattered;
  step.move(warp, step);
}

inline Place window_of(uint64_t address) {
  switch (address >> 32) {
    case shared_window >> 32: return Place::shared;
    case local_window >> 32: return Place::local;
    case param_window >> 32: return Place::parameter;
    default: return Place::global;
  }
}

// A generic address may mean any space, and lanes may disagree: each space's lanes run on their own.
template <Use U, class Observer> void access_generic(Warp& warp, const Step& step) {
  Addresses address;
  read_addresses<true>(warp, step, address);
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
    const uint64_t window = place == Place::global ? 0 : address[__builtin_ctz(same)] >> 32 << 32;
    for (int i = 0; i < lanes; ++i) mine[i] = address[i] - window;
    settle(warp, mine);
    switch (place) {
      case Place::shared: reach<Place::shared, U, Observer>(warp, step, mine); break;
      case Place::local: reach<Place::local, U, Observer>(warp, step, mine); break;
      case Place::parameter: reach<Place::parameter, U, Observer>(warp, step, mine); break;
      default: reach<Place::global, U, Observer>(warp, step, mine);
    }
  }
  if (warp.mask != all) set_mask(warp, all);
}

template <Use U, class Observer> Handler choose(Place place, bool wide) {
  switch (place) {
    case Place::global: return wide ? &access<Place::global, U, true, Observer> : &access<Place::global, U, false, Observer>;
    case Place::constant: return wide ? &access<Place::constant, U, true, Observer> : &access<Place::constant, U, false, Observer>;
    case Place::shared: return wide ? &access<Place::shared, U, true, Observer> : &access<Place::shared, U, false, Observer>;
    case Place::local: return wide ? &access<Place::local, U, true, Observer> : &access<Place::local, U, false, Observer>;
    case Place::parameter: return wide ? &access<Place::parameter, U, true, Observer> : &access<Place::parameter, U, false, Observer>;
    case Place::frame: return &access_frame<U, Observer>;
    case Place::generic: return &access_generic<U, Observer>;
  }
  return nullptr;
}

template <class Observer> Handler choose(Place place, Use use, bool wide) {
  switch (use) {
    case Use::load: return choose<Use::load, Observer>(place, wide);
    case Use::store: return choose<Use::store, Observer>(place, wide);
    default: return choose<Use::atomic, Observer>(place, wide);
  }
}

}  // namespace

Handler choose_access(Place place, Use use, bool wide, Observed which) {
  return which == observed ? choose<Count>(place, use, wide) : choose<Silent>(place, use, wide);
}

}  // namespace headroom::sim::HEADROOM_ISA
