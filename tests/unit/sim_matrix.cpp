// Products of matrices, whole programs against a plain product in double: fragments by ldmatrix, by wmma.load and from
// shared memory by descriptors. The numbers are small integers, so that every sum is exact whatever the rounding.
#include <cmath>
#include <random>

#include "sim_bench.h"

namespace headroom::sim {
namespace {

// An integer of up to eleven bits as an f16, and back.
struct Half {
  Half() = default;
  explicit Half(double x) : bits(uint16_t(std::signbit(x) ? 0x8000 : 0)) {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(x), &exponent);  // in [0.5, 1)
    if (x != 0) bits = uint16_t(bits | (exponent + 14) << 10 | (int(fraction * 2048) & 0x3ff));
  }
  explicit operator double() const {
    const int field = bits >> 10 & 0x1f;
    const double size = field ? std::ldexp(0x400 + (bits & 0x3ff), field - 25) : 0;
    return bits & 0x8000 ? -size : size;
  }
  uint16_t bits;
};
using Matrix = std::vector<double>;

Matrix random_matrix(int rows, int columns, uint32_t seed, int low = -3, int high = 3) {
  std::mt19937 random(seed);
  Matrix out(size_t(rows * columns));
  for (double& x : out) x = std::uniform_int_distribution<int>(low, high)(random);
  return out;
}

Matrix product(const Matrix& a, const Matrix& b, const Matrix& c, int m, int n, int k) {
  Matrix d = c;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int x = 0; x < k; ++x)
        d[size_t(i * n + j)] += a[size_t(i * k + x)] * b[size_t(x * n + j)];
    }
  }
  return d;
}

template <class T>
T* upload(Bench& bench, const Matrix& matrix) {
  T* out = bench.allocate<T>(matrix.size());
  for (size_t i = 0; i < matrix.size(); ++i) out[i] = T(matrix[i]);
  bench.pass(out);
  return out;
}
template <class T>
T* upload_columns(Bench& bench, const Matrix& matrix, int rows, int columns) {
  Matrix turned(matrix.size());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      turned[size_t(j * rows + i)] = matrix[size_t(i * columns + j)];
  }
  return upload<T>(bench, turned);
}

constexpr const char* four_pointers =
    ".param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd";
constexpr const char* load_pointers = R"(
  .reg .b64 %pa, %pb, %pc, %pd, %o; .reg .b32 %t, %s, %i;
  ld.param.u64 %pa, [pa]; ld.param.u64 %pb, [pb]; ld.param.u64 %pc, [pc]; ld.param.u64 %pd, [pd]; mov.u32 %t, %tid.x;
)";

TEST(Matrix, ldmatrix_brings_rows_of_shared_memory_into_the_fragments_of_mma) {
  Bench bench(std::string(load_pointers) + R"(
    .shared .align 16 .b8 sa[512]; .shared .align 16 .b8 sb[256];
    .reg .b32 %a<4>, %b<2>, %v<4>; .reg .f32 %d<4>; .reg .pred %q;
    shl.b32 %i, %t, 4; cvt.u64.u32 %o, %i; add.s64 %pa, %pa, %o; mov.u32 %s, sa; add.u32 %s, %s, %i;
    ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%pa]; st.shared.v4.b32 [%s], {%v0, %v1, %v2, %v3};
    setp.lt.u32 %q, %t, 16; add.s64 %pb, %pb, %o; mov.u32 %s, sb; add.u32 %s, %s, %i;
    @%q ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%pb]; @%q st.shared.v4.b32 [%s], {%v0, %v1, %v2, %v3};
    bar.sync 0;
    and.b32 %i, %t, 15; shl.b32 %i, %i, 5; mov.u32 %s, sa; add.u32 %s, %s, %i; shr.u32 %i, %t, 4; shl.b32 %i, %i, 4; add.u32 %s, %s, %i;
    ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%s];
    and.b32 %i, %t, 15; shl.b32 %i, %i, 4; mov.u32 %s, sb; add.u32 %s, %s, %i;
    ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%b0, %b1}, [%s];
    shl.b32 %i, %t, 4; cvt.u64.u32 %o, %i; add.s64 %pc, %pc, %o; add.s64 %pd, %pd, %o;
    ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%pc];
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%d0, %d1, %d2, %d3};
    st.global.v4.f32 [%pd], {%d0, %d1, %d2, %d3}; ret;)",
              four_pointers);
  const Matrix a = random_matrix(16, 16, 1), b = random_matrix(16, 8, 2),
               c = random_matrix(16, 8, 3);
  upload<Half>(bench, a), upload<Half>(bench, b);
  auto cell = [](int lane, int i) {
    return size_t((lane / 4 + 8 * (i / 2)) * 8 + lane % 4 * 2 + i % 2);
  };
  Matrix fragments(128);
  for (int i = 0; i < 128; ++i) fragments[size_t(i)] = c[cell(i / 4, i % 4)];
  upload<float>(bench, fragments);
  const float* d = upload<float>(bench, Matrix(128));
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  const Matrix want = product(a, b, c, 16, 8, 16);
  for (int i = 0; i < 128; ++i) EXPECT_EQ(double(d[i]), want[cell(i / 4, i % 4)]) << i;
  EXPECT_EQ(outcome.counters.tensor_instructions, 1u);
  EXPECT_EQ(outcome.counters.tensor_operations, 2u * 16 * 8 * 16);
  EXPECT_EQ(outcome.counters.shared_load_instructions, 2u);
  // Rows 32 bytes apart: those four apart share banks, so a matrix of A takes two passes; one of B one.
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 4u * 2 + 2);
  EXPECT_EQ(outcome.counters.shared_load_conflicts, 4u);
}

