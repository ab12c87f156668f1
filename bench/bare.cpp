#include "bench/bare.h"

#include "bench/kernels.h"

namespace headroom::bench::HEADROOM_ISA {

constexpr int lanes = 32;
struct alignas(64) Register {
  float lane[lanes];
};
struct alignas(64) Addresses {
  uint32_t lane[lanes];
};
struct alignas(64) LongAddresses {
  uint64_t lane[lanes];
};

// Visible outside, so that next() makes the compiler reload them.
extern Register f[20], x, y;
extern Addresses counter, limit, a, b, t;
extern LongAddresses d;
Register f[20], x, y;
Addresses counter, limit, a, b, t;
LongAddresses d;
alignas(64) char shared[8192];

namespace {

inline void next() { asm volatile("" ::: "memory"); }

inline void fma(Register& out, const Register& p, const Register& q, const Register& r) {
#pragma GCC ivdep
  for (int i = 0; i < lanes; ++i)
    out.lane[i] = sim::meaning::fma<float>(p.lane[i], q.lane[i], r.lane[i]);
  next();
}
inline void load_shared(Register& out, const Addresses& at, uint32_t offset) {
  for (int i = 0; i < lanes; ++i)
    out.lane[i] = *reinterpret_cast<const float*>(shared + at.lane[i] + offset);
  next();
}
inline bool loop() {  // add, setp, bra
  for (int i = 0; i < lanes; ++i) counter.lane[i] += 1;
  next();
  uint32_t bits = 0;
  for (int i = 0; i < lanes; ++i) bits |= uint32_t(counter.lane[i] < limit.lane[i]) << i;
  next();
  return bits != 0;
}
void start(uint32_t iterations) {
  for (int i = 0; i < lanes; ++i) {
    counter.lane[i] = 0, limit.lane[i] = iterations, a.lane[i] = 0, b.lane[i] = uint32_t(4 * i);
    x.lane[i] = float(i), y.lane[i] = 0.5f;
    for (Register& r : f) r.lane[i] = float(i);
  }
  next();
}

void run_fma(uint32_t iterations) {
  start(iterations);
  do {
    for (int k = 0; k < unrolled; ++k) fma(f[k], f[k], y, x);
  } while (loop());
}

void run_tile(uint32_t iterations) {
  start(iterations);
  do {
    for (uint32_t k = 0; k < unrolled; ++k) {
      load_shared(f[1], a, 4 * k);
      load_shared(f[2], b, 128 * k);
      fma(f[0], f[1], f[2], f[0]);
    }
  } while (loop());
}

template <class F>
void each(Addresses& out, F&& of) {
#pragma GCC ivdep
  for (int i = 0; i < lanes; ++i) out.lane[i] = of(i);
  next();
}
void run_integer(uint32_t iterations) {
  start(iterations);
  Addresses &p = a, &q = b;
  do {
    for (int k = 0; k < rounds; ++k) {
      each(p, [&](int i) { return p.lane[i] * 1664525 + q.lane[i]; });
      each(t, [&](int i) { return p.lane[i] >> 13; });
      each(p, [&](int i) { return p.lane[i] ^ t.lane[i]; });
      each(q, [&](int i) { return q.lane[i] << 7 | q.lane[i] >> 25; });
      each(q, [&](int i) { return q.lane[i] + p.lane[i]; });
      each(t, [&](int i) { return q.lane[i] << 5; });
      each(q, [&](int i) { return q.lane[i] ^ t.lane[i]; });
      each(t, [&](int i) { return p.lane[i] & q.lane[i]; });
      each(q, [&](int i) { return q.lane[i] | t.lane[i]; });
    }
  } while (loop());
}

void run_stream(float* data, uint32_t iterations) {
  start(iterations);
  for (int i = 0; i < lanes; ++i) d.lane[i] = reinterpret_cast<uint64_t>(data + i);
  next();
  do {
    for (int i = 0; i < lanes; ++i) f[0].lane[i] = *reinterpret_cast<const float*>(d.lane[i]);
    next();
    for (int i = 0; i < lanes; ++i)
      f[1].lane[i] = *reinterpret_cast<const float*>(d.lane[i] + 1048576);
    next();
    fma(f[1], f[0], y, f[1]);
    for (int i = 0; i < lanes; ++i) *reinterpret_cast<float*>(d.lane[i] + 1048576) = f[1].lane[i];
    next();
    for (int i = 0; i < lanes; ++i) d.lane[i] += 128;
    next();
  } while (loop());
}

}  // namespace

extern const Bare bare;
const Bare bare{HEADROOM_ISA_NAME, &run_fma, &run_tile, &run_integer, &run_stream};

}  // namespace headroom::bench::HEADROOM_ISA
