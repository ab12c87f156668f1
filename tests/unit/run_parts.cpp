// Parts of a run that need no CUDA program: the folder of records, processes and their ends.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "record/writer.h"
#include "run/frameworks.h"
#include "run/process.h"
#include "run/record_folder.h"
#include "run/signals.h"
#include "run/standard_streams.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

TEST(RecordFolder, goes_with_its_owner) {
  std::string prefix;
  {
    RecordFolder folder;
    prefix = folder.prefix();
    std::ofstream(prefix + ".1.jsonl") << "";
    EXPECT_TRUE(folder.read(1).empty()) << "a process that only opened its file recorded nothing";
    EXPECT_TRUE(fs::exists(prefix + ".1.jsonl"));
  }
  EXPECT_FALSE(fs::exists(fs::path(prefix).parent_path()));
}

TEST(RecordFolder, the_program_comes_before_its_children) {
  RecordFolder folder;
  for (int process : {7, 12, 5})
    std::ofstream(folder.prefix() + "." + std::to_string(process) + ".jsonl")
        << RecordWriter::header({.program = {"./app"}, .process = process, .machine = "h200"});
  std::vector<int> order;
  for (const Record& record : folder.read(12)) order.push_back(record.process);
  EXPECT_EQ(order, (std::vector<int>{12, 5, 7}));
}

TEST(RecordFolder, a_process_that_became_another_program_keeps_its_first_record) {
  RecordFolder folder;
  const auto write = [&](const char* name, const char* program) {
    std::ofstream(folder.prefix() + name)
        << RecordWriter::header({.program = {program}, .process = 12, .machine = "h200"});
  };
  write(".12.1.jsonl", "second");
  write(".12.jsonl", "first");
  const std::vector<Record> records = folder.read(12);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].program[0], "first");
  EXPECT_EQ(records[1].program[0], "second");
}

TEST(RecordFolder, a_record_without_room_is_an_incomplete_one) {
  RecordFolder folder;
  std::ofstream(folder.prefix() + ".12.incomplete.jsonl") << "";
  ASSERT_EQ(folder.read(12).size(), 1u);
  EXPECT_TRUE(folder.read(12)[0].incomplete);
}

TEST(RecordFolder, a_record_without_a_line_is_none) {
  RecordFolder folder;
  std::ofstream(folder.prefix() + ".12.jsonl") << "";
  std::ofstream(folder.prefix() + ".13.jsonl") << std::string(4096, '\0');
  EXPECT_EQ(folder.read(12).size(), 0u);
}

TEST(Frameworks, caches_are_in_our_folder_unless_the_user_says_where) {
  setenv("HEADROOM_CACHE", "/tmp/some", 1);
  std::vector<std::string> environment{"CUPY_CACHE_DIR=/home/me", "NUMBA_CACHE_DIR="};
  add_frameworks(environment, "/opt/lib/headroom/libcuda.so.1");
  unsetenv("HEADROOM_CACHE");
  const auto has = [&](const char* line) { return std::ranges::count(environment, line) == 1; };
  EXPECT_TRUE(has("TRITON_CACHE_DIR=/tmp/some/frameworks/triton"));
  EXPECT_TRUE(has("TRITON_LIBCUDA_PATH=/opt/lib/headroom"));
  EXPECT_TRUE(has("CUPY_CACHE_DIR=/home/me"));
  EXPECT_TRUE(has("NUMBA_CACHE_DIR=")) << "set to nothing is set";
}

TEST(Process, its_exit_code_and_its_signal_come_back) {
  const auto end_of = [](const char* script) {
    return run_process({"/bin/sh", {"sh", "-c", script}, {}});
  };
  EXPECT_EQ(end_of("exit 7").exit_code, 7);
  const ProgramEnd killed = end_of("kill -KILL $$");
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
}

TEST(Process, a_pipe_without_a_reader_ends_it_although_it_does_not_end_us) {
  guard_standard_streams();
  const ProgramEnd end = run_process({"/bin/sh", {"sh", "-c", "kill -PIPE $$"}, {}});
  EXPECT_EQ(end.signal, SIGPIPE);
}

TEST(Process, a_file_that_cannot_be_executed_is_126) {
  try {
    run_process({"/etc/passwd", {"passwd"}, {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code, 126);
  }
}

TEST(Process, output_is_read_line_by_line) {
  std::string lines;
  const ProcessEnd end =
      run_process({"/bin/sh",
                   {"sh", "-c", "echo one; echo two >&2; echo three; read nothing"},
                   {},
                   Output::read},
                  {.line = [&](const std::string& line) { lines += line + "|"; }});
  EXPECT_EQ(end.output, "one\nthree\n");
  EXPECT_EQ(lines, "one|three|");
  EXPECT_EQ(run_process({"/bin/sh", {"sh", "-c", "echo two >&2"}, {}, Output::read_both}).output,
            "two\n");
}

TEST(Process, past_its_limit_it_is_ended_with_what_it_started) {
  const ProcessEnd end =
      run_process({"/bin/sh", {"sh", "-c", "sleep 60; echo late"}, our_environment(), Output::read},
                  {.limit = 0.2});
  EXPECT_TRUE(end.too_long);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_LT(end.seconds, 30);
}

TEST(Process, a_signal_that_asks_us_to_stop_ends_it) {
  const SignalWatch watch(OnSignal::stop);
  const ProcessEnd end = run_process(
      {"/bin/sh", {"sh", "-c", "kill -INT $PPID; sleep 60"}, our_environment(), Output::read});
  EXPECT_EQ(end.stopped_by, SIGINT);
  EXPECT_LT(end.seconds, 30);
}

TEST(Process, a_signal_that_came_before_the_program_goes_on_to_it) {
  const SignalWatch watch(OnSignal::pass_on);
  raise(SIGTERM);
  const ProcessEnd end = run_process({"/bin/sleep", {"sleep", "60"}, our_environment()});
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_LT(end.seconds, 30);
}

}  // namespace
}  // namespace headroom
