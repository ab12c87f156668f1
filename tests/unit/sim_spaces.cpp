// Memory by space: shared, local, parameters, generic addresses, and what a module declares.
#include "sim_bench.h"

namespace headroom::sim {
namespace {

TEST(Spaces, dynamic_shared_memory_follows_the_static_and_is_all_there) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .u32 one; .reg .b32 %s, %v; st.shared.u32 [one], 7; shl.b32 %s, %i, 2; mov.u32 %v, many; add.u32 %s, %s, %v;
    st.shared.u32 [%s], %i; ld.shared.u32 %v, [one]; add.u32 %v, %v, %i; st.global.u32 [%p], %v; ret;)",
              ".param .u64 out", ".extern .shared .align 16 .b8 many[];");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  bench.dynamic_shared = 128;
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 7);
}

TEST(Spaces, dynamic_shared_memory_is_aligned_as_it_asks) {
  Bench bench(
      R"(.shared .align 4 .u32 one; .reg .b64 %p; .reg .b32 %v; ld.param.u64 %p, [out]; st.shared.u32 [one], 7; mov.u32 %v, many; st.global.u32 [%p], %v; ret;)",
      ".param .u64 out", ".extern .shared .align 1024 .b8 many[];");
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  bench.dynamic_shared = 128;
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[0], 1024u);
}

TEST(Spaces, a_byte_past_dynamic_shared_memory_is_a_finding) {
  Bench bench(".reg .b32 %v; mov.u32 %v, many; st.shared.u32 [%v+128], %v; ret;", ".param .u64 out",
              ".extern .shared .align 16 .b8 many[];");
  bench.pass(bench.allocate<uint32_t>(1));
  bench.dynamic_shared = 128;
  const Outcome outcome = bench.run();
  ASSERT_FALSE(outcome.completed);
  EXPECT_EQ(outcome.findings.at(0).kind, "illegal_shared_store");
}

TEST(Spaces, parameters_lie_where_their_types_put_them) {
  Bench bench(
      R"(.reg .b64 %p, %q; .reg .b32 %a, %b, %c, %d; .reg .b16 %h;
    ld.param.u8 %h, [small]; ld.param.u64 %p, [out]; ld.param.v4.u32 {%a, _, %c, %d}, [pack]; ld.param.u32 %b, [pack+16];
    cvt.u32.u16 %d, %h; st.global.v4.u32 [%p], {%a, %b, %c, %d};
    mov.b64 %q, pack; ld.param.u32 %a, [%q+4]; cvta.param.u64 %q, %q; ld.u32 %b, [%q+8]; st.global.v2.u32 [%p+16], {%a, %b}; ret;)",
      ".param .u8 small, .param .u64 .ptr .global .align 1 out, .param .align 16 .b8 pack[20]");
  auto* out = bench.allocate<uint32_t>(8);
  bench.arguments.resize(36);
  bench.arguments[0] = std::byte(200);
  std::memcpy(bench.arguments.data() + 8, &out, 8);
  const uint32_t pack[] = {11, 12, 13, 14, 15};
  std::memcpy(bench.arguments.data() + 16, pack, 20);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  EXPECT_EQ(std::vector<uint32_t>(out, out + 6), (std::vector<uint32_t>{11, 15, 13, 200, 12, 13}));
}

TEST(Spaces, a_kernel_without_parameters_runs) {
  Bench bench("ret;", "");
  EXPECT_TRUE(bench.run().completed);
}

TEST(Spaces, the_lanes_of_one_generic_access_may_mean_different_spaces) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .b8 tile[128]; .local .align 4 .b8 own[4]; .reg .b64 %g, %l; .reg .b32 %t, %v; .reg .pred %q, %r;
    mov.b64 %g, tile; cvta.shared.u64 %g, %g; mul.wide.u32 %o, %i, 4; add.s64 %g, %g, %o; mov.b64 %l, own; cvta.local.u64 %l, %l;
    and.b32 %t, %i, 3; setp.eq.u32 %q, %t, 0; setp.eq.u32 %r, %t, 1; selp.b64 %g, %p, %g, %q; selp.b64 %g, %l, %g, %r;
    st.u32 [%g], %i; atom.add.u32 %v, [%g], 5; ld.u32 %v, [%g]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 5);
}

