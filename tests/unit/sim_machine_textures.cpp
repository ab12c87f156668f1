// Textures and surfaces by the machine code that ptxas makes of PTX: what that PTX gives.
#include <functional>

#include "kernel/kernel.h"
#include "kernel/machine_code.h"
#include "sim/machine_code.h"
#include "sim/program.h"
#include "sim/texture.h"
#include "sim_bench.h"

namespace headroom::sim {
namespace {

constexpr uint64_t texture = 11, surface = 12;
constexpr size_t row_words = 4 * 64, words = 32 * row_words;

// Elements of four channels in a cube of 6 × 6 × 6 and what a kernel k(object, out) makes of them.
class TextureBench {
 public:
  TextureBench() {
    elements = allocate(16 * 8 * 8 * 4);
    out = allocate(words);
  }
  uint32_t* allocate(size_t count) {
    auto* at = reinterpret_cast<uint32_t*>(*memory.allocate(count * 4));
    std::fill_n(at, count, 0);
    return at;
  }

  Texture object(uint32_t width, uint32_t height, uint32_t depth, uint32_t layers = 0) const {
    Texture t;
    t.base = reinterpret_cast<uint64_t>(elements);
    t.pitch = 16 * 16;
    t.slice = t.pitch * 8;
    t.width = width;
    t.height = height;
    t.depth = depth;
    t.layers = layers;
    t.channels = 4;
    return t;
  }

