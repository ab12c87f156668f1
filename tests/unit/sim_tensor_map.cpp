// Copies of boxes of a tensor: edges, strides, swizzles, im2col, reductions, and maps that kernels
// change.
#include <cmath>

#include "sim/tensor_map.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

// A tensor of floats whose element at (x, y, z …) is x + 100 y + 10000 z …, and what a kernel makes
// of it.
struct Tensor {
  TensorMap map;
  std::vector<uint32_t> sizes;
  Tensor(std::vector<uint32_t> size, std::vector<uint16_t> box) : sizes(size) {
    map.signed_by = TensorMap::signature;
    map.rank = uint8_t(size.size());
    map.type = TensorMap::f32;
    uint64_t stride = 4;
    for (size_t d = 0; d < size.size(); ++d) {
      map.last[d] = size[d] - 1;
      map.element_stride[d] = 1;
      if (d < box.size()) map.box[d] = box[d];
      stride *= size[d];
      if (d + 1 < size.size()) map.stride[d] = stride;
    }
  }
  size_t elements() const {
    size_t n = 1;
    for (uint32_t size : sizes) n *= size;
    return n;
  }
  float value(size_t index) const {
    float sum = 0, scale = 1;
    for (uint32_t size : sizes) {
      sum += scale * float(index % size);
      index /= size;
      scale *= 100;
    }
    return sum;
  }
};

// %m: the map; %t: `tile`, 8192 bytes, all -1; %b: a barrier that expects one arrival; %p: out.
const std::string begin = R"(
  .shared .align 8 .b8 bar[8]; .shared .align 1024 .b8 tile[8192]; .reg .b32 %i, %b, %t, %n, %v, %k; .reg .b64 %m, %p, %o; .reg .pred %z, %q; .reg .b16 %h<3>;
  mov.u32 %i, %tid.x; setp.eq.u32 %z, %i, 0; mov.u32 %b, bar; mov.u32 %t, tile; ld.param.u64 %m, [map]; ld.param.u64 %p, [out]; mov.u32 %k, 0;
  @%z mbarrier.init.shared.b64 [%b], 1; mad.lo.u32 %n, %i, 4, %t;
  CLEAR: st.shared.u32 [%n], 0xbf800000; add.u32 %n, %n, 128; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 64; @%q bra CLEAR; bar.sync 0;
)";
const std::string show = R"(
  WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra WAIT;
  mov.u32 %k, 0; mad.lo.u32 %n, %i, 4, %t; mul.wide.u32 %o, %i, 4; add.s64 %p, %p, %o;
  SHOW: ld.shared.u32 %v, [%n]; st.global.u32 [%p], %v; add.u32 %n, %n, 128; add.s64 %p, %p, 128; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 64; @%q bra SHOW; ret;
)";
std::string load(const std::string& what, int bytes) {
  return "@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], " + std::to_string(bytes) +
         ";\n@%z cp.async.bulk.tensor." + what + ";\n" + show;
}

struct Ran {
  Outcome outcome;
  std::vector<float> tile, tensor;
};

Ran ran(Tensor tensor, const std::string& body) {
  Bench bench(begin + body, ".param .u64 map, .param .u64 out");
  auto* data = bench.allocate<float>(tensor.elements());
  for (size_t i = 0; i < tensor.elements(); ++i) data[i] = tensor.value(i);
  tensor.map.address = uint64_t(data);
  auto* map = bench.allocate<TensorMap>(1);
  *map = tensor.map;
  auto* out = bench.allocate<float>(2048);
  bench.pass(map);
  bench.pass(out);
  Ran result{bench.run(), {}, {}};
  result.tile.assign(out, out + 2048);
  result.tensor.assign(data, data + tensor.elements());
  return result;
}

TEST(TensorCopy, a_box_is_packed_in_shared_memory) {
  const Ran run = ran(
      Tensor({20, 10}, {8, 4}),
      load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {4, 3}], [%b]", 128));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(run.tile[i], i < 32 ? float(4 + i % 8 + 100 * (3 + i / 8)) : -1) << i;
  EXPECT_EQ(run.outcome.counters.bulk_load_sectors,
            6u);  // rows begin at 256, 336, 416 and 496: half of them lie in two sectors
}

