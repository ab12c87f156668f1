#include "sim/check/values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace headroom::sim::check {
namespace {

template <class Body>
void each_of(uint32_t mask, Body&& body) {
  for (; mask; mask &= mask - 1) body(uint32_t(std::countr_zero(mask)));
}

Level computed_of(Level level) { return level ? Level(level | is_computed) : Level(0); }

uint8_t byte_of(uint64_t value, uint32_t byte) { return uint8_t(value >> 8 * byte); }

}  // namespace

uint64_t value_of(const Part& part, const Warp& warp, uint32_t lane) {
  if (part.at == no_operand) return part.bits;
  uint64_t value = 0;
  if (part.is_predicate()) {
    uint32_t all;
    std::memcpy(&all, warp.base + part.at, 4);
    return (all >> lane & 1) ^ uint64_t(part.negated);
  }
  std::memcpy(&value, warp.base + part.at + size_t(lane) * part.bytes,
              std::min<size_t>(8, part.bytes));
  return value;
}

Level Values::byte(const Part& part, uint32_t lane, uint32_t byte) const {
  if (part.at == no_operand || (!part.is_predicate() && byte >= part.bytes)) return 0;
  if (!part.is_predicate()) return levels_[part.at + lane * part.bytes + byte];
  const auto known = predicates_.find(part.at);
  return known == predicates_.end() ? Level(0) : known->second[lane];
}

Level Values::of(const Part& part, uint32_t lane) const {
  Level all = 0;
  for (uint32_t b = 0; b < std::max<uint32_t>(1, part.bytes); ++b)
    if (part.which >> b & 1) all = both(all, byte(part, lane, b));
  return all;
}

void Values::set(const Part& part, uint32_t lane, uint32_t byte, Level level) {
  if (part.at == no_operand) return;
  if (!part.is_predicate()) {
    if (byte < part.bytes) levels_[part.at + lane * part.bytes + byte] = level;
    return;
  }
  const auto known = predicates_.find(part.at);
  if (known != predicates_.end())
    known->second[lane] = level;
  else if (level)
    predicates_[part.at][lane] = level;
}

void Values::set(const Part& part, uint32_t lane, Level level) {
  for (uint32_t b = 0; b < std::max<uint32_t>(1, part.bytes); ++b) set(part, lane, b, level);
}

bool Values::all_written() const {
  const auto is_zero = [](Level level) { return level == 0; };
  return std::ranges::all_of(levels_, is_zero) &&
         std::ranges::all_of(predicates_, [&](const auto& each) {
           return std::ranges::all_of(each.second, is_zero);
         });
}

void Values::computes(const Flow& flow, uint32_t lane) {
  Level all = 0;
  for (const Part& part : flow.from) all = both(all, of(part, lane));
  for (const Part& part : flow.to) set(part, lane, computed_of(all));
}

void Values::copies(const Flow& flow, uint32_t lane) {
  std::array<Level, 16> bytes{};
  uint32_t n = 0, all = 0;
  for (const Part& part : flow.to) all += part.bytes;
  for (const Part& part : flow.from) {
    const uint32_t width = part.at == no_operand ? all / uint32_t(flow.from.size())
                                                 : std::max<uint32_t>(1, part.bytes);
    for (uint32_t b = 0; b < width && n < bytes.size(); ++b) bytes[n++] = byte(part, lane, b);
  }
  n = 0;
  for (const Part& part : flow.to) {
    const uint32_t width =
        part.at == no_operand ? all / uint32_t(flow.to.size()) : std::max<uint32_t>(1, part.bytes);
    for (uint32_t b = 0; b < width && n < bytes.size(); ++b) set(part, lane, b, bytes[n++]);
  }
}

// {a, b, predicate}
void Values::selects(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 3 || flow.to.empty() || of(flow.from[2], lane))
    return computes(flow, lane);
  const Part& chosen = flow.from[value_of(flow.from[2], warp, lane) ? 0 : 1];
  std::array<Level, 8> bytes{};
  for (uint32_t b = 0; b < 8; ++b) bytes[b] = byte(chosen, lane, b);
  for (uint32_t b = 0; b < std::max<uint32_t>(1, flow.to[0].bytes); ++b)
    set(flow.to[0], lane, b, bytes[b & 7]);
}