  // What it writes and leaves in the elements.
  std::vector<uint32_t> run(const std::string& body, uint64_t handle, const Texture& seen,
                            bool machine) {
    const std::string text =
        ".version 8.3\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 object, "
        ".param .u64 out)\n{\n"
        ".reg .b64 %t, %o, %w<3>; .reg .f32 %x, %y, %z, %a<5>; .reg .b32 %i, %l, %m, %r<5>;"
        ".reg .b16 %h<5>; ld.param.u64 %t, [object]; ld.param.u64 %o, [out]; mov.u32 %i, %tid.x;"
        "mul.wide.u32 %w1, %i, 1024; add.u64 %o, %o, %w1; cvt.rn.f32.u32 %x, %i;"
        "mul.f32 %x, %x, 0f3e800000; sub.f32 %x, %x, 0f40000000; add.f32 %y, %x, 0f3f200000;"
        "sub.f32 %z, 0f40400000, %x; and.b32 %l, %i, 3; shr.u32 %m, %i, 2;\n" +
        body + "ret;\n}\n";
    for (uint32_t n = 0; n < 16 * 8 * 8 * 4; ++n) {
      const float value = float(n * 37 % 1009) / 16 - 20;
      std::memcpy(&elements[n], &value, 4);
    }
    std::fill_n(out, words, 0);
    textures()[handle] = seen;
    textures()[handle].surface = handle == surface;
    Launch launch;
    launch.shape = {.kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    launch.arguments.resize(16);
    std::memcpy(launch.arguments.data(), &handle, 8);
    std::memcpy(launch.arguments.data() + 8, &out, 8);
    const auto module =
        load_module(std::make_shared<ptx::Module>(ptx::parse(text, "test.ptx")), memory);
    const Outcome outcome =
        simulate(machine ? *assembled(module, text) : *decode(module, "k"), launch, memory, limits);
    EXPECT_TRUE(outcome.completed) << (outcome.findings.empty() ? "" : outcome.findings[0].what);
    std::vector<uint32_t> all(out, out + words);
    all.insert(all.end(), elements, elements + 16 * 8 * 8 * 4);
    return all;
  }

  void compare(const std::string& body, uint64_t handle, const Texture& seen) {
    const auto by_ptx = run(body, handle, seen, false), by_machine = run(body, handle, seen, true);
    size_t differ = 0, first = 0;
    for (size_t n = by_ptx.size(); n-- > 0;)
      if (by_ptx[n] != by_machine[n]) ++differ, first = n;
    EXPECT_EQ(differ, 0u) << body << "first: word " << first << ", " << std::hex
                          << by_machine[first] << " not " << by_ptx[first];
  }

 private:
  static std::shared_ptr<const Program> assembled(const LoadedModule& module,
                                                  const std::string& text) {
    std::vector<Caveat> caveats;
    const std::vector<std::byte> cubin = ptxas_code(text, 90, caveats);
    auto code = std::make_shared<sass::Module>(read_machine_code({cubin, "test.ptx"}));
    return decode(module, std::move(code), "k", MachineOptions{});
  }

  Memory memory{1ull << 32};
  Limits limits{4, 2, 1'000'000'000, 90};
  uint32_t *elements = nullptr, *out = nullptr;
};

std::string four(const std::string& what, const std::string& type = "f32") {
  const std::string r = type == "f32" ? "%a" : "%r",
                    list = "{" + r + "1, " + r + "2, " + r + "3, " + r + "4}";
  return what.substr(0, what.find('$')) + list + what.substr(what.find('$') + 1) +
         " st.global.v4.b32 [%o], " + list + ";\n";
}

TEST(MachineTextures, are_read_as_by_ptx) {
  TextureBench bench;
  for (const bool linear : {false, true}) {
    for (const Wrap wrap : {Wrap::clamp, Wrap::border}) {
      Texture line = bench.object(12, 0, 0), plane = bench.object(12, 6, 0),
              space = bench.object(12, 6, 5), lines = bench.object(12, 0, 0, 6),
              planes = bench.object(12, 6, 0, 6);
      for (Texture* each : {&line, &plane, &space, &lines, &planes}) {
        each->linear = linear;
        each->wrap = {wrap, wrap, wrap};
        each->border = {1, 2, 3, 4};
      }
      bench.compare(four("tex.1d.v4.f32.f32 $, [%t, {%x}];"), texture, line);
      bench.compare(four("tex.2d.v4.f32.f32 $, [%t, {%x, %y}];"), texture, plane);
      bench.compare(four("tex.3d.v4.f32.f32 $, [%t, {%x, %y, %z, %z}];"), texture, space);
      bench.compare(four("tex.a1d.v4.f32.f32 $, [%t, {%l, %x}];"), texture, lines);
      bench.compare(four("tex.a2d.v4.f32.f32 $, [%t, {%l, %x, %y, %y}];"), texture, planes);
      bench.compare(four("tex.level.2d.v4.f32.f32 $, [%t, {%x, %y}], %z;"), texture, plane);
      bench.compare(four("tex.level.2d.v4.f32.f32 $, [%t, {%x, %y}], 0f00000000;"), texture, plane);
      bench.compare(four("tex.grad.2d.v4.f32.f32 $, [%t, {%x, %y}], {%z, %z}, {%x, %x};"), texture,
                    plane);
      bench.compare(
          "tex.2d.v4.f32.f32 {%a1, %a2, %a3, %a4}, [%t, {%x, %y}];"
          "st.global.v2.f32 [%o], {%a1, %a4}; st.global.f32 [%o+8], %a3;",
          texture, plane);
      bench.compare(four("tld4.g.2d.v4.f32.f32 $, [%t, {%x, %y}];"), texture, plane);
    }
  }
}

TEST(MachineTextures, of_whole_coordinates_and_questions) {
  TextureBench bench;
  Texture memory = bench.object(40, 0, 0);
  memory.linear_memory = true;
  memory.channel = Channel::unsigned_integer;
  bench.compare(four("tex.1d.v4.u32.s32 $, [%t, {%i}];", "u32"), texture, memory);
  const std::string ask =
      "txq.width.b32 %r1, [%t]; txq.height.b32 %r2, [%t]; txq.depth.b32 %r3, [%t];"
      "st.global.v2.b32 [%o], {%r1, %r2}; st.global.b32 [%o+8], %r3;";
  bench.compare(ask, texture, bench.object(12, 6, 5));
  bench.compare("suq.height.b32 %r2, [%t]; st.global.b32 [%o], %r2;", surface,
                bench.object(12, 6, 5));
}

TEST(MachineTextures, surfaces_are_loaded_and_stored_as_by_ptx) {
  TextureBench bench;
  const Texture line = bench.object(12, 0, 0), plane = bench.object(12, 6, 0),
                space = bench.object(12, 6, 5), lines = bench.object(12, 0, 0, 6),
                planes = bench.object(12, 6, 0, 6);
  const std::string bytes = "shl.b32 %i, %i, 4;\n", one = " st.global.b32 [%o], %r1;\n";
  bench.compare(bytes + "suld.b.1d.b32.zero %r1, [%t, {%i}];" + one, surface, line);
  bench.compare(bytes + "suld.b.1d.b32.clamp %r1, [%t, {%i}];" + one, surface, line);
  bench.compare(bytes + four("suld.b.2d.v4.b32.zero $, [%t, {%i, %l}];", "u32"), surface, plane);
  bench.compare(bytes +
                    "suld.b.3d.v2.b32.zero {%r1, %r2}, [%t, {%i, %l, %m, %m}];"
                    "st.global.v2.b32 [%o], {%r1, %r2};",
                surface, space);
  bench.compare(bytes + "suld.b.a1d.b64.zero %w1, [%t, {%l, %i}]; st.global.b64 [%o], %w1;",
                surface, lines);
  bench.compare(bytes + four("suld.b.a2d.v4.b32.zero $, [%t, {%l, %i, %m, %m}];", "u32"), surface,
                planes);
  bench.compare("suld.b.2d.b8.zero %h1, [%t, {%i, %l}]; st.global.u16 [%o], %h1;", surface, plane);
  bench.compare(
      "shl.b32 %i, %i, 1; suld.b.2d.v2.b8.zero {%h1, %h2}, [%t, {%i, %l}];"
      "st.global.v2.u16 [%o], {%h1, %h2};",
      surface, plane);
  bench.compare(bytes + "sust.b.1d.b32.zero [%t, {%i}], %l;", surface, line);
  bench.compare(bytes + "sust.b.2d.v4.b32.clamp [%t, {%i, %l}], {%i, %l, %m, %i};", surface, plane);
  bench.compare(bytes + "sust.b.a2d.v2.b64.zero [%t, {%l, %i, %m, %m}], {%t, %t};", surface,
                planes);
  bench.compare("cvt.u16.u32 %h1, %i; sust.b.3d.b8.zero [%t, {%i, %l, %l, %l}], %h1;", surface,
                space);
  bench.compare("sust.p.2d.v4.b32.zero [%t, {%m, %l}], {%i, %l, %m, %i};", surface, plane);
}

TEST(MachineTextures, reductions_on_surfaces) {
  TextureBench bench;
  Texture plane = bench.object(12, 6, 0);
  plane.channels = 1;
  plane.channel = Channel::signed_integer;
  for (const std::string what : {"b.add.2d.u32", "b.min.2d.s32", "b.max.2d.u32", "b.and.2d.b32",
                                 "b.or.2d.b32", "p.add.2d.b32", "p.min.2d.b32"})
    bench.compare("shl.b32 %i, %m, 2; sured." + what + ".zero [%t, {" +
                      (what[0] == 'p' ? "%m" : "%i") + ", %l}], %i;",
                  surface, plane);
}

}  // namespace
}  // namespace headroom::sim