TEST(TensorCopy, what_lies_outside_the_tensor_is_zero_and_counts_as_brought) {
  const Ran run =
      ran(Tensor({20, 10}, {8, 4}), load("2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                                         "bytes.L2::cache_hint [%t], [%m, {-2, 8}], [%b], %o",
                                         128));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (int i = 0; i < 32; ++i) {
    const int x = i % 8 - 2, y = 8 + i / 8;
    EXPECT_EQ(run.tile[i], x >= 0 && y < 10 ? float(x + 100 * y) : 0) << i;
  }
}

TEST(TensorCopy, or_nan_where_the_map_says_so) {
  Tensor tensor({20, 10}, {8, 4});
  tensor.map.fill = TensorMap::nans;
  const Ran run =
      ran(tensor,
          load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {16, 0}], [%b]",
               128));
  ASSERT_TRUE(run.outcome.completed);
  EXPECT_EQ(run.tile[3], 19.f);
  EXPECT_TRUE(std::isnan(run.tile[4]));
}

TEST(TensorCopy, one_dimension_has_a_list_of_one) {
  const Ran run =
      ran(Tensor({100}, {16}),
          load("1d.shared::cluster.global.mbarrier::complete_tx::bytes [%t+256], [%m, {90}], [%b]",
               64));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  EXPECT_EQ(run.tile[63], -1.f);
  EXPECT_EQ(run.tile[64], 90.f);
  EXPECT_EQ(run.tile[73], 99.f);
  EXPECT_EQ(run.tile[74], 0.f);
}

TEST(TensorCopy, five_dimensions_with_steps) {
  Tensor tensor({4, 3, 6, 3, 2}, {4, 2, 4, 2, 2});
  tensor.map.element_stride = {1, 1, 2, 1, 1};
  const Ran run = ran(tensor, load("5d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], "
                                   "[%m, {0, 1, 2, 1, 0}], [%b]",
                                   4 * 2 * 2 * 2 * 2 * 4));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  int at = 0;
  for (int n = 0; n < 2; ++n)
    for (int w = 1; w < 3; ++w)
      for (int z = 2; z < 6; z += 2)
        for (int y = 1; y < 3; ++y)
          for (int x = 0; x < 4; ++x, ++at)
            EXPECT_EQ(run.tile[at], float(x) + 100 * float(y) + 1e4f * float(z) + 1e6f * float(w) +
                                        1e8f * float(n))
                << at;
  EXPECT_EQ(run.tile[at], -1.f);
}

TEST(TensorCopy, swizzles_permute_chunks_of_16_bytes) {
  EXPECT_EQ(swizzled(0x380, 0), 0x380u);
  EXPECT_EQ(swizzled(0x380, TensorMap::swizzle_128), 0x3f0u);
  EXPECT_EQ(swizzled(0x380, TensorMap::swizzle_64), 0x3b0u);
  EXPECT_EQ(swizzled(0x380, TensorMap::swizzle_32), 0x390u);
  EXPECT_EQ(swizzled(0x1270, TensorMap::swizzle_128), 0x1230u);
  for (const uint8_t swizzle :
       {TensorMap::swizzle_32, TensorMap::swizzle_64, TensorMap::swizzle_128}) {
    const int width = 4 << swizzle;  // floats of a row
    Tensor tensor({64, 32}, {uint16_t(width), 16});
    tensor.map.swizzle = swizzle;
    const Ran run =
        ran(tensor,
            load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {4, 2}], [%b]",
                 16 * width * 4));
    ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
    for (int row = 0; row < 16; ++row) {
      for (int x = 0; x < width; ++x) {
        const int plain = (row * width + x) * 4, chunk = plain >> 4 & 7, line = plain >> 7 & 7,
                  mask = (1 << swizzle) - 1;
        const int place = (plain & ~0x70) | (chunk ^ (line & mask)) << 4;
        EXPECT_EQ(run.tile[place / 4], float(4 + x + 100 * (2 + row)))
            << int(swizzle) << " " << row << " " << x;
      }
    }
  }
}

