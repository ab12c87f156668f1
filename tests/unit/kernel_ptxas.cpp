// Resources: ptxas as a child that the program does not notice, its cache, and cubins that must say
// the same.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/read_file.h"
#include "kernel/cache.h"
#include "kernel/child.h"
#include "kernel/kernel.h"
#include "kernel/ptxas_report.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;
const std::string fixtures = FIXTURES;
const std::string saxpy = "_Z5saxpyIfEviT_PKS0_PS0_", indexed = "_Z7indexedPii",
                  crowded = "_Z7crowdedPf";

// Every test has a cache of its own.
class Ptxas : public testing::Test {
 protected:
  void SetUp() override {
    cache = fs::temp_directory_path() / ("headroom-test-" + std::to_string(getpid()));
    setenv("HEADROOM_CACHE", cache.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(cache); }
  // Of the two files of an answer, resources and machine code, those of resources: JSON.
  std::vector<fs::path> cached_resources() const {
    std::vector<fs::path> found;
    if (!fs::exists(cache)) return found;
    for (const auto& each : fs::directory_iterator(cache))
      if (load_file(each.path()).starts_with("{")) found.push_back(each.path());
    return found;
  }
  int cached_files() const { return int(cached_resources().size()); }
  std::map<std::string, Resources> resources(int cc, const std::string& options = "") {
    return ptxas_resources(text, cc, caveats, options);
  }
  fs::path cache;
  std::string text = load_file(fixtures + "/three.ptx");
  std::vector<Caveat> caveats;
};

TEST_F(Ptxas, tells_registers_shared_memory_stack_and_spills) {
  const auto kernels = resources(90);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_TRUE(caveats.empty());
  const Resources& plain = kernels.at(saxpy);
  EXPECT_GT(*plain.registers, 7);
  EXPECT_LT(*plain.registers, 33);
  EXPECT_EQ(plain.static_shared, 256);
  EXPECT_EQ(plain.stack, 0);
  EXPECT_EQ(plain.spill_stores, 0);
  EXPECT_EQ(kernels.at(indexed).stack, 400);
  EXPECT_EQ(kernels.at(indexed).static_shared, 0);
  EXPECT_LE(*kernels.at(crowded).registers, 64);
  EXPECT_GT(*kernels.at(crowded).spill_loads, 0);
  EXPECT_TRUE(plain.from.starts_with("ptxas 1") && plain.from.ends_with("-arch=sm_90"))
      << plain.from;
}

TEST_F(Ptxas, agrees_with_the_notes_in_machine_code) {
  for (const int cc : {75, 80, 90, 120}) {
    std::string older = text;
    older.replace(older.find("sm_80"), 5, "sm_75");
    const auto told = ptxas_resources(older, cc, caveats);
    const std::string cubin = load_file(fixtures + "/sm_" + std::to_string(cc) + ".cubin");
    const auto noted = cubin_resources(std::as_bytes(std::span(cubin)), "cubin");
    ASSERT_EQ(noted.size(), 3u) << cc;
    for (const auto& [name, resources] : told) {
      EXPECT_EQ(noted.at(name).registers, resources.registers) << name << cc;
      EXPECT_EQ(noted.at(name).static_shared, resources.static_shared) << name << cc;
      EXPECT_EQ(noted.at(name).stack, resources.stack) << name << cc;
      if (resources.constant) {
        EXPECT_EQ(noted.at(name).constant, resources.constant) << name << cc;
      }
    }
  }
}

// Loads from shared memory, `apart` bytes from one another.
std::string four_shared_loads(int apart) {
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 to) {\n"
      ".reg .b64 %p; .reg .b32 %s, %t; .reg .f32 %a, %b, %sum;\n"
      ".shared .align 16 .b8 tile[256];\nld.param.u64 %p, [to]; mov.u32 %s, tile;\n"
      "mov.u32 %t, %tid.x; cvt.rn.f32.u32 %sum, %t; st.shared.f32 [%s], %sum; bar.sync 0;\n";
  for (int i = 0; i < 4; ++i)
    text += "ld.shared.f32 %a, [%s+" + std::to_string(i * apart) + "]; add.f32 %sum, %sum, %a;\n";
  return text + "st.global.f32 [%p], %sum; ret; }\n";
}

TEST_F(Ptxas, accesses_that_the_assembler_joins_are_not_kept) {
  for (const int cc : {75, 80, 90, 100, 120}) {
    std::string older = four_shared_loads(4);
    older.replace(older.find("sm_80"), 5, "sm_75");
    EXPECT_EQ(ptxas_resources(older, cc, caveats).at("k").accesses_kept, false) << cc;
  }
  EXPECT_EQ(ptxas_resources(four_shared_loads(20), 90, caveats).at("k").accesses_kept, true);
  EXPECT_EQ(resources(90).at(saxpy).accesses_kept, true);
}

TEST_F(Ptxas, whether_accesses_are_kept_stays_in_the_cache) {
  EXPECT_EQ(ptxas_resources(four_shared_loads(4), 90, caveats).at("k").accesses_kept, false);
  EXPECT_EQ(cached_files(), 1);
  EXPECT_EQ(ptxas_resources(four_shared_loads(4), 90, caveats).at("k").accesses_kept, false);
}

TEST_F(Ptxas, options_of_the_image_count_and_paths_in_them_do_not) {
  const auto limited = resources(90, " -maxrregcount=40 -o /tmp/never --generate-line-info ");
  EXPECT_LE(*limited.at(indexed).registers, 40);
  EXPECT_GT(*resources(90).at(indexed).registers, 40);
  EXPECT_NE(limited.at(indexed).from.find("-maxrregcount=40"), std::string::npos);
  EXPECT_EQ(limited.at(indexed).from.find("never"), std::string::npos);
}

TEST_F(Ptxas, unknown_architectures_take_the_nearest_and_say_so) {
  std::string old = text;
  old.replace(old.find("sm_80"), 5, "sm_52");
  const auto kernels = ptxas_resources(old, 20, caveats);
  ASSERT_EQ(kernels.size(), 3u);
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].what.find("not of sm_20"), std::string::npos) << caveats[0].what;
  EXPECT_NE(kernels.at(saxpy).from.find("-maxrregcount=63"), std::string::npos);
  for (const auto& [name, resources] : kernels) {
    ASSERT_EQ(resources.caveats.size(), 1u) << name;
    EXPECT_EQ(resources.caveats[0].what, caveats[0].what) << name;
  }
  EXPECT_EQ(ptxas_resources(old, 20, caveats).at(saxpy).caveats.size(), 1u) << "from the cache";
}