// A byte of zeros hides what `and` does to the other one, a byte of ones what `or` does.
void Values::masks(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 2 || flow.to.size() != 1) return computes(flow, lane);
  const Part &a = flow.from[0], &b = flow.from[1], &to = flow.to[0];
  const uint64_t x = value_of(a, warp, lane), y = value_of(b, warp, lane);
  const bool of_predicates = to.is_predicate();
  const auto hides = [&](Level level, uint64_t value, uint32_t n) {
    if (level) return false;
    const uint8_t byte = of_predicates ? uint8_t(value ? 0xff : 0) : byte_of(value, n);
    return byte == (flow.is_or ? 0xff : 0);
  };
  std::array<Level, 8> bytes{};
  for (uint32_t n = 0; n < 8; ++n) {
    const Level of_a = byte(a, lane, n), of_b = byte(b, lane, n);
    bytes[n] = hides(of_a, x, n) || hides(of_b, y, n) ? Level(0) : both(of_a, of_b);
  }
  for (uint32_t n = 0; n < std::max<uint32_t>(1, to.bytes); ++n) set(to, lane, n, bytes[n & 7]);
}

void Values::shifts(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 2 || flow.to.size() != 1 || of(flow.from[1], lane))
    return computes(flow, lane);
  const Part &from = flow.from[0], &to = flow.to[0];
  const uint32_t bits = uint32_t(std::min<uint64_t>(value_of(flow.from[1], warp, lane), 64));
  const int whole = int(bits / 8), last = to.bytes - 1;
  std::array<Level, 8> bytes{};
  for (int n = 0; n <= last && n < 8; ++n) {
    const int near = flow.to_right ? n + whole : n - whole,
              far = flow.to_right ? near + 1 : near - 1;
    const auto level = [&](int at) {
      if (at > last && flow.to_right && flow.is_signed) at = last;
      return at < 0 || at > last ? Level(0) : byte(from, lane, uint32_t(at));
    };
    bytes[size_t(n)] =  // by whole bytes it moves them, by bits it computes, as x * 2 does
        bits % 8 ? computed_of(both(level(near), level(far))) : level(near);
  }
  for (int n = 0; n <= last && n < 8; ++n) set(to, lane, uint32_t(n), bytes[size_t(n)]);
}

// {a, b, selector}: a byte for each of the selector's four digits
void Values::permutes(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 3 || flow.to.size() != 1 || of(flow.from[2], lane))
    return computes(flow, lane);
  const uint64_t selector = value_of(flow.from[2], warp, lane);
  std::array<Level, 4> bytes{};
  for (uint32_t n = 0; n < 4; ++n) {
    const uint32_t which = uint32_t(selector >> 4 * n) & 7;
    bytes[n] = byte(flow.from[which / 4], lane, which % 4);
  }
  for (uint32_t n = 0; n < 4; ++n) set(flow.to[0], lane, n, bytes[n]);
}

void Values::widens(const Flow& flow, uint32_t lane) {
  if (flow.from.size() != 1 || flow.to.size() != 1) return computes(flow, lane);
  std::array<Level, 8> bytes{};
  const uint32_t width = std::min<uint32_t>(flow.from[0].bytes, flow.element);
  for (uint32_t n = 0; n < 8; ++n)
    bytes[n] = n < width                 ? byte(flow.from[0], lane, n)
               : flow.is_signed && width ? byte(flow.from[0], lane, width - 1)
                                         : Level(0);
  for (uint32_t n = 0; n < std::min<uint32_t>(8, flow.to[0].bytes); ++n)
    set(flow.to[0], lane, n, bytes[n]);
}

