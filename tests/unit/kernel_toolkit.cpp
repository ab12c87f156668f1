// Where the toolkit is looked for, in folders made up here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/installation.h"
#include "kernel/assembler.h"
#include "kernel/toolkit.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

class Toolkits : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(root_);
    for (const char* name : {"HEADROOM_TOOLKIT", "CUDA_HOME", "CUDA_PATH"}) unsetenv(name);
    setenv("PATH", (root_ / "env/bin").c_str(), 1);
  }
  void TearDown() override {
    SetUp();
    setenv("PATH", path_.c_str(), 1);
  }
  std::string ptxas(const char* folder, const char* version) {
    const fs::path tool = root_ / folder / "ptxas";
    fs::create_directories(tool.parent_path());
    std::ofstream(tool) << "#!/bin/sh\necho 'Cuda compilation tools, release x, V" << version
                        << "'\n";
    fs::permissions(tool, fs::perms::owner_all);
    return tool.string();
  }
  size_t place_of(const std::string& bin) {
    const std::vector<Toolkit> all = toolkits();
    return size_t(std::ranges::find(all, bin, &Toolkit::bin) - all.begin());
  }
  const std::string path_ = getenv("PATH");
  const fs::path root_ = fs::weakly_canonical(fs::path(testing::TempDir()) / "headroom_toolkits");
};

TEST_F(Toolkits, cuda_home_comes_before_path_and_that_before_the_packages_of_its_python) {
  setenv("CUDA_HOME", "/opt/cuda-13.1", 1);
  const std::string packages = "env/lib/python3.12/site-packages/nvidia/cu13/bin";
  ptxas(packages.c_str(), "13.2.1");
  EXPECT_EQ(place_of("/opt/cuda-13.1/bin"), 0u);
  EXPECT_EQ(place_of((root_ / "env/bin").string()), 1u);
  const std::vector<Toolkit> all = toolkits();
  EXPECT_TRUE(all.back().is_package);
  EXPECT_TRUE(fs::equivalent(all.back().bin, root_ / packages));
}

TEST_F(Toolkits, packages_beside_headroom_itself_are_looked_at) {
  EXPECT_LT(place_of((installation().parent_path() / "nvidia/cu13/bin").string()),
            toolkits().size());
}

TEST_F(Toolkits, the_one_that_is_asked_for_hides_all_others) {
  ptxas("env/bin", "13.0.88");
  setenv("CUDA_HOME", "/usr/local/cuda", 1);
  setenv("HEADROOM_TOOLKIT", "none", 1);
  EXPECT_EQ(toolkits().size(), 1u);
  EXPECT_EQ(find_tool("ptxas"), "");
  std::vector<Caveat> caveats;
  EXPECT_EQ(assembler(caveats), nullptr);
  EXPECT_EQ(caveats.at(0).cause, "ptxas was not found");
}

TEST_F(Toolkits, an_old_one_that_is_found_first_is_passed_over) {
  const std::string old = ptxas("old/bin", "12.4.131"), fresh = ptxas("env/bin", "13.0.88");
  setenv("CUDA_HOME", (root_ / "old").c_str(), 1);
  std::vector<Caveat> caveats;
  EXPECT_EQ(find_tool("ptxas"), old);
  EXPECT_EQ(assembler(caveats)->path, fresh);
  EXPECT_EQ(assembler(caveats)->version, "13.0.88");
}

TEST_F(Toolkits, libraries_lie_beside_the_programs) {
  ptxas("env/bin", "13.0.88");
  fs::create_directories(root_ / "env/lib");
  std::ofstream(root_ / "env/lib/libcudadevrt.a") << "x";
  const std::string library = (root_ / "env/lib/libcudadevrt.a").string();
  EXPECT_EQ(toolkit_library((root_ / "env/bin/ptxas").string(), "libcudadevrt.a"), library);
  EXPECT_EQ(find_toolkit_libraries("libcudadevrt.a").at(0), library);
  EXPECT_EQ(toolkit_library((root_ / "env/bin/ptxas").string(), "libcudart_static.a"), "");
}

// A Python that is called by its path is not on PATH, and its packages bring the toolkit they were built with.
TEST_F(Toolkits, a_library_of_a_python_package_is_answered_from_the_packages_beside_it_first) {
  const fs::path packages = root_ / "other/lib/python3.12/site-packages";
  fs::create_directories(packages / "nvidia/cu13/lib");
  const std::string archive = (packages / "nvidia/cu13/lib/libcudart_static.a").string();
  std::ofstream(archive) << "x";
  const std::string library = (packages / "cuda/bindings/runtime.so").string();
  EXPECT_EQ(find_toolkit_libraries("libcudart_static.a", library).at(0), archive);
  EXPECT_NE(find_toolkit_libraries("libcudart_static.a", "/usr/bin/python3"),
            find_toolkit_libraries("libcudart_static.a", library));
  setenv("HEADROOM_TOOLKIT", "none", 1);
  EXPECT_TRUE(find_toolkit_libraries("libcudart_static.a", library).empty());
}

}  // namespace
}  // namespace headroom