// wmma in every shape: what the fragments hold is its own affair, the product is not.
template <class T, class S>
void wmma_product(const std::string& shape, int m, int n, int k, const std::string& type,
                  const std::string& sum, const std::string& spelling, int ra, int rb, int rc,
                  const std::string& la, const std::string& lb, const std::string& lc, int low,
                  int high) {
  SCOPED_TRACE(shape + " " + type + " " + la + " " + lb + " " + lc);
  auto list = [](char letter, int count) {
    std::string out = "{";
    for (int i = 0; i < count; ++i)
      out += std::string(i ? ", " : "") + "%" + letter + std::to_string(i);
    return out + "}";
  };
  const std::string wide = type == "f64" ? ".b64" : ".b32";
  Bench bench(std::string(load_pointers) + ".reg " + wide + " %a<8>, %b<8>; .reg " +
                  (sum == "f64" ? ".b64" : ".b32") + " %c<8>;\n" + "wmma.load.a.sync.aligned." +
                  la + "." + shape + ".global." + type + " " + list('a', ra) + ", [%pa], " +
                  std::to_string(la == "row" ? k : m) + ";\n" + "wmma.load.b.sync.aligned." + lb +
                  "." + shape + ".global." + type + " " + list('b', rb) + ", [%pb];\n" +
                  "wmma.load.c.sync.aligned." + lc + "." + shape + ".global." + sum + " " +
                  list('c', rc) + ", [%pc];\n" + "wmma.mma.sync.aligned." + la + "." + lb + "." +
                  shape + "." + spelling + " " + list('c', rc) + ", " + list('a', ra) + ", " +
                  list('b', rb) + ", " + list('c', rc) + ";\n" + "wmma.store.d.sync.aligned." + lc +
                  "." + shape + ".global." + sum + " [%pd], " + list('c', rc) + "; ret;",
              four_pointers);
  const Matrix a = random_matrix(m, k, 1, low, high), b = random_matrix(k, n, 2, low, high),
               c = random_matrix(m, n, 3);
  if (la == "row")
    upload<T>(bench, a);
  else
    upload_columns<T>(bench, a, m, k);
  if (lb == "row")
    upload<T>(bench, b);
  else
    upload_columns<T>(bench, b, k, n);
  if (lc == "row")
    upload<S>(bench, c);
  else
    upload_columns<S>(bench, c, m, n);
  const S* d = upload<S>(bench, Matrix(size_t(m * n)));
  const Outcome outcome = bench.run();
  ASSERT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
  const Matrix want = product(a, b, c, m, n, k);
  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      wrong += double(d[lc == "row" ? i * n + j : j * m + i]) != want[size_t(i * n + j)];
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Matrix, wmma_multiplies_in_every_shape_and_layout) {
  struct Shape {
    const char* name;
    int m, n;
  };
  for (const Shape& shape :
       {Shape{"m16n16k16", 16, 16}, Shape{"m8n32k16", 8, 32}, Shape{"m32n8k16", 32, 8}}) {
    for (const char* la : {"row", "col"}) {
      for (const char* lb : {"row", "col"}) {
        const char* lc = la == std::string(lb) ? "row" : "col";
        wmma_product<Half, float>(shape.name, shape.m, shape.n, 16, "f16", "f32", "f32.f32", 8, 8,
                                  8, la, lb, lc, -3, 3);
        wmma_product<Half, Half>(shape.name, shape.m, shape.n, 16, "f16", "f16", "f16.f16", 8, 8, 4,
                                 la, lb, lc, -3, 3);
        wmma_product<int8_t, int32_t>(shape.name, shape.m, shape.n, 16, "s8", "s32",
                                      "s32.s8.s8.s32", shape.m / 8, shape.n / 8, 8, la, lb, lc,
                                      -128, 127);
        wmma_product<uint8_t, int32_t>(shape.name, shape.m, shape.n, 16, "u8", "s32",
                                       "s32.u8.u8.s32", shape.m / 8, shape.n / 8, 8, la, lb, lc, 0,
                                       255);
      }
    }
  }
  wmma_product<float, float>("m16n16k8", 16, 16, 8, "tf32", "f32", "f32.tf32.tf32.f32", 4, 4, 8,
                             "row", "col", "row", -3, 3);
  wmma_product<double, double>("m8n8k4", 8, 8, 4, "f64", "f64", "f64.f64.f64.f64", 1, 1, 2, "row",
                               "col", "row", -3, 3);
}