TEST(Spaces, offsets_go_both_ways_and_32_bit_addresses_wrap) {
  Bench bench(std::string(thread_index) + R"(
    .shared .align 4 .b8 tile[256]; .reg .b32 %s, %v; shl.b32 %s, %i, 2; sub.u32 %s, %s, 64; st.shared.u32 [%s+64], %i; add.u32 %s, %s, 128;
    ld.shared.u32 %v, [%s+-64]; st.global.u32 [%p+-0], %v; add.s64 %p, %p, 400; ld.global.u32 %v, [%p+-400]; add.u32 %v, %v, 1; st.global.u32 [%p+-400], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i + 1);
}

TEST(Spaces, each_activation_has_local_memory_of_its_own) {
  Bench bench(std::string(thread_index) + R"(
    .local .align 8 .b8 mine[8]; .reg .b32 %v, %w; .reg .b64 %l; st.local.u32 [mine+4], %i; mov.b64 %l, mine; cvta.local.u64 %l, %l; add.s64 %l, %l, 4;
    { .param .b64 a; .param .b32 r; st.param.b64 [a], %l; call.uni (r), f, (a); ld.param.b32 %v, [r]; }
    ld.local.u32 %w, [mine+4]; mad.lo.u32 %v, %v, 1000, %w; st.global.u32 [%p], %v; ret;)",
              ".param .u64 out", R"(.func (.param .b32 result) f(.param .b64 x)
  { .local .align 4 .b8 mine[4]; .reg .b64 %x; .reg .b32 %v; ld.param.b64 %x, [x]; st.local.u32 [mine], 9; ld.u32 %v, [%x]; add.u32 %v, %v, 1; st.param.b32 [result], %v; ret; })");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], (i + 1) * 1000 + i);
}

TEST(Spaces, stores_and_loads_of_bytes_extend_as_their_type_says) {
  Bench bench(
      R"(.reg .b64 %p; .reg .b32 %a, %b; .reg .b16 %h, %k; .reg .b8 %t; ld.param.u64 %p, [out];
    st.global.u8 [%p], 300; st.global.v2.u16 [%p+4], {-1, 7}; ld.global.s8 %a, [%p]; ld.global.s16 %b, [%p+4]; ld.global.u8 %h, [%p+4];
    cvt.s16.s8 %k, %h; st.global.s32 [%p+8], %a; st.global.s32 [%p+12], %b; st.global.u16 [%p+16], %h; st.global.u16 [%p+18], %k;
    ld.global.b8 %t, [%p]; st.global.b8 [%p+20], %t; st.global.f32 [%p+24], 1.0; st.global.f64 [%p+32], 2.5; ret;)");
  auto* out = bench.allocate<uint8_t>(64);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << outcome.findings.at(0).what;
  const auto word = [&](int at) {
    uint32_t v;
    std::memcpy(&v, out + at, 4);
    return v;
  };
  EXPECT_EQ(word(0), 44u);
  EXPECT_EQ(word(4), 0x0007ffffu);
  EXPECT_EQ(word(8), 44u);
  EXPECT_EQ(word(12), ~0u);
  EXPECT_EQ(word(16), 0xffff00ffu);
  EXPECT_EQ(out[20], 44);
  EXPECT_EQ(word(24), 0x3f800000u);
  EXPECT_EQ(word(36), 0x40040000u);
}

TEST(Spaces, an_external_variable_is_refused_where_it_is_used) {
  Bench bench(".reg .b32 %v; ld.global.u32 %v, [elsewhere]; ret;", "",
              ".extern .global .align 4 .u32 elsewhere;");
  try {
    decode(bench.module, "k");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.problem.find("elsewhere"), std::string::npos) << error.problem;
    EXPECT_EQ(error.where, "test.ptx:7");
  }
}

TEST(Spaces, initialisers_hold_addresses_whole_and_byte_by_byte) {
  Bench bench(
      R"(.reg .b64 %p, %a; .reg .b32 %v; ld.param.u64 %p, [out]; ld.global.u64 %a, [where]; ld.global.u32 %v, [%a]; st.global.u32 [%p], %v;
    ld.global.u8 %v, [piece]; st.global.u32 [%p+4], %v; mov.u64 %a, table; st.global.u64 [%p+8], %a; ret;)",
      ".param .u64 out",
      ".global .u32 first;\n.global .align 4 .u32 table[4] = {5, 6, 7, 8};\n.global .align 8 .u64 "
      "where = table+8;\n.global .align 1 .u8 piece = 0xFF00(table);");
  auto* out = bench.allocate<uint32_t>(4);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[0], 7u);
  EXPECT_EQ(out[1], out[2] >> 8 & 255);
}