TEST(TensorCopy, im2col_goes_through_pixels_with_their_offsets) {
  // 4 channels, 5 x 4 pixels, 2 images; a filter of 3 x 3: the corners are -1 and -1.
  Tensor tensor({4, 5, 4, 2}, {4});
  tensor.map.im2col = 1;
  tensor.map.pixels = 24;
  tensor.map.lower = {-1, -1};
  tensor.map.upper = {-1, -1};
  const Ran run = ran(tensor, "mov.b16 %h0, 2; mov.b16 %h1, 1;\n" +
                                  load("4d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                                       "bytes [%t], [%m, {0, 2, 1, 0}], [%b], {%h0, %h1}",
                                       24 * 16));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  int w = 2, h = 1, n = 0;
  for (int pixel = 0; pixel < 24; ++pixel) {
    for (int c = 0; c < 4; ++c) {
      const int x = w + 2, y = h + 1;
      const bool inside = x >= 0 && x < 5 && y >= 0 && y < 4 && n < 2;
      EXPECT_EQ(run.tile[pixel * 4 + c],
                inside ? float(c) + 100 * float(x) + 1e4f * float(y) + 1e6f * float(n) : 0)
          << pixel;
    }
    if (++w == 4) w = -1, ++h;  // the box of pixels ends one before the tensor does
    if (h == 3) h = -1, ++n;
  }
}

TEST(TensorCopy, stores_leave_out_what_lies_outside) {
  const Ran run = ran(Tensor({20, 10}, {8, 4}),
                      "@%z cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%m, {16, 8}], "
                      "[%t]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;");
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  const Tensor was({20, 10}, {8, 4});
  for (size_t i = 0; i < 200; ++i)
    EXPECT_EQ(run.tensor[i], i % 20 >= 16 && i / 20 >= 8 ? -1 : was.value(i)) << i;
  EXPECT_EQ(run.outcome.counters.bulk_store_sectors, 2u);
}

TEST(TensorCopy, swizzled_stores_undo_swizzled_loads) {
  Tensor tensor({32, 16}, {32, 8});
  tensor.map.swizzle = TensorMap::swizzle_128;
  const Ran run =
      ran(tensor,
          "@%z mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b], 1024; @%z "
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, "
          "{0, 0}], [%b];\n"
          "@%z cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%m, {0, 8}], [%t]; ret;");
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  for (size_t i = 0; i < 512; ++i)
    EXPECT_EQ(run.tensor[i], Tensor({32, 16}, {}).value(i % 256)) << i;
}

TEST(TensorCopy, reductions_take_the_map_s_type) {
  const Ran run = ran(Tensor({20, 10}, {8, 4}),
                      "@%z cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                      "[%m, {0, 0}], [%t]; cp.async.bulk.commit_group; ret;");
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  EXPECT_EQ(run.tensor[1], 0.f);
  EXPECT_EQ(run.tensor[8], 8.f);
  EXPECT_EQ(run.tensor[20], 99.f);
  const Ran no = ran(Tensor({20, 10}, {8, 4}),
                     "@%z cp.reduce.async.bulk.tensor.2d.global.shared::cta.inc.bulk_group [%m, "
                     "{0, 0}], [%t]; ret;");
  EXPECT_FALSE(no.outcome.completed);
}

TEST(TensorMaps, kernels_change_copies_of_them) {
  // Copied to shared memory, made 8 wide with boxes of 4, and written back; then a box over the new
  // edge.
  const Ran run = ran(
      Tensor({20, 10}, {8, 4}),
      R"(
    @!%z bra DONE; mov.u32 %k, 0;
    COPY: cvt.u64.u32 %o, %k; add.s64 %o, %o, %m; ld.global.u32 %v, [%o]; add.u32 %n, %t, %k; st.shared.u32 [%n+4096], %v; add.u32 %k, %k, 4; setp.lt.u32 %q, %k, 128; @%q bra COPY;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%t+4096], 0, 8; tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%t+4096], 0, 4;
    tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%t+4096], 0, 160; ld.global.u64 %o, [%m+16]; add.s64 %o, %o, 16;
    tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%t+4096], %o;
    DONE: bar.warp.sync -1; add.u32 %n, %t, 4096;
    tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%m], [%n], 128;
    fence.proxy.tensormap::generic.acquire.gpu [%m], 128;)" +
          load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {6, 1}], [%b]",
               64));
  ASSERT_TRUE(run.outcome.completed) << run.outcome.findings.at(0).what;
  // Element (6, 1) of the new map is 4 + 6 of the old row 2.
  EXPECT_EQ(run.tile[0], 210.f);
  EXPECT_EQ(run.tile[1], 211.f);
  EXPECT_EQ(run.tile[2], 0.f);
  EXPECT_EQ(run.tile[4], 410.f);
}

