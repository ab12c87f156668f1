// The kernels the executor is timed on, as PTX, and how many warp instructions an iteration of each
// has.
//
//   fma     16 dependent-free FMAs, then the loop: arithmetic alone
//   tile    the inner loop of a tiled matrix product: two shared loads and an FMA, 16 times
//   integer four rounds of a hash: products, shifts, rotations, logic
//   stream  y = a·x + y over global memory, a grid-stride loop: bound by memory accesses
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace headroom::bench {

inline std::string kernel(const std::string& name, const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry " + name +
         "(.param .u64 data, .param .u32 count)\n{\n"
         "  .reg .pred %p; .reg .b32 %i, %n, %t, %a, %b; .reg .f32 %f<20>; .reg .f32 %x, %y; .reg "
         ".b64 %d, %o;\n"
         "  .shared .align 4 .b8 tile[8192];\n"
         "  ld.param.u64 %d, [data]; ld.param.u32 %n, [count]; mov.u32 %t, %tid.x; cvt.rn.f32.u32 "
         "%x, %t; mov.f32 %y, 0f3F000000;\n" +
         body + "}\n";
}

inline constexpr int unrolled = 16;

inline std::string fma_kernel() {
  std::string body;
  for (int k = 0; k < unrolled; ++k) body += "  mov.f32 %f" + std::to_string(k) + ", %x;\n";
  body += "  mov.u32 %i, 0;\nLOOP:\n";
  for (int k = 0; k < unrolled; ++k) {
    const std::string f = "%f" + std::to_string(k);
    body += "  fma.rn.f32 " + f + ", " + f + ", %y, %x;\n";
  }
  body += "  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP;\n";
  body += "  mul.wide.u32 %o, %t, 4; add.u64 %d, %d, %o;\n";
  for (int k = 1; k < unrolled; ++k) body += "  add.f32 %f0, %f0, %f" + std::to_string(k) + ";\n";
  return kernel("fma", body + "  st.global.f32 [%d], %f0; ret;\n");
}

// Lane i reads a[row of its warp][k] (one word for all) and b[k][i] (32 words in a row), as in the
// tiled product.
inline std::string tile_kernel() {
  std::string body =
      "  mov.u32 %a, tile; and.b32 %b, %t, 31; shl.b32 %b, %b, 2; add.u32 %b, %b, %a; mov.f32 %f0, "
      "%x; mov.u32 %i, 0;\n"
      "  st.shared.f32 [%b], %x; bar.sync 0;\nLOOP:\n";
  for (int k = 0; k < unrolled; ++k) {
    body += "  ld.shared.f32 %f1, [%a+" + std::to_string(4 * k) + "]; ld.shared.f32 %f2, [%b+" +
            std::to_string(128 * k) + "]; fma.rn.f32 %f0, %f1, %f2, %f0;\n";
  }
  body +=
      "  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP;\n  mul.wide.u32 %o, %t, 4; "
      "add.u64 %d, %d, %o; st.global.f32 [%d], %f0; ret;\n";
  return kernel("tile", body);
}

inline std::string stream_kernel() {
  return kernel(
      "stream",
      "  mul.wide.u32 %o, %t, 4; add.u64 %d, %d, %o; mov.u32 %i, 0;\nLOOP:\n"
      "  ld.global.f32 %f0, [%d]; ld.global.f32 %f1, [%d+1048576]; fma.rn.f32 %f1, %f0, %y, %f1; "
      "st.global.f32 [%d+1048576], %f1;\n"
      "  add.u64 %d, %d, 128; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP; ret;\n");
}

inline constexpr int rounds = 4;

inline std::string integer_kernel() {
  std::string body = "  mov.u32 %i, 0; mov.u32 %a, %t; add.u32 %b, %t, 77;\nLOOP:\n";
  for (int k = 0; k < rounds; ++k)
    body +=
        "  mad.lo.u32 %a, %a, 1664525, %b; shr.u32 %t, %a, 13; xor.b32 %a, %a, %t; "
        "shf.l.wrap.b32 %b, %b, %b, 7; add.u32 %b, %b, %a; shl.b32 %t, %b, 5; xor.b32 %b, %b, %t; "
        "and.b32 %t, %a, %b; or.b32 %b, %b, %t;\n";
  return kernel("integer", body +
                               "  add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra LOOP;\n"
                               "  mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %d, %d, %o; "
                               "add.u32 %a, %a, %b; st.global.u32 [%d], %a; ret;\n");
}

inline std::vector<std::pair<std::string, std::string>> kernels() {  // name, text
  return {{"fma", fma_kernel()},
          {"tile", tile_kernel()},
          {"integer", integer_kernel()},
          {"stream", stream_kernel()}};
}

}  // namespace headroom::bench