TEST(Spaces, isspacep_knows_a_blocks_shared_memory) {
  Bench bench(
      R"(.shared .align 4 .u32 box; .reg .b64 %p, %s; .reg .b32 %v; .reg .pred %a, %b, %c, %d; ld.param.u64 %p, [out]; mov.b64 %s, box; cvta.shared.u64 %s, %s;
    isspacep.shared %a, %s; isspacep.shared::cluster %b, %s; isspacep.global %c, %s; isspacep.global %d, %p;
    selp.u32 %v, 1, 0, %a; @%b add.u32 %v, %v, 2; @%c add.u32 %v, %v, 4; @%d add.u32 %v, %v, 8; st.global.u32 [%p], %v; st.shared.u32 [box], 0; ret;)");
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  ASSERT_TRUE(bench.run().completed);
  EXPECT_EQ(out[0], 11u);
}

// One rule for all accesses: what a GPU lets pass is a finding, and the access is done; what it does
// not is a fault with the code that an H200 gave.
struct Access {
  const char*
      what;  // %g: an array of 1024 bytes, %s: 1032 bytes of shared memory, 1024 bytes a warp may use
  int64_t near, far;  // offsets that pass and that fault
  const char* kind;
  int error;
};

Outcome outcome_of(const Access& access, int64_t offset, uint32_t* first = nullptr) {
  Bench bench(
      std::string(".shared .align 128 .b8 tile[1032]; .shared .align 8 .b8 bar[8]; .reg .b32 %s, "
                  "%b, %v<4>, %i; "
                  ".reg .b64 %p, %g, %t, %o; .reg .pred %z; ld.param.u64 %p, [out]; ld.param.u64 "
                  "%g, [data]; mov.u32 %s, tile; mov.u32 %b, bar; cvta.shared.u64 %t, tile; "
                  "mov.u32 %i, %tid.x; setp.eq.u32 %z, %i, 0; mov.u32 %v0, 5; mov.u32 %v1, 5; "
                  "mov.u32 %v2, 5; mov.u32 %v3, 5; mov.u64 %o, ") +
          std::to_string(offset) +
          "; add.s64 %g, %g, %o; add.s64 %t, %t, %o; { .reg .b32 %o32; cvt.u32.u64 %o32, %o; "
          "add.u32 %s, %s, %o32; }\n" +
          access.what + "\nst.global.u32 [%p], %v0; ret;",
      ".param .u64 out, .param .u64 data");
  auto* data = bench.allocate<uint32_t>(256);
  auto* out = bench.allocate<uint32_t>(1);
  bench.pass(out);
  bench.pass(data);
  const Outcome outcome = bench.run();
  if (first) *first = *out;
  return outcome;
}

TEST(Spaces, one_rule_says_what_passes) {
  const char* const bulk =
      "@%z mbarrier.init.shared.b64 [%b], 1; @%z mbarrier.arrive.expect_tx.shared::cta.b64 _, "
      "[%b], "
      "16; mov.u32 %s, tile; @%z cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%s], [%g], 16, [%b];";
  for (const Access& access : {
           Access{"ld.global.u32 %v0, [%g];", 1024, 1 << 21, "global_load", 700},
           Access{"ld.global.u32 %v0, [%g];", -256, -(3 << 20), "global_load", 700},
           Access{"ld.global.u32 %v0, [%g];", -4096, -(1 << 30), "global_load", 700},
           Access{"st.u32 [%g], %v0;", 1024, 1 << 21, "global_store", 700},
           Access{"atom.global.add.u32 %v0, [%g], 1;", 1024, 1 << 21, "global_atomic", 700},
           Access{bulk, 1024, 1 << 21, "global_load", 700},
           Access{"mov.u32 %s, tile; cp.async.ca.shared.global [%s], [%g], 16; cp.async.wait_all;",
                  1024, 1 << 21, "global_load", 700},
           Access{"wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%f0, %f1}, [%g];", 1024 - 256,
                  1 << 21, "global_load", 700},
           Access{"ld.shared.u32 %v0, [%s];", 1044, 2048, "shared_load", 700},
           Access{"st.shared.u32 [%s], %v0;", -4, 1152, "shared_store", 700},
           Access{"atom.shared.add.u32 %v0, [%s], 1;", -1024, -1028, "shared_atomic", 715},
           Access{"ld.u32 %v0, [%t];", -4, 1152, "shared_load", 700},
           Access{"st.u32 [%t], %v0;", 1048, 49152, "shared_store", 700},
           Access{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v0}, [%s];", 1056, 1136 + 16,
                  "shared_load", 700},
       }) {
    Access one = access;
    std::string text = one.what;
    if (text.starts_with("wmma")) text = ".reg .f64 %f<2>; " + text;
    one.what = text.c_str();
    const Outcome passes = outcome_of(one, one.near), faults = outcome_of(one, one.far);
    EXPECT_TRUE(passes.completed) << text << (passes.completed ? "" : passes.findings.at(0).what);
    ASSERT_EQ(passes.findings.size(), 1u) << text;
    EXPECT_EQ(passes.findings[0].kind, std::string("out_of_bounds_") + one.kind) << text;
    EXPECT_EQ(passes.findings[0].cuda_error, 0);
    ASSERT_FALSE(faults.completed) << text;
    EXPECT_EQ(faults.findings.at(0).kind, std::string("illegal_") + one.kind) << text;
    EXPECT_EQ(faults.findings.at(0).cuda_error, one.error) << text;
  }
}

