// Resources of relocatable device code: what nvcc's own link gave is what ours gives.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "kernel/linked.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

// Every test has a cache of its own.
class Linked : public testing::Test {
 protected:
  void SetUp() override {
    cache = fs::temp_directory_path() / ("headroom-test-" + std::to_string(getpid()));
    setenv("HEADROOM_CACHE", cache.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(cache); }
  fs::path cache;
  std::vector<Caveat> caveats;
};

ImageEntry part(const std::string& text, const std::string& options = "") {
  return {ImageEntry::Kind::ptx,
          80,
          ".version 8.0\n.target sm_80\n.address_size 64\n" + text,
          "",
          0,
          options};
}

const std::string caller =
    ".extern .func f(.param .b64 p);\n"
    ".visible .entry k(.param .u64 a) { .reg .b64 %rd<2>; .param .b64 x; .shared .align 4 .b8 "
    "s[64];\n"
    " ld.param.u64 %rd1, [a]; mov.u64 %rd1, s; st.param.b64 [x], %rd1; call f, (x); ret; }";
const std::string callee = ".visible .func f(.param .b64 p) { ret; }";
const std::string endless =
    ".visible .func f(.param .b64 p) { .reg .b64 %rd<2>; .param .b64 x; ld.param.u64 %rd1, [p];\n"
    " st.param.b64 [x], %rd1; call f, (x); ret; }";

TEST_F(Linked, agrees_with_what_nvcc_has_linked) {
  const std::string path = std::string(FIXTURES) + "/relocatable";
  std::map<std::string, Resources> by_nvcc;
  std::vector<ImageEntry> parts;
  for (const ImageEntry& entry : read_image_file(path).entries) {
    if (entry.kind == ImageEntry::Kind::ptx) parts.push_back(entry);
    if (entry.kind != ImageEntry::Kind::cubin || !by_nvcc.empty()) continue;
    by_nvcc = cubin_resources(std::as_bytes(std::span(entry.text)), path);
  }
  const auto ours = linked_resources(parts, 80, caveats);
  ASSERT_EQ(ours.size(), 3u);
  EXPECT_TRUE(caveats.empty());
  for (const auto& [name, resources] : ours) {
    EXPECT_EQ(resources.registers, by_nvcc.at(name).registers) << name;
    EXPECT_EQ(resources.static_shared, by_nvcc.at(name).static_shared) << name;
    EXPECT_EQ(resources.stack, by_nvcc.at(name).stack) << name;
    EXPECT_FALSE(resources.spill_stores) << "one of the functions spills, and which is not known";
  }
  EXPECT_GT(ours.at("_Z7indexedPii").registers, 7);
  EXPECT_EQ(ours.at("_Z7indexedPii").stack, 400);
}

TEST_F(Linked, shared_memory_is_the_programs_without_the_systems_share) {
  for (const int cc : {80, 90, 100}) {
    const auto kernels = linked_resources({part(caller), part(callee)}, cc, caveats);
    ASSERT_EQ(kernels.count("k"), 1u) << cc;
    EXPECT_EQ(kernels.at("k").static_shared, 64) << cc;
    EXPECT_EQ(kernels.at("k").spill_loads, 0) << cc;
    EXPECT_TRUE(kernels.at("k").from.ends_with("-arch=sm_" + std::to_string(cc) + " -c, nvlink"))
        << kernels.at("k").from;
  }
  EXPECT_TRUE(caveats.empty());
}

TEST_F(Linked, recursion_leaves_the_stack_open_and_says_so) {
  const auto kernels = linked_resources({part(caller), part(endless)}, 90, caveats);
  ASSERT_EQ(kernels.count("k"), 1u);
  ASSERT_EQ(kernels.at("k").caveats.size(), 1u);
  EXPECT_EQ(kernels.at("k").caveats[0].what, "the stack is deeper than stated");
  EXPECT_GE(kernels.at("k").stack.value_or(0), 0);
}

TEST_F(Linked, a_part_that_is_missing_makes_all_unknown_with_the_linkers_reason) {
  EXPECT_TRUE(linked_resources({part(caller)}, 90, caveats).empty());
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].cause.find("Undefined reference to 'f'"), std::string::npos)
      << caveats[0].cause;
}

TEST_F(Linked, is_answered_from_the_cache_the_second_time) {
  const auto first = linked_resources({part(caller), part(callee)}, 90, caveats);
  setenv("HEADROOM_CACHE", cache.c_str(), 1);
  const auto again = linked_resources({part(caller), part(callee)}, 90, caveats);
  EXPECT_EQ(first.at("k").registers, again.at("k").registers);
  EXPECT_EQ(std::distance(fs::directory_iterator(cache), {}), 2) << "resources and machine code";
  linked_resources({part(caller), part(callee, "-maxrregcount=32")}, 90, caveats);
  EXPECT_EQ(std::distance(fs::directory_iterator(cache), {}), 4)
      << "options are part of the question";
}

}  // namespace
}  // namespace headroom