TEST_F(Ptxas, launch_bounds_are_told_by_text_and_by_machine_code) {
  EXPECT_EQ(resources(90).at(crowded).max_threads, 1024);
  EXPECT_EQ(resources(90).at(crowded).max_threads, 1024) << "from the cache";
  EXPECT_EQ(resources(90).at(saxpy).max_threads, std::nullopt);
  for (const int cc : {75, 80, 90, 120}) {
    const std::string cubin = load_file(fixtures + "/sm_" + std::to_string(cc) + ".cubin");
    const auto noted = cubin_resources(std::as_bytes(std::span(cubin)), "cubin");
    EXPECT_EQ(noted.at(crowded).max_threads, 1024) << cc;
    EXPECT_EQ(noted.at(saxpy).max_threads, std::nullopt) << cc;
  }
}

TEST_F(Ptxas, text_for_a_newer_machine_is_assembled_for_its_own_target) {
  ASSERT_EQ(resources(75).size(), 3u);
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].what.find("sm_80"), std::string::npos);
}

TEST_F(Ptxas, architecture_specific_text_needs_its_own_target) {
  text = load_file(fixtures + "/specific.ptx");
  EXPECT_TRUE(resources(90).at(saxpy).from.ends_with("sm_90a"));
  EXPECT_TRUE(caveats.empty());
  EXPECT_EQ(resources(100).size(), 3u);
  EXPECT_EQ(caveats.size(), 1u);
}

TEST_F(Ptxas, refused_text_is_a_caveat_with_the_reason) {
  text = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense; }\n";
  EXPECT_TRUE(resources(90).empty());
  ASSERT_EQ(caveats.size(), 1u);
  EXPECT_NE(caveats[0].cause.find("refused the PTX"), std::string::npos) << caveats[0].cause;
  EXPECT_EQ(caveats[0].advice, "is the PTX whole, as a compiler wrote it?");
  text.replace(9, 3, "99.0");
  EXPECT_TRUE(resources(90).empty());
  ASSERT_EQ(caveats.size(), 2u);
  EXPECT_EQ(caveats[1].advice, "install a toolkit at least as new as the one that wrote the PTX");
}

TEST_F(Ptxas, a_second_question_is_answered_from_the_cache) {
  const auto first = resources(90);
  EXPECT_EQ(cached_files(), 1);
  const fs::path file = cached_resources().at(0);
  std::string kept = load_file(file);
  const size_t at = kept.find("\"static_shared\":256");
  ASSERT_NE(at, std::string::npos) << kept;
  kept.replace(at, 19, "\"static_shared\":123");
  std::ofstream(file) << kept;
  EXPECT_EQ(resources(90).at(saxpy).static_shared, 123);
  resources(80);
  EXPECT_EQ(cached_files(), 2);
}

TEST_F(Ptxas, a_damaged_cache_is_computed_again) {
  resources(90);
  const fs::path file = cached_resources().at(0);
  const std::string whole = load_file(file);
  for (size_t length : {size_t{0}, size_t{1}, whole.size() / 2}) {
    std::ofstream(file) << whole.substr(0, length);
    EXPECT_EQ(resources(90).size(), 3u);
    EXPECT_EQ(load_file(file), whole);
  }
  setenv("HEADROOM_CACHE", "/proc/nowhere", 1);
  EXPECT_EQ(resources(90).size(), 3u);
}

