// include/headroom/headroom.hpp: code loaded, launched and read, and what is refused.
#include <gtest/gtest.h>

#include <functional>

#include "headroom/headroom.hpp"

namespace {

// out[i] *= factor for i < n; and two that are called alike.
const char* const ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry _Z5scalePffi(.param .u64 out, .param .f32 factor, .param .u32 n) {
  .reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.f32 %f1, [factor];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $end;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%rd4], %f3;
$end:
  ret;
}
.visible .entry _Z4twinIfEvv() { ret; }
.visible .entry _Z4twinIiEvv() { ret; }
)";

headroom::Program program() { return headroom::load_image(ptx); }

std::string problem_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const headroom::Error& error) {
    return error.what();
  }
  return "";
}

TEST(Library, RunsAKernelAndReadsItsFigures) {
  const auto loaded = program();
  headroom::Array<float> values(std::vector<float>{1, 2, 3, 4, 5});
  const headroom::Launch launch = loaded.kernel("scale")({{1}, {64}}, values, 2.0f, 4);
  EXPECT_EQ(values.host(), (std::vector<float>{2, 4, 6, 8, 5}));
  EXPECT_TRUE(launch.completed());
  EXPECT_EQ(launch.kernel(), "scale(float*, float, int)");
  EXPECT_EQ(launch["global_load_requests"], 1);
  EXPECT_EQ(launch["global_load_sectors"], 1);
  EXPECT_EQ(launch["global_load_bytes"], 16);
  EXPECT_TRUE(launch.findings().empty());
  EXPECT_GT(launch["floor_ns"], 0);
  ASSERT_FALSE(launch.floors().empty());
  EXPECT_EQ(launch.floors()[0].nanoseconds, launch["floor_ns"]);
  EXPECT_EQ(launch.figures()[0].name, "warp_instructions");
}

TEST(Library, LaunchesOfOneKernelHaveFiguresOfTheirOwn) {
  const auto loaded = program();
  const auto scale = loaded.kernel("_Z5scalePffi");
  headroom::Array<float> values(4096, 1);
  const auto small = scale({{1}, {32}}, values, 1.0f, 32),
             large = scale({{32}, {128}}, values, 1.0f, 4096);
  EXPECT_EQ(small["global_store_requests"], 1);
  EXPECT_EQ(large["global_store_requests"], 128);
}

TEST(Library, AnAccessOutOfBoundsIsAFinding) {
  const auto loaded = program();
  headroom::Array<float> values(4, 1);
  const auto launch = loaded.kernel("scale")({{1}, {64}}, values, 2.0f, 5);
  ASSERT_EQ(launch.findings().size(), 2u);
  EXPECT_EQ(launch.findings()[0].kind, "out_of_bounds_global_load");
  EXPECT_EQ(launch.findings()[0].thread, (std::array<unsigned, 3>{4, 0, 0}));
}

TEST(Library, AFaultStopsItsLaunchAlone) {
  const auto loaded = program();
  const auto scale = loaded.kernel("scale");
  const auto stopped = scale({{1}, {64}}, static_cast<float*>(nullptr), 2.0f, 4);
  EXPECT_FALSE(stopped.completed());
  ASSERT_FALSE(stopped.findings().empty());
  EXPECT_NE(problem_of([&] { (void)stopped["global_load_sectors"]; }).find("was stopped: "),
            std::string::npos);
  headroom::Array<float> values(4, 1);
  EXPECT_TRUE(scale({{1}, {64}}, values, 2.0f, 4).completed());
  EXPECT_EQ(values.host()[3], 2);
}

TEST(Library, SaysWhatIsWrong) {
  const auto loaded = program();
  const auto scale = loaded.kernel("scale");
  headroom::Array<float> values(4, 1);
  const auto says = [](const std::string& words, const std::function<void()>& what) {
    EXPECT_NE(problem_of(what).find(words), std::string::npos) << problem_of(what);
  };
  says("takes 3 arguments, and 2 were given", [&] { scale({{1}, {1}}, values, 2.0f); });
  says("its argument 2 has 4 bytes, and a value of 8 was given", [&] {
    scale({{1}, {1}}, values, 2.0, 4);
  });
  says("it has: ", [&] { loaded.kernel("scala"); });
  says("has 2 kernels 'twin'", [&] { loaded.kernel("twin"); });
  EXPECT_EQ(problem_of([&] { loaded.kernel("twin<int>"); }), "");
  says("program is unloaded", [&] {
    const headroom::Kernel left = program().kernel("scale");
    left({{1}, {1}}, values, 2.0f, 4);
  });
  says("2048", [&] { scale({{1}, {2048}}, values, 2.0f, 4); });
  says("there is none of that name", [&] { (void)scale({{1}, {1}}, values, 2.0f, 4)["sectors"]; });
  says("nowhere.ptx", [&] { headroom::load("nowhere.ptx"); });
  says("neither a fat binary", [&] { headroom::load_image("no code"); });
  says("empty", [&] { headroom::load_image(""); });
  says("3 were given", [&] { values.set({1, 2, 3}); });
  says("memory is full", [] { headroom::Array<char> all(std::size_t(1) << 45); });
  says("is imitated already", [] { headroom::use_machine("a100"); });
  says("headroom run -- ./test", [] { headroom::launches_of([] {}); });
}

TEST(Library, LoadsWhatNvccBuilt) {
  const auto study = headroom::load(HEADROOM_BUILD "/bin/sgemm");
  EXPECT_EQ(problem_of([&] { study.kernel("naive_kernel"); }), "");
}

}  // namespace
