// An observer of one's own, compiled with the same execution body as those that count: it sees plain, atomic, matrix,
// texture and copied accesses alike, in order, with address and bytes.
#include <bit>
#include <ostream>
#include <set>

#include "sim/lanes/body.h"
#include "sim/observed.h"
#include "sim/observers/count.h"
#include "sim/texture.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

struct Seen {
  Place space;
  Use use;
  int lane;
  uint64_t address, bytes;
  bool operator==(const Seen&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Seen& s) {
  return out << "space " << int(s.space) << " use " << int(s.use) << " lane " << s.lane << " at "
             << s.address << ", " << s.bytes << " bytes";
}

struct Recorder : Ignore {
  using Ignore::on;
  std::vector<Seen> seen;
  uint64_t entered = 0, diverged = 0, arrived = 0, ended = 0;
  std::vector<uint32_t> guarded;

  template <class Event>
  void record(const Event& event) {
    if (event.space == Place::parameter) return;
    event.each([&](int lane, uint64_t address, uint64_t bytes) {
      seen.push_back({event.space, event.use, lane, address, bytes});
    });
  }
  void on(const Access& event) { record(event); }
  void on(const Copied& event) { record(event); }
  void on(const Entered&) { ++entered; }
  void on(const Guarded& event) { guarded.push_back(event.lanes()); }
  void on(const Diverged&) { ++diverged; }
  void on(const Arrived& event) { arrived += event.waits; }
  void on(const Ended& event) { ended += uint64_t(std::popcount(event.mask)); }
};
static_assert(Observer<Recorder> && Observer<Silent> && Observer<Count>);
static_assert(!Observer<Seen>);

const Body recorder_body = HEADROOM_ISA::body_of<Recorder>;

Recorder recorded(Bench& bench) {
  Recorder recorder;
  const Outcome outcome = simulate(*decode(bench.module, "k"), bench.launch(), bench.memory,
                                   bench.limits, {}, recorder_body, AnyObserver(recorder));
  EXPECT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  return recorder;
}

// A kernel with `in`, 256 words, at %g and its lane's word at %l; %i the lane, %s a tile in shared memory, %t its lane's word.
struct Kernel {
  Bench bench;
  uint64_t in;

  explicit Kernel(const std::string& body, uint64_t handle = 0)
      : bench(R"(
    .shared .align 128 .b8 tile[1024]; .shared .align 8 .b8 bar[8]; .reg .b32 %i, %s, %t, %v, %w<8>, %n, %b; .reg .f32 %x, %f<4>;
    .reg .b64 %g, %l, %o, %h; .reg .pred %q, %z;
    mov.u32 %i, %tid.x; mul.wide.u32 %o, %i, 4; ld.param.u64 %g, [in]; ld.param.u64 %h, [handle]; add.s64 %l, %g, %o;
    mov.u32 %s, tile; mad.lo.u32 %t, %i, 4, %s; mov.u32 %b, bar; setp.eq.u32 %z, %i, 0;
)" + body + " ret;",
              ".param .u64 in, .param .u64 handle") {
    auto* words = bench.allocate<uint32_t>(256);
    in = reinterpret_cast<uint64_t>(words);
    bench.pass(words);
    bench.pass(handle);
  }
};

std::vector<Seen> lanes_at(Place space, Use use, uint64_t first, uint64_t stride, uint64_t bytes,
                           int count = lanes) {
  std::vector<Seen> all;
  for (int lane = 0; lane < count; ++lane)
    all.push_back({space, use, lane, first + uint64_t(lane) * stride, bytes});
  return all;
}

std::vector<Seen> operator+(std::vector<Seen> a, const std::vector<Seen>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Observer, sees_loads_stores_and_atomics_in_order) {
  Kernel kernel(
      "ld.global.u32 %v, [%l]; st.shared.u32 [%t], %v; setp.lt.u32 %q, %i, 2; "
      "@%q atom.global.add.u32 %n, [%l+128], 1; red.shared.add.u32 [%s], 1;");
  const Recorder recorder = recorded(kernel.bench);
  EXPECT_EQ(recorder.seen, lanes_at(Place::global, Use::load, kernel.in, 4, 4) +
                               lanes_at(Place::shared, Use::store, 0, 4, 4) +
                               lanes_at(Place::global, Use::atomic, kernel.in + 128, 4, 4, 2) +
                               lanes_at(Place::shared, Use::atomic, 0, 0, 4));
  EXPECT_EQ(recorder.guarded, std::vector<uint32_t>{2});
}

TEST(Observer, sees_what_a_generic_address_means) {
  Kernel kernel(
      "cvta.shared.u64 %o, 16; setp.lt.u32 %q, %i, 16; selp.b64 %o, %l, %o, %q; ld.u32 %v, [%o];");
  std::vector<Seen> expected = lanes_at(Place::global, Use::load, kernel.in, 4, 4, 16);
  for (int lane = 16; lane < lanes; ++lane)
    expected.push_back({Place::shared, Use::load, lane, 16, 4});
  EXPECT_EQ(recorded(kernel.bench).seen, expected);
}

TEST(Observer, sees_matrices_row_by_row_and_register_by_register) {
  Kernel rows(
      "shl.b32 %n, %i, 4; add.u32 %n, %n, %s; "
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%n];");
  EXPECT_EQ(recorded(rows.bench).seen, lanes_at(Place::shared, Use::load, 0, 16, 16, 8));
  Kernel fragment(
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
      "{%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7}, [%g], 16;");
  const Recorder recorder = recorded(fragment.bench);
  ASSERT_EQ(recorder.seen.size(), 8u * lanes);
  std::set<uint64_t> touched;
  for (const Seen& seen : recorder.seen) {
    EXPECT_EQ(seen.bytes, 4u);
    EXPECT_EQ(seen.space, Place::global);
    touched.insert(seen.address - fragment.in);
  }
  EXPECT_EQ(touched.size(), 128u);  // 16 · 16 halves, two at a time
  EXPECT_EQ(*touched.rbegin(), 508u);
}