TEST_F(Ptxas, machine_code_is_kept_and_damaged_code_made_again) {
  const std::vector<std::byte> code = ptxas_code(text, 90, caveats);
  ASSERT_FALSE(code.empty());
  const fs::path file = fs::directory_iterator(cache)->path();
  const std::string whole = load_file(file);
  for (size_t length : {size_t{0}, size_t{20}, whole.size() - 1}) {
    std::ofstream(file) << whole.substr(0, length);
    EXPECT_EQ(ptxas_code(text, 90, caveats), code) << length;
    EXPECT_EQ(load_file(file), whole) << length;
  }
}

TEST_F(Ptxas, several_threads_and_processes_may_ask_at_once) {
  std::atomic<int> whole{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::vector<Caveat> own;
      whole += ptxas_resources(text, 90, own).size() == 3;
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<pid_t> processes;
  for (int i = 0; i < 3; ++i) {
    processes.push_back(fork());
    if (processes.back() == 0) {
      std::vector<Caveat> own;
      _exit(ptxas_resources(text, 86, own).size() == 3 ? 0 : 1);
    }
  }
  for (const pid_t process : processes) {
    int status = 1;
    waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(whole, 4);
  EXPECT_EQ(cached_files(), 2);
}

TEST(PtxasReport, tells_apart_kernels_and_the_functions_they_call) {
  const auto kernels = read_ptxas_report(
      "ptxas info    : Compiling entry function 'rec' for 'sm_90'\n"
      "ptxas info    : Function properties for rec\n"
      "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 0 barriers\n"
      "ptxas info    : Function properties for callee\n"
      "    24 bytes stack frame, 20 bytes spill stores, 20 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'deep' for 'sm_90'\n"
      "ptxas info    : Function properties for deep\n"
      "    40 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 20 registers, used 0 barriers, 64 bytes cumulative stack size, 16 "
      "bytes smem, 380 bytes cmem[0]\n"
      "ptxas info    : Function properties for callee\n"
      "    24 bytes stack frame, 20 bytes spill stores, 20 bytes spill loads");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels.at("rec").stack, 8);
  EXPECT_EQ(kernels.at("rec").caveats.size(), 1u);
  const Resources& deep = kernels.at("deep");
  EXPECT_EQ(deep.registers, 20);
  EXPECT_EQ(deep.stack, 64);
  EXPECT_EQ(deep.spill_stores, 4);
  EXPECT_EQ(deep.spill_loads, 8);
  EXPECT_EQ(deep.static_shared, 16);
  EXPECT_EQ(deep.constant, 380);
  EXPECT_TRUE(deep.caveats.empty());
}

TEST(PtxasReport, other_texts_give_nothing) {
  EXPECT_TRUE(read_ptxas_report("").empty());
  EXPECT_TRUE(read_ptxas_report("Used 3 registers\n 4 bytes stack frame\n").empty());
  EXPECT_EQ(read_ptxas_version("hello"), "");
  EXPECT_TRUE(read_ptxas_architectures("'sm_' 'sm_x'").empty());
  EXPECT_EQ(ptxas_complaint("a\nptxas fatal : b\n"), "ptxas fatal : b");
  EXPECT_EQ(ptxas_complaint(""), "it gave no reason");
}

TEST(Child, its_end_is_the_programs_business_in_no_way) {
  static volatile sig_atomic_t signals = 0;
  signal(SIGCHLD, [](int) { signals = signals + 1; });
  EXPECT_EQ(run_child("/bin/sh", {"-c", "exit 3"}, "")->exit_code, 3);
  EXPECT_EQ(signals, 0);
  EXPECT_EQ(wait(nullptr), -1);
  signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run_child("/bin/sh", {"-c", "exit 4"}, "")->exit_code, 4);
  signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(run_child("/bin/sh", {"-c", "kill -9 $$"}, "")->exit_code, 128 + 9);
}

TEST(Child, sees_neither_the_preloaded_library_nor_open_files) {
  setenv("LD_PRELOAD", "", 1);
  const int open_file = dup(0);
  const auto output =
      run_child("/bin/sh", {"-c", "cat; echo ${LD_PRELOAD-none}; ls /proc/self/fd"}, "input ");
  close(open_file);
  unsetenv("LD_PRELOAD");
  EXPECT_EQ(output->text, "input none\n0\n1\n2\n3\n");  // 3 is the folder that ls reads
}

TEST(Child, large_input_and_output_pass_and_a_missing_tool_is_nothing) {
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(run_child("/bin/cat", {}, large)->text, large);
  EXPECT_FALSE(run_child("/nowhere/tool", {}, ""));
  EXPECT_EQ(run_child("/bin/sleep", {"60"}, "", 1)->exit_code, 128 + SIGALRM);
}

TEST(Child, works_in_a_program_that_closed_its_standard_files) {
  const pid_t child = fork();
  if (child == 0) {
    for (int file : {0, 1, 2}) close(file);
    const auto output = run_child("/bin/echo", {"heard"}, "");
    _exit(output && output->text == "heard\n" ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace headroom