// A bit of the result matters to a byte's value, where it changes with a bit that nobody wrote and the
// others are as they are.
void Values::bitwise(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 3 || flow.to.empty()) return computes(flow, lane);
  std::array<uint64_t, 3> value;
  for (size_t n = 0; n < 3; ++n)
    value[n] = flow.from[n].is_predicate() ? (value_of(flow.from[n], warp, lane) ? ~0ull : 0)
                                           : value_of(flow.from[n], warp, lane);
  Level all = 0;
  std::array<Level, 4> bytes{};
  for (uint32_t b = 0; b < 4; ++b) {
    uint32_t open = 0;  // operands that are not written here
    Level level = 0;
    for (uint32_t n = 0; n < 3; ++n)
      if (const Level one = byte(flow.from[n], lane, b)) {
        open |= 1u << n;
        level = both(level, one);
      }
    bool inverts = false;
    uint8_t zeros = 0, ones = 0;  // bits that are 0, or 1, with some value of the open ones
    for (uint32_t trial = 0; open && trial < 8; ++trial) {
      if (trial & ~open) continue;
      uint8_t result = 0;
      for (uint32_t row = 0; row < 8; ++row) {
        if (!(flow.table >> row & 1)) continue;
        uint8_t term = 0xff;
        for (uint32_t n = 0; n < 3; ++n) {
          const uint8_t x =
              open >> n & 1 ? uint8_t(trial >> n & 1 ? 0xff : 0) : byte_of(value[n], b);
          term &= row >> (2 - n) & 1 ? x : uint8_t(~x);
        }
        result |= term;
      }
      inverts |= trial && zeros != uint8_t(~0u) && (ones & uint8_t(~result));
      ones |= result;
      zeros |= uint8_t(~result);
    }
    const bool copies = std::has_single_bit(open) && !inverts;
    bytes[b] = !(ones & zeros) ? Level(0) : copies ? level : computed_of(level);
    all = both(all, bytes[b]);
  }
  for (const Part& to : flow.to) {
    if (to.is_predicate()) set(to, lane, computed_of(all));
    for (uint32_t b = 0; b < to.bytes; ++b) set(to, lane, b, bytes[b & 3]);
  }
}

// {low, high, bits}: the lower word of the pair shifted to the right, or the upper one shifted to the left.
void Values::funnels(const Flow& flow, const Warp& warp, uint32_t lane) {
  if (flow.from.size() != 3 || flow.to.size() != 1 || of(flow.from[2], lane))
    return computes(flow, lane);
  const uint32_t bits = uint32_t(value_of(flow.from[2], warp, lane) & 63);
  const int whole = int(bits / 8);
  const auto level = [&](int at) {
    return at < 0 || at > 7 ? Level(0) : byte(flow.from[size_t(at / 4)], lane, uint32_t(at % 4));
  };
  std::array<Level, 4> bytes{};
  for (int n = 0; n < 4; ++n) {
    const int near = flow.to_right ? n + whole : n + 4 - whole,
              far = flow.to_right ? near + 1 : near - 1;
    bytes[size_t(n)] = bits % 8 ? computed_of(both(level(near), level(far))) : level(near);
  }
  for (uint32_t n = 0; n < 4; ++n) set(flow.to[0], lane, n, bytes[n]);
}

// {a, b} and `element`, n / 8: below the first byte that a reaches it is b's.
void Values::places(const Flow& flow, uint32_t lane) {
  if (flow.from.size() != 2 || flow.to.empty()) return computes(flow, lane);
  std::array<Level, 4> bytes{};
  Level from_here = of(flow.from[0], lane);
  for (uint32_t n = 0; n < 4; ++n) {
    if (n < flow.element) {
      bytes[n] = byte(flow.from[1], lane, n);
      continue;
    }
    from_here = both(from_here, byte(flow.from[1], lane, n));
    bytes[n] = computed_of(from_here);
  }
  for (uint32_t n = 0; n < 4; ++n) set(flow.to[0], lane, n, bytes[n]);
  for (size_t more = 1; more < flow.to.size(); ++more)
    set(flow.to[more], lane, computed_of(from_here));
}

void Values::packs(const Flow& flow, uint32_t lane) {
  if (flow.from.size() != 2 || flow.to.size() != 1) return computes(flow, lane);
  const Level high = computed_of(of(flow.from[0], lane)), low = computed_of(of(flow.from[1], lane));
  for (uint32_t n = 0; n < 4; ++n) set(flow.to[0], lane, n, n < 2 ? low : high);
}

