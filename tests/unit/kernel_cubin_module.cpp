// What machine code tells of kernels and variables, beside what the PTX of the same source says.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <span>

#include "base/error.h"
#include "kernel/cubin_module.h"

namespace headroom {
namespace {

std::string contents(const std::string& name) {
  std::ifstream file(std::string(FIXTURES) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
ptx::Module module_of(const std::string& cubin) {
  return cubin_module({std::as_bytes(std::span(cubin)), "cubin"});
}

struct Both {
  const ptx::Module ptx = ptx::parse(contents("interface.ptx"), "ptx"),
                    code = module_of(contents("interface.cubin"));
};

// In the bank that they lie in, by which ptxas aligns them.
std::vector<std::pair<uint64_t, uint64_t>> places(const ptx::Function& kernel) {
  std::vector<std::pair<uint64_t, uint64_t>> all;
  uint64_t end = 0x210;
  for (const ptx::Variable& each : kernel.parameters) {
    const uint64_t align = uint64_t(std::max(1, each.align)),
                   at = (end + align - 1) / align * align;
    all.push_back({at, each.bytes});
    end = at + each.bytes;
  }
  return all;
}

TEST(CubinModule, has_the_kernels_with_the_places_of_their_parameters) {
  const Both both;
  size_t kernels = 0;
  for (const ptx::Function& kernel : both.ptx.functions) {
    if (!kernel.entry || !kernel.defined) continue;
    ++kernels;
    const ptx::Function* same = both.code.function(kernel.name);
    ASSERT_TRUE(same) << kernel.name;
    EXPECT_TRUE(same->entry);
    EXPECT_EQ(places(*same), places(kernel)) << kernel.name;
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(same->max_threads[d], kernel.max_threads[d]) << kernel.name;
      EXPECT_EQ(same->cluster[d], kernel.cluster[d]) << kernel.name;
    }
    EXPECT_EQ(same->explicit_cluster, kernel.explicit_cluster) << kernel.name;
  }
  EXPECT_EQ(kernels, 5u);
  EXPECT_EQ(both.code.functions.size(), kernels);
}

TEST(CubinModule, has_the_variables_with_what_they_hold) {
  const Both both;
  size_t variables = 0;
  for (const ptx::Variable& variable : both.ptx.variables) {
    const auto same = std::ranges::find(both.code.variables, variable.name, &ptx::Variable::name);
    ASSERT_NE(same, both.code.variables.end()) << variable.name;
    ++variables;
    EXPECT_EQ(same->space, variable.space) << variable.name;
    EXPECT_EQ(same->bytes, variable.bytes) << variable.name;
    std::vector<uint8_t> held = variable.init, known = same->init;
    held.resize(variable.bytes);
    known.resize(variable.bytes);
    EXPECT_EQ(known, held) << variable.name;
    ASSERT_EQ(same->relocations.size(), variable.relocations.size()) << variable.name;
    for (size_t i = 0; i < variable.relocations.size(); ++i) {
      EXPECT_EQ(same->relocations[i].offset, variable.relocations[i].offset);
      EXPECT_EQ(same->relocations[i].symbol, variable.relocations[i].symbol);
      EXPECT_EQ(same->relocations[i].addend, variable.relocations[i].addend);
      EXPECT_EQ(same->relocations[i].generic, variable.relocations[i].generic);
    }
  }
  EXPECT_GE(variables, 6u);
}

TEST(CubinModule, of_a_damaged_file_is_an_error_or_a_module) {
  const std::string whole = contents("interface.cubin");
  EXPECT_THROW(module_of(""), Error);
  EXPECT_THROW(module_of(contents("interface.ptx")), Error);
  for (size_t bytes = 0; bytes < whole.size(); bytes += 97) {
    try {
      module_of(whole.substr(0, bytes));
    } catch (const Error&) {
    }
  }
  for (size_t at = 0; at < whole.size(); at += 13) {
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0xff);
    try {
      module_of(damaged);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace headroom