TEST(Observer, sees_both_sides_of_a_bulk_copy) {
  Kernel kernel(R"(
    @%z mbarrier.init.shared.b64 [%b], 1; @%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 128;
    @%z cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g+64], 128, [%b];
    @%z cp.async.bulk.global.shared::cta.bulk_group [%g+256], [%s], 64;
    @%z cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g+512], [%s], 32;)");
  const std::vector<Seen> expected = {{Place::global, Use::load, 0, kernel.in + 64, 128},
                                      {Place::shared, Use::store, 0, 0, 128},
                                      {Place::shared, Use::load, 0, 0, 64},
                                      {Place::global, Use::store, 0, kernel.in + 256, 64},
                                      {Place::shared, Use::load, 0, 0, 32},
                                      {Place::global, Use::atomic, 0, kernel.in + 512, 32}};
  EXPECT_EQ(recorded(kernel.bench).seen, expected);
}

TEST(Observer, sees_the_bytes_that_each_lane_of_an_asynchronous_copy_brings) {
  Kernel kernel(
      "shl.b32 %n, %i, 2; setp.gt.u32 %q, %n, 16; selp.u32 %n, 16, %n, %q; mul.wide.u32 %o, %i, "
      "16; "
      "add.s64 %o, %o, %g; mad.lo.u32 %t, %i, 16, %s; cp.async.cg.shared.global [%t], [%o], 16, "
      "%n;");
  std::vector<Seen> expected;
  for (int lane = 4; lane < lanes; ++lane)
    expected.push_back({Place::global, Use::load, lane, kernel.in + uint64_t(lane) * 16, 16});
  for (uint64_t lane = 1; lane < 4; ++lane)
    expected.push_back({Place::global, Use::load, int(lane), kernel.in + lane * 16, lane * 4});
  EXPECT_EQ(recorded(kernel.bench).seen, expected + lanes_at(Place::shared, Use::store, 0, 16, 16));
}

struct WithTexture : Kernel {
  WithTexture(const std::string& body, bool surface, bool linear = false) : Kernel(body, 7) {
    Texture texture;
    texture.base = in;
    texture.width = 64;
    texture.surface = surface;
    texture.linear = linear;
    textures()[7] = texture;
  }
  ~WithTexture() { textures().erase(7); }
};

TEST(Observer, sees_every_element_that_a_texture_read_takes_in) {
  WithTexture whole("tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%h, {%i}];", false);
  EXPECT_EQ(recorded(whole.bench).seen, lanes_at(Place::texture, Use::load, whole.in, 4, 4));
  WithTexture between(
      "cvt.rn.f32.u32 %x, %i; add.f32 %x, %x, 0f3F800000; "
      "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%h, {%x}];",
      false, true);
  EXPECT_EQ(recorded(between.bench).seen,
            lanes_at(Place::texture, Use::load, between.in, 4, 4) +
                lanes_at(Place::texture, Use::load, between.in + 4, 4, 4));
}

TEST(Observer, sees_surfaces) {
  WithTexture kernel(
      "shl.b32 %n, %i, 2; suld.b.1d.b32.zero {%v}, [%h, {%n}]; sust.b.1d.b32.zero [%h, {%n}], "
      "{%v}; "
      "sured.b.add.1d.u32.zero [%h, {%n}], %v;",
      true);
  EXPECT_EQ(recorded(kernel.bench).seen,
            lanes_at(Place::texture, Use::load, kernel.in, 4, 4) +
                lanes_at(Place::texture, Use::store, kernel.in, 4, 4) +
                lanes_at(Place::texture, Use::atomic, kernel.in, 4, 4));
}

TEST(Observer, sees_branches_barriers_and_the_end) {
  Kernel kernel(
      "setp.lt.u32 %q, %i, 8; @%q bra LOW; add.u32 %v, %i, 1; bra BOTH; LOW: add.u32 %v, %i, 2; "
      "BOTH: bar.sync 0; bar.arrive 1, 64; setp.gt.u32 %q, %i, 15; @%q exit;");
  const Recorder recorder = recorded(kernel.bench);
  EXPECT_EQ(recorder.diverged, 1u);
  EXPECT_EQ(recorder.arrived, 1u);
  EXPECT_EQ(recorder.ended, 32u);
  EXPECT_GT(recorder.entered, 5u);
}

TEST(Observer, may_stand_beside_another_that_counts) {
  using Both = Together<Recorder, Count>;
  Kernel kernel("ld.global.v2.u32 {%v, %n}, [%g]; st.shared.u32 [%t], %v;");
  Both both{{}, {kernel.bench.memory.base(), kernel.bench.memory.capacity()}};
  const auto program = decode(kernel.bench.module, "k");
  static const Body body = HEADROOM_ISA::body_of<Both>;
  both.begin(*program);
  simulate(*program, kernel.bench.launch(), kernel.bench.memory, kernel.bench.limits, {}, body,
           AnyObserver(both));
  const Counters counters = both.finish(*program), alone = kernel.bench.run().counters;
  for (const CounterField& field : counter_fields())
    EXPECT_EQ(counters.*field.value, alone.*field.value) << field.name;
  EXPECT_EQ(both.seen.size(), 64u);
  EXPECT_EQ(counters.global_load_bytes, 256u);
}

}  // namespace
}  // namespace headroom::sim