void Values::halves(const Flow& flow, uint32_t lane) {
  std::array<Level, 2> half{};
  for (uint32_t h = 0; h < 2; ++h)
    for (const Part& part : flow.from) {
      const bool whole = part.which == 0xff && !part.is_predicate();
      const Level level =
          whole ? both(byte(part, lane, 2 * h), byte(part, lane, 2 * h + 1)) : of(part, lane);
      half[h] = both(half[h], computed_of(level));
    }
  for (const Part& to : flow.to)
    for (uint32_t n = 0; n < 4; ++n) set(to, lane, n, half[n / 2]);
}

// Where the other predicate decides alone, what is compared does not matter.
void Values::compares(const Flow& flow, const Warp& warp, uint32_t lane) {
  const Part* const other = flow.from.empty() ? nullptr : &flow.from.back();
  const bool decides = other && other->is_predicate() && !of(*other, lane) &&
                       (value_of(*other, warp, lane) != 0) == flow.is_or;
  if (!decides) return computes(flow, lane);
  for (const Part& part : flow.to) set(part, lane, 0);
}

// {a, b, c, members}; a lane that has nobody to read from reads itself.
void Values::exchanges(const Flow& flow, const Warp& warp, uint32_t mask) {
  if (flow.from.size() < 3 || flow.to.empty()) return;
  std::array<std::array<Level, 4>, lanes> bytes{};
  each_of(mask, [&](uint32_t lane) {
    const uint32_t delta = uint32_t(value_of(flow.from[1], warp, lane)) & 31,
                   control = uint32_t(value_of(flow.from[2], warp, lane)),
                   segment = control >> 8 & 31, clamp = control & 31;
    const int limit = int((lane & segment) | (clamp & ~segment));
    int from = flow.mode == 'u'   ? int(lane) - int(delta)
               : flow.mode == 'd' ? int(lane + delta)
               : flow.mode == 'b' ? int(lane ^ delta)
                                  : int((lane & segment) | (delta & ~segment));
    const bool good = flow.mode == 'u' ? from >= limit : from <= limit;
    if (!good) from = int(lane);
    for (uint32_t n = 0; n < 4; ++n) bytes[lane][n] = byte(flow.from[0], uint32_t(from) & 31, n);
  });
  each_of(mask, [&](uint32_t lane) {
    for (uint32_t n = 0; n < 4; ++n) set(flow.to[0], lane, n, bytes[lane][n]);
    if (flow.to.size() > 1) set(flow.to[1], lane, 0);
  });
}

void Values::gathers(const Flow& flow, uint32_t mask) {
  Level all = 0;
  each_of(mask, [&](uint32_t lane) {
    for (const Part& part : flow.from) all = both(all, of(part, lane));
  });
  each_of(flow.for_all_lanes ? all_lanes : mask, [&](uint32_t lane) {
    for (const Part& part : flow.to) set(part, lane, computed_of(all));
  });
}

void Values::pass(const Flow& flow, const Warp& warp, uint32_t mask) {
  using Kind = Flow::Kind;
  if (flow.kind == Kind::exchanges) return exchanges(flow, warp, mask);
  if (flow.kind == Kind::gathers) return gathers(flow, mask);
  if (flow.for_all_lanes) mask = all_lanes;
  each_of(mask, [&](uint32_t lane) {
    switch (flow.kind) {
      case Kind::computes: computes(flow, lane); break;
      case Kind::copies: copies(flow, lane); break;
      case Kind::selects: selects(flow, warp, lane); break;
      case Kind::masks: masks(flow, warp, lane); break;
      case Kind::shifts: shifts(flow, warp, lane); break;
      case Kind::permutes: permutes(flow, warp, lane); break;
      case Kind::widens: widens(flow, lane); break;
      case Kind::bitwise: bitwise(flow, warp, lane); break;
      case Kind::funnels: funnels(flow, warp, lane); break;
      case Kind::places: places(flow, lane); break;
      case Kind::packs: packs(flow, lane); break;
      case Kind::halves: halves(flow, lane); break;
      case Kind::compares: compares(flow, warp, lane); break;
      default:  // a load tells later what it brought
        for (const Part& part : flow.to) set(part, lane, 0);
    }
  });
}

}  // namespace headroom::sim::check