TEST(Spaces, offsets_before_the_beginning_are_said_as_such) {
  const auto what = [](const char* access, int64_t offset) {
    return outcome_of({access, 0, 0, "", 0}, offset).findings.at(0).what;
  };
  EXPECT_EQ(
      what("st.shared.u32 [%s], %v0;", -4),
      "4-byte shared store: 4 bytes before the 1040 bytes of the block; a GPU lets it pass, as "
      "memory of the system lies there");
  EXPECT_EQ(
      what("st.u32 [%t], %v0;", -4),
      "4-byte shared store: 4 bytes before the 1040 bytes of the block; a GPU lets it pass, as "
      "memory of the system lies there");
  EXPECT_EQ(
      what(".local .b8 mine[64]; mov.u64 %t, mine; add.s64 %t, %t, %o; ld.local.u32 %v0, [%t];",
           -4),
      "4-byte local load: 4 bytes before the 64 bytes of the thread");
  EXPECT_NE(what("ld.global.u32 %v0, [%g];", -(3 << 20))
                .find("3145728 bytes before an allocation of 1024"),
            std::string::npos);
  EXPECT_NE(what("ld.global.u32 %v0, [%g];", -256).find("a GPU may let it pass"),
            std::string::npos);
}

// s[threadIdx.x - 1]: the lane before the block's memory reads what lies there, the others their words.
TEST(Spaces, lanes_before_and_inside_shared_memory_are_one_access) {
  Bench bench(
      std::string(thread_index) +
      R"(.shared .align 16 .b8 tile[128]; .reg .b32 %s, %v; mov.u32 %s, tile; mad.lo.u32 %s, %i, 4, %s; st.shared.u32 [%s], %i; bar.sync 0;
    ld.shared.u32 %v, [%s+-4]; st.global.u32 [%p], %v; ret;)");
  auto* out = bench.allocate<uint32_t>(32);
  bench.pass(out);
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed);
  EXPECT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings.at(0).thread[0], 0u);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i ? i - 1 : 0);
  EXPECT_EQ(outcome.counters.shared_load_instructions, 1u);
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 1u);
}

TEST(Spaces, more_static_shared_memory_than_a_block_has_is_refused) {
  Bench bench(".shared .b8 big[307200]; .reg .b32 %v; ld.shared.u32 %v, [big]; ret;");
  bench.pass(bench.allocate<uint32_t>(1));
  EXPECT_THROW(bench.run(), Error);
}

TEST(Spaces, a_finding_in_an_inlined_header_names_the_line_of_the_program) {
  Bench bench(
      R"(.reg .b64 %p; .reg .b32 %v; mov.u64 %p, 16;
.loc 1 8 3
.loc 1 4 3, function_name $a, inlined_at 1 8 3
.loc 2 107 3, function_name $a, inlined_at 1 4 3
    atom.global.add.u32 %v, [%p], 1; ret;)",
      ".param .u64 out",
      ".file 1 \"app.cu\"\n.file 2 "
      "\"/usr/local/cuda/bin/../targets/x86_64-linux/include/device_atomic_functions.hpp\"");
  bench.pass(bench.allocate<uint32_t>(1));
  EXPECT_EQ(bench.run().findings.at(0).source, "app.cu:4");
}

}  // namespace
}  // namespace headroom::sim