TEST(TensorMaps, what_is_no_map_is_a_finding) {
  struct Wrong {
    std::string body, what;
  };
  for (
      const Wrong& wrong :
      {Wrong{load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%p, {0, 0}], [%b]",
                  128),
             "no tensor map"},
       Wrong{
           load(
               "3d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {0, 0, 0}], [%b]",
               128),
           "2 dimensions, the instruction 3"},
       Wrong{
           load(
               "2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t+64], [%m, {0, 0}], [%b]",
               128),
           "multiples of 128"}}) {
    const Ran run = ran(Tensor({20, 10}, {8, 4}), wrong.body);
    ASSERT_FALSE(run.outcome.completed);
    EXPECT_NE(run.outcome.findings.at(0).what.find(wrong.what), std::string::npos)
        << run.outcome.findings.at(0).what;
  }
}

// Whatever a program writes over a map: the box, other bytes, or a finding.
TEST(TensorMaps, no_changed_byte_is_more_than_a_finding) {
  const std::string loads =
      load("2d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {4, 3}], [%b]", 128);
  const std::string stores =
      "@%z cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%m, {0, 0}], [%t]; ret;";
  Bench bench(begin + loads, ".param .u64 map, .param .u64 out");
  Bench back(begin + stores, ".param .u64 map, .param .u64 out");
  size_t refused = 0;
  for (Bench* each : {&bench, &back}) {
    const Tensor tensor({20, 10}, {8, 4});
    auto* data = each->allocate<float>(tensor.elements());
    auto* map = each->allocate<TensorMap>(1);
    each->pass(map);
    each->pass(each->allocate<float>(2048));
    each->limits.sm_count = 1;
    for (size_t at = 0; at < sizeof(TensorMap); ++at) {
      for (const uint8_t flip : {0x01, 0x80, 0xff}) {
        *map = tensor.map;
        map->address = uint64_t(data);
        reinterpret_cast<uint8_t*>(map)[at] ^= flip;
        const bool is_possible = map->signed_by == TensorMap::signature && map->rank == 2 &&
                                 map->im2col == 0 && map->problem().empty();
        if (is_possible && each == &bench) continue;  // its barrier would wait for other bytes
        const Outcome outcome = each->run(false);
        refused += !outcome.completed;
        EXPECT_TRUE(is_possible || !outcome.completed) << at << ' ' << int(flip);
      }
    }
  }
  EXPECT_GT(refused, 50u);
}

TEST(TensorMaps, of_a_rank_that_was_replaced_need_all_its_dimensions) {
  const Ran run = ran(
      Tensor({20, 10}, {8, 4}),
      "@%z tensormap.replace.tile.rank.global.b1024.b32 [%m], 2;\n" +
          load("3d.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%m, {0, 0, 0}], [%b]",
               128));
  ASSERT_FALSE(run.outcome.completed);
  EXPECT_EQ(run.outcome.findings.at(0).what,
            "the tensor map was changed to what none can be: it has an element stride of 0 in "
            "dimension 2");
}

}  // namespace
}  // namespace headroom::sim
