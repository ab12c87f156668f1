// The data of an access in compiled code, by how its lanes lie: side by side, at one place, within 128 bytes, by
// eights, or anywhere near.
#include <bit>
#include <cstddef>
#include <map>

#include "sim/access_pattern.h"
#include "sim/compiled/accesses.h"
#include "sim/compiled/emit.h"
#include "sim/engine.h"

namespace headroom::sim::compiled {

Accesses::Moved Accesses::moved(const Operation& operation) {
  struct Known {
    std::map<Handler, Moved> loads, stores;
    Known() {
      for (const int count : {1, 2, 4}) {
        for (const bool is_signed : {false, true})
          loads.emplace(engine().load(4, is_signed, 4, count), Moved{size_t(count)});
        stores.emplace(engine().store(4, 4, count), Moved{size_t(count)});
      }
      for (const int bytes : {1, 2})
        for (const bool is_signed : {false, true})
          loads.emplace(engine().load(bytes, is_signed, 4, 1), Moved{1, bytes, is_signed});
    }
  };
  static const auto& known = *new Known;  // programs may end after everything else
  const auto& table = operation.use == Use::load ? known.loads : known.stores;
  const auto found = table.find(operation.move);
  return found == table.end() ? Moved{} : found->second;
}

HostAddresses::Layout Accesses::last_layout(const Operation& operation) {
  if (moved(operation).count <= 2) return HostAddresses::spread;
  return operation.use == Use::load ? HostAddresses::window : HostAddresses::contiguous;
}

void Accesses::move(const Operation& operation) {
  if (operation.place == Place::shared) {
    a_.mov(first_spare, x86::ptr_64(warp_register, offsetof(Warp, block)));
    a_.add(place_register, x86::ptr_64(first_spare, offsetof(BlockState, shared)));
  }
  a_.movzx(third_spare.r32(), of_pattern(offsetof(AccessPattern, layout), 1));
  if (operation.use == Use::load)
    load(operation);
  else
    store(operation);
}

void Accesses::load(const Operation& operation) {
  const Moved what = moved(operation);
  if (what.bytes < 4) return load_narrow(what);
  const asmjit::Label done = a_.newLabel(), uniform = a_.newLabel(), window = a_.newLabel(),
                      others = a_.newLabel();
  a_.cmp(third_spare.r32(), HostAddresses::uniform);
  a_.jz(uniform);
  a_.ja(others);
  load_row(what.count);
  a_.jmp(done);
  a_.bind(uniform);
  for (size_t n = 0; n < what.count; ++n)
    for (const x86::Zmm& half : data_[n])
      a_.vpbroadcastd(half, x86::ptr_32(place_register, int32_t(4 * n)));
  a_.jmp(done);
  a_.bind(others);
  if (what.count <= 2) {
    a_.cmp(third_spare.r32(), HostAddresses::window);
    a_.jz(window);
  }
  if (what.count == 1) {
    const asmjit::Label rows = a_.newLabel(), steps = a_.newLabel();
    a_.cmp(third_spare.r32(), HostAddresses::steps);
    a_.jb(rows);
    a_.jz(steps);
    gather();
    a_.jmp(done);
    a_.bind(rows);
    load_eights(true);
    a_.jmp(done);
    a_.bind(steps);
    load_eights(false);
    a_.jmp(done);
  } else if (what.count == 2) {
    gather_pairs();
    a_.jmp(done);
  }
  a_.bind(window);
  load_window(what.count);
  a_.bind(done);
}

// All lanes side by side, `count` words each.
void Accesses::load_row(size_t count) {
  const auto at = [&](size_t offset) { return x86::ptr_512(place_register, int32_t(offset)); };
  for (size_t h = 0; h < 2; ++h) {
    if (count == 1) {
      a_.vmovdqu64(data_[0][h], at(64 * h));
    } else if (count == 2) {
      for (size_t n = 0; n < 2; ++n) {
        a_.vmovdqu64(data_[n][h], v_.table(n ? odd : even));
        a_.vmovdqu64(scratch, at(128 * h));
        a_.vpermi2d(data_[n][h], scratch, at(128 * h + 64));
      }
    } else {
      // Words n and n + 1 of eight lanes each, then each word of all 16.
      static constexpr std::array<uint32_t, 16> first_two = {0, 4, 8, 12, 16, 20, 24, 28,
                                                             1, 5, 9, 13, 17, 21, 25, 29},
                                                last_two = {2, 6, 10, 14, 18, 22, 26, 30,
                                                            3, 7, 11, 15, 19, 23, 27, 31};
      for (size_t n = 0; n < 4; ++n) {
        const size_t from = 256 * h + 128 * (n % 2);
        a_.vmovdqu64(data_[n][h], v_.table(n < 2 ? first_two : last_two));
        a_.vmovdqu64(scratch, at(from));
        a_.vpermi2d(data_[n][h], scratch, at(from + 64));
      }
      for (size_t n = 0; n < 4; n += 2) {
        a_.vshufi64x2(scratch, data_[n][h], data_[n + 1][h], 0x44);
        a_.vshufi64x2(data_[n + 1][h], data_[n][h], data_[n + 1][h], 0xee);
        a_.vmovdqa64(data_[n][h], scratch);
      }
    }
  }
}

void Accesses::load_window(size_t count) {
  a_.add(place_register, of_pattern(offsetof(AccessPattern, low), 8));
  a_.mov(third_spare.r32(), of_pattern(offsetof(AccessPattern, words), 4));
  a_.mov(second_spare, -1);
  a_.bzhi(second_spare, second_spare, third_spare);
  a_.kmovd(k1, second_spare.r32());
  a_.kshiftrd(k2, k1, 16);
  a_.k(k1).z().vmovdqu32(between_[0], x86::ptr_512(place_register));
  a_.k(k2).z().vmovdqu32(between_[1], x86::ptr_512(place_register, 64));
  for (size_t n = 0; n < count; ++n)
    for (size_t h = 0; h < 2; ++h) {
      const x86::Zmm& to = data_[n][h];
      a_.vmovdqu64(to, of_pattern(offsetof(AccessPattern, index) + 64 * h, 64));
      if (n) a_.vpaddd(to, to, all(v_, uint32_t(n)));
      a_.vpermi2d(to, between_[0], between_[1]);
    }
}

// Rows of eight lanes, or a word for each eight.
void Accesses::load_eights(bool side_by_side) {
  for (size_t q = 0; q < 4; ++q) {
    const x86::Zmm& to = data_[0][q / 2];
    a_.movsxd(first_spare, of_pattern(offsetof(AccessPattern, delta32) + 32 * q, 4));
    const x86::Mem from = x86::ptr(place_register, first_spare, 0, 0, side_by_side ? 32 : 4);
    const x86::Ymm eight = q % 2 ? scratch.ymm() : to.ymm();
    if (!side_by_side) a_.vpbroadcastd(eight, from);
    if (q % 2 && side_by_side)
      a_.vinserti64x4(to, to, from, 1);
    else if (q % 2)
      a_.vinserti64x4(to, to, eight, 1);
    else if (side_by_side)
      a_.vmovdqu64(eight, from);
  }
}

// The lanes of one half that take part, as a gather or a scatter uses them up.
void Accesses::take_lanes(const x86::KReg& to, size_t half) {
  if (v_.masked())
    a_.kmovw(to, half ? k7 : k6);
  else
    a_.kxnorw(to, to, to);
}

void Accesses::gather() {
  for (size_t h = 0; h < 2; ++h) {
    take_lanes(k1, h);
    a_.vmovdqu64(between_[h], of_pattern(offsetof(AccessPattern, delta32) + 64 * h, 64));
    a_.vpxord(data_[0][h], data_[0][h], data_[0][h]);
    a_.k(k1).vpgatherdd(data_[0][h], x86::ptr(place_register, between_[h], 0));
  }
}

// Eight lanes after the other, both words of each at once.
void Accesses::gather_pairs() {
  for (size_t h = 0; h < 2; ++h) {
    for (size_t p = 0; p < 2; ++p) {
      take_lanes(k1, h);
      if (p) a_.kshiftrw(k1, k1, 8);
      a_.vmovdqu64(scratch.ymm(),
                   of_pattern(offsetof(AccessPattern, delta32) + 32 * (2 * h + p), 32));
      a_.vpxord(between_[p], between_[p], between_[p]);
      a_.k(k1).vpgatherdq(between_[p], x86::ptr(place_register, scratch.ymm(), 0));
    }
    for (size_t n = 0; n < 2; ++n) {
      a_.vmovdqu64(data_[n][h], v_.table(n ? odd : even));
      a_.vpermi2d(data_[n][h], between_[0], between_[1]);
    }
  }
}

// A byte or two a lane, extended to a word: side by side, at one place, or out of the words that they lie in.
void Accesses::load_narrow(const Moved& what) {
  const asmjit::Label done = a_.newLabel(), uniform = a_.newLabel(), others = a_.newLabel();
  const bool byte = what.bytes == 1;
  a_.cmp(third_spare.r32(), HostAddresses::uniform);
  a_.jz(uniform);
  a_.ja(others);
  for (size_t h = 0; h < 2; ++h) {
    const x86::Mem from =
        x86::Mem(place_register, 16 * what.bytes * int(h), 16u * uint32_t(what.bytes));
    const x86::Zmm& to = data_[0][h];
    if (byte)
      what.is_signed ? a_.vpmovsxbd(to, from) : a_.vpmovzxbd(to, from);
    else
      what.is_signed ? a_.vpmovsxwd(to, from) : a_.vpmovzxwd(to, from);
  }
  a_.jmp(done);
  a_.bind(uniform);
  const x86::Mem one = x86::Mem(place_register, 0, uint32_t(what.bytes));
  what.is_signed ? a_.movsx(first_spare.r32(), one) : a_.movzx(first_spare.r32(), one);
  for (const x86::Zmm& half : data_[0]) a_.vpbroadcastd(half, first_spare.r32());
  a_.jmp(done);
  a_.bind(others);
  const uint8_t unused = uint8_t(32 - 8 * what.bytes);
  a_.mov(first_spare.r32(), place_register.r32());
  a_.and_(first_spare.r32(), 3);
  a_.and_(place_register, -4);
  for (size_t h = 0; h < 2; ++h) {
    const x86::Zmm &at = between_[h], &to = data_[0][h];
    take_lanes(k1, h);
    a_.vpbroadcastd(scratch, first_spare.r32());
    a_.vpaddd(at, scratch, of_pattern(offsetof(AccessPattern, delta32) + 64 * h, 64));
    a_.vpandd(scratch, at, all(v_, ~3u));
    a_.vpxord(to, to, to);
    a_.k(k1).vpgatherdd(to, x86::ptr(place_register, scratch, 0));
    a_.vpandd(at, at, all(v_, 3));
    a_.vpslld(at, at, 3);
    a_.vmovdqu64(scratch, all(v_, unused));
    a_.vpsubd(scratch, scratch, at);
    a_.vpsllvd(to, to, scratch);
    what.is_signed ? a_.vpsrad(to, to, unused) : a_.vpsrld(to, to, unused);
  }
  a_.bind(done);
}

// Where several lanes write to one place the highest wins, as with the host's scatter.
void Accesses::store(const Operation& operation) {
  const size_t count = moved(operation).count;
  if (count == 2) return store_pairs();
  if (count == 4) return store_fours();
  const asmjit::Label done = a_.newLabel(), others = a_.newLabel(), rows = a_.newLabel();
  const Vectors::Value& from = data_[0];
  a_.cmp(third_spare.r32(), HostAddresses::contiguous);
  a_.jnz(others);
  for (size_t h = 0; h < 2; ++h)
    a_.vmovdqu64(x86::ptr_512(place_register, int32_t(64 * h)), from[h]);
  a_.jmp(done);
  a_.bind(others);
  a_.cmp(third_spare.r32(), HostAddresses::rows);
  a_.jz(rows);
  for (size_t h = 0; h < 2; ++h) {
    take_lanes(k1, h);
    a_.vmovdqu64(between_[h], of_pattern(offsetof(AccessPattern, delta32) + 64 * h, 64));
    a_.k(k1).vpscatterdd(x86::ptr(place_register, between_[h], 0), from[h]);
  }
  a_.jmp(done);
  a_.bind(rows);
  for (size_t q = 0; q < 4; ++q) {
    a_.movsxd(first_spare, of_pattern(offsetof(AccessPattern, delta32) + 32 * q, 4));
    const x86::Mem to = x86::ptr(place_register, first_spare, 0, 0, 32);
    if (q % 2)
      a_.vextracti64x4(to, from[q / 2], 1);
    else
      a_.vmovdqu64(to, from[q / 2].ymm());
  }
  a_.bind(done);
}

// Both words of eight lanes after the other.
void Accesses::store_pairs() {
  const asmjit::Label done = a_.newLabel(), others = a_.newLabel();
  const auto join = [&](size_t part) {
    a_.vmovdqu64(between_[0], v_.table(part % 2 ? woven_high : woven_low));
    a_.vpermi2d(between_[0], data_[0][part / 2], data_[1][part / 2]);
  };
  a_.cmp(third_spare.r32(), HostAddresses::contiguous);
  a_.jnz(others);
  for (size_t part = 0; part < 4; ++part) {
    join(part);
    a_.vmovdqu64(x86::ptr_512(place_register, int32_t(64 * part)), between_[0]);
  }
  a_.jmp(done);
  a_.bind(others);
  for (size_t part = 0; part < 4; ++part) {
    join(part);
    take_lanes(k1, part / 2);
    if (part % 2) a_.kshiftrw(k1, k1, 8);
    a_.vmovdqu64(scratch.ymm(), of_pattern(offsetof(AccessPattern, delta32) + 32 * part, 32));
    a_.k(k1).vpscatterdq(x86::ptr(place_register, scratch.ymm(), 0), between_[0]);
  }
  a_.bind(done);
}

// All lanes side by side, four words each.
void Accesses::store_fours() {
  static constexpr std::array<uint32_t, 16> low_pairs = {0, 0, 8,  0, 1, 0, 9,  0,
                                                         2, 0, 10, 0, 3, 0, 11, 0},
                                            high_pairs = {4, 0, 12, 0, 5, 0, 13, 0,
                                                          6, 0, 14, 0, 7, 0, 15, 0};
  for (size_t part = 0; part < 4; ++part) {
    for (size_t n = 0; n < 2; ++n) {
      a_.vmovdqu64(between_[n], v_.table(part % 2 ? woven_high : woven_low));
      a_.vpermi2d(between_[n], data_[2 * n][part / 2], data_[2 * n + 1][part / 2]);
    }
    for (size_t n = 0; n < 2; ++n) {
      a_.vmovdqu64(scratch, v_.table(n ? high_pairs : low_pairs));
      a_.vpermi2q(scratch, between_[0], between_[1]);
      a_.vmovdqu64(x86::ptr_512(place_register, int32_t(128 * part + 64 * n)), scratch);
    }
  }
}

}  // namespace headroom::sim::compiled