// A and B in shared memory: rows of 16 numbers along k, in units of 16 bytes.
struct Layout {
  const char* name;
  int swizzle, leading, stride;  // bytes; swizzle 16 is none
  uint64_t code;
  size_t place(int row, int k) const {
    if (swizzle == 16) return size_t(row / 8 * stride + row % 8 * 16 + k / 8 * leading + k % 8 * 2);
    const size_t plain = size_t(row / 8 * stride + row % 8 * swizzle + k * 2);
    return plain ^ (plain >> 7 & size_t(swizzle / 16 - 1)) << 4;
  }
  uint64_t descriptor(uint64_t at) const {
    return at >> 4 | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | code << 62;
  }
};

TEST(Matrix, wgmma_reads_shared_memory_as_its_descriptors_say) {
  for (const Layout& layout : {Layout{"none", 16, 128, 256, 0}, Layout{"128", 128, 16, 1024, 1},
                               Layout{"64", 64, 16, 512, 2}, Layout{"32", 32, 16, 256, 3}}) {
    SCOPED_TRACE(layout.name);
    Bench bench(std::string(load_pointers) + R"(
    .shared .align 1024 .b8 s[16384];
    .reg .b32 %v<4>; .reg .f32 %d<8>; .reg .b64 %da, %db; .reg .pred %q, %r;
    mov.u32 %s, s; shl.b32 %i, %t, 4;
  COPY: cvt.u64.u32 %o, %i; add.s64 %o, %pa, %o; ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%o];
    add.u32 %v1, %v1, 0; { .reg .b32 %w; add.u32 %w, %s, %i; st.shared.v4.b32 [%w], {%v0, %v1, %v2, %v3}; }
    add.u32 %i, %i, 2048; setp.lt.u32 %q, %i, 16384; @%q bra COPY;
    bar.sync 0;
    shl.b32 %i, %t, 5; cvt.u64.u32 %o, %i; add.s64 %pc, %pc, %o; add.s64 %pd, %pd, %o;
    ld.global.v4.f32 {%d0, %d1, %d2, %d3}, [%pc]; ld.global.v4.f32 {%d4, %d5, %d6, %d7}, [%pc+16];
    ld.global.u64 %da, [%pb]; ld.global.u64 %db, [%pb+8]; setp.eq.u32 %r, 0, 0;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, %da, %db, %r, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    st.global.v4.f32 [%pd], {%d0, %d1, %d2, %d3}; st.global.v4.f32 [%pd+16], {%d4, %d5, %d6, %d7}; ret;)",
                four_pointers);
    const Matrix a = random_matrix(64, 16, 1), b = random_matrix(16, 16, 2),
                 c = random_matrix(64, 16, 3);
    auto* image = bench.allocate<unsigned char>(16384);
    auto put = [&](size_t at, double x) {
      const Half half = Half(x);
      std::memcpy(image + at, &half, 2);
    };
    for (int k = 0; k < 16; ++k) {
      for (int i = 0; i < 64; ++i) put(layout.place(i, k), a[size_t(i * 16 + k)]);
      for (int j = 0; j < 16; ++j) put(8192 + layout.place(j, k), b[size_t(k * 16 + j)]);
    }
    bench.pass(image);
    auto* descriptors = bench.allocate<uint64_t>(2);
    descriptors[0] = layout.descriptor(0), descriptors[1] = layout.descriptor(8192);
    bench.pass(descriptors);
    auto cell = [](int thread, int i) {
      return size_t((thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2)) * 16 + i / 4 * 8 +
                    thread % 4 * 2 + i % 2);
    };
    Matrix fragments(1024);
    for (int i = 0; i < 1024; ++i) fragments[size_t(i)] = c[cell(i / 8, i % 8)];
    upload<float>(bench, fragments);
    const float* d = upload<float>(bench, Matrix(1024));
    bench.block = {128, 1, 1};
    const Outcome outcome = bench.run();
    ASSERT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
    const Matrix want = product(a, b, c, 64, 16, 16);
    int wrong = 0;
    for (int i = 0; i < 1024; ++i) wrong += double(d[i]) != want[cell(i / 8, i % 8)];
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(outcome.counters.tensor_operations, 2u * 64 * 16 * 16);
  }
}

TEST(Matrix, what_sm_100_alone_has_is_refused_by_name) {
  Bench bench(
      ".reg .b32 %r<4>; .reg .b32 %s; mov.u32 %s, 0; "
      "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%s]; ret;",
      "");
  try {
    bench.run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sm_100"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace headroom::sim
