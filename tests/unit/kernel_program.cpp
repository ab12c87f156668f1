// Every kind of program that the executor cannot serve is refused with one message that says what
// to do.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/read_file.h"
#include "kernel/program.h"

namespace headroom {
namespace {

const std::string fixtures = FIXTURES;

std::string made(const std::string& name, const std::string& content, mode_t mode) {
  const std::string path = fixtures + "/" + name;
  std::ofstream(path) << content;
  chmod(path.c_str(), mode);
  return path;
}

struct Verdict {
  int code = 0;
  std::string text;
};
Verdict verdict(const std::string& path) {
  const auto error = refusal(look_at_program(path));
  return error ? Verdict{error->exit_code, error->what()} : Verdict{};
}
#define EXPECT_REFUSED(path, code_, words, hint)                \
  do {                                                          \
    const Verdict v = verdict(path);                            \
    EXPECT_EQ(v.code, code_);                                   \
    EXPECT_NE(v.text.find(words), std::string::npos) << v.text; \
    EXPECT_NE(v.text.find(hint), std::string::npos) << v.text;  \
  } while (false)

TEST(Program, built_as_asked_is_let_through) {
  const ProgramFacts facts = look_at_program(fixtures + "/shared");
  EXPECT_TRUE(facts.elf && facts.dynamic_cudart_13 && facts.has_device_code);
  EXPECT_FALSE(facts.machine_code_only);
  EXPECT_EQ(facts.ptx_architectures, std::vector<std::string>{"sm_80"});
  EXPECT_EQ(facts.static_cudart, "");
  EXPECT_FALSE(refusal(facts));
  EXPECT_FALSE(refusal(look_at_program(fixtures + "/relocatable")));
  EXPECT_FALSE(refusal(look_at_program(fixtures + "/no_kernel")));
  EXPECT_FALSE(refusal(look_at_program(fixtures + "/device_runtime")));
}

TEST(Program, with_a_static_runtime_is_let_through_stripped_or_not) {
  for (const char* name : {"/static", "/stripped"}) {
    const ProgramFacts facts = look_at_program(fixtures + name);
    EXPECT_EQ(facts.static_state, StaticRuntime::State::found) << name;
    EXPECT_EQ(facts.static_cudart, fixtures + name);
    EXPECT_FALSE(refusal(facts)) << name;
  }
}

TEST(Program, with_a_static_runtime_of_cuda_12_is_told_to_rebuild) {
  EXPECT_REFUSED(fixtures + "/static_older", 125, "of CUDA 12 or older", "rebuild it with CUDA 13");
}

TEST(Program, stripped_with_another_runtime_than_the_toolkit_has_is_told_to_keep_its_symbols) {
  EXPECT_REFUSED(fixtures + "/static_unknown", 125, "stripped of symbols", "no strip");
}

TEST(Program, of_an_older_release_is_told_to_rebuild) {
  EXPECT_REFUSED(fixtures + "/older", 125, "libcudart.so.12", "CUDA 13");
}

TEST(Program, whose_library_asks_for_an_older_release_names_that_library) {
  EXPECT_REFUSED(fixtures + "/through", 125, "needed by " + fixtures + "/libmiddle.so", "CUDA 13");
}

TEST(Program, that_needs_cublas_is_told_why_it_cannot_run) {
  EXPECT_REFUSED(fixtures + "/blas", 125, "needs libcublas.so.13", "headroom run --gpu 0");
  EXPECT_FALSE(refusal(look_at_program(fixtures + "/driver")));
}

TEST(Program, that_is_the_loader_is_told_to_name_what_it_loads) {
  const auto error = refusal(look_at_program("/lib64/ld-linux-x86-64.so.2"), 90);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->hint, "give the program itself: headroom run -- ./app");
}

TEST(Program, libraries_that_are_called_like_those_of_nvidia_are_not) {
  for (const char* name :
       {"libcublas.so.13", "/x/libcudnn_ops.so.9", "libnppial.so.13", "libnccl.so"})
    EXPECT_TRUE(is_nvidia_library(name)) << name;
  for (const char* name :
       {"libnppWrapper.so", "libcudnnlike.so", "libcutensor2python.so", "libcublas_"})
    EXPECT_FALSE(is_nvidia_library(name)) << name;
}

TEST(Program, with_machine_code_only_is_told_to_add_ptx) {
  EXPECT_REFUSED(fixtures + "/machine_code", 125, "machine code only", "code=compute_80");
  const ProgramFacts facts = look_at_program(fixtures + "/machine_code");
  EXPECT_EQ(facts.machine_code, std::vector<int>{80});
  EXPECT_FALSE(refusal(facts, 80)) << "a machine that runs it";
  EXPECT_TRUE(refusal(facts, 90));
}

TEST(Program, without_cuda_is_told_so_unless_it_may_start_one) {
  EXPECT_REFUSED(fixtures + "/plain", 125, "no CUDA in it", "nvcc");
  EXPECT_FALSE(refusal(look_at_program("/usr/bin/env")));
  EXPECT_FALSE(refusal(look_at_program("/bin/sh")));
  EXPECT_FALSE(refusal(look_at_program(made("script", "#!/bin/sh\nexec ./shared\n", 0755))));
}

TEST(Program, that_is_missing_or_no_program_gets_the_codes_of_env) {
  EXPECT_REFUSED(fixtures + "/missing", 127, "no such program", "path");
  EXPECT_REFUSED("", 127, "no such program", "path");
  EXPECT_REFUSED(fixtures, 126, "is a folder", "inside it");
  EXPECT_REFUSED(made("vadd.cu", "int main() {}\n", 0644), 126, "is CUDA source, not a program",
                 "nvcc -o vadd ");
  EXPECT_REFUSED(made("train.py", "import torch\n", 0644), 126, "is a Python script",
                 "headroom run -- python ");
  EXPECT_FALSE(refusal_to_start(look_at_program(made("run.py", "#!/usr/bin/python3\n", 0755))));
  EXPECT_REFUSED(fixtures + "/none.py", 127, "no such program", "");
  EXPECT_REFUSED(fixtures + "/none.cu", 127, "no such program", "");
  EXPECT_REFUSED(made("closed", "#!/bin/sh\n", 0644), 126, "is not executable", "chmod +x");
  EXPECT_REFUSED(made("text", "hello\n", 0755), 126, "neither a program", "nvcc");
  EXPECT_REFUSED(made("empty", "", 0755), 126, "neither a program", "nvcc");
}

TEST(Program, is_found_through_path_as_a_shell_does) {
  EXPECT_EQ(find_program("./app"), "./app");
  EXPECT_EQ(find_program("no-such-program-anywhere"), "no-such-program-anywhere");
  EXPECT_TRUE(find_program("env").ends_with("/env"));
}

TEST(Program, that_is_damaged_is_refused_and_never_crashes_the_look) {
  const std::string whole = load_file(fixtures + "/shared");
  for (size_t length = 4; length < whole.size(); length += 997)
    EXPECT_REFUSED(made("damaged", whole.substr(0, length), 0755), 126, "is damaged: truncated",
                   "again");
}

}  // namespace
}  // namespace headroom
