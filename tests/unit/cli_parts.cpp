// Parts of the command line that need no program: output files, kernel patterns, the program's
// environment and end.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/read_file.h"
#include "cli/kernel_pattern.h"
#include "cli/output_file.h"
#include "cli/terminal.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "headroom_test.XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  size_t files() const { return size_t(std::distance(fs::directory_iterator(path), {})); }
};

TEST(Terminal, a_pipe_is_as_wide_as_columns_says) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto columns = [&](const char* given) {
    given ? setenv("COLUMNS", given, 1) : unsetenv("COLUMNS");
    return terminal_style(ends[1]).columns;
  };
  EXPECT_EQ(columns("80"), 80u);
  EXPECT_EQ(columns("10"), 60u) << "no report is narrower";
  for (const char* given : {"", "0", "wide", "80x", "99999999999999999999"})
    EXPECT_EQ(columns(given), 100u) << given;
  EXPECT_EQ(columns(nullptr), 100u);
  close(ends[0]);
  close(ends[1]);
}

TEST(OutputFile, appears_whole_or_not_at_all) {
  Folder folder;
  const fs::path path = folder.path / "out.json";
  { OutputFile unwritten(path, "--json"); }
  EXPECT_EQ(folder.files(), 0u);
  {
    OutputFile file(path, "--json");
    EXPECT_FALSE(fs::exists(path));
    file.write("{}\n");
  }
  EXPECT_EQ(load_file(path), "{}\n");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(OutputFile, leaves_nothing_whatever_ends_us) {
  const Folder folder;
  const int can = open(folder.path.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (can < 0) GTEST_SKIP() << "no files without a name here";
  close(can);
  const pid_t child = fork();
  if (child == 0) {
    OutputFile file(folder.path / "out", "--json");
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(OutputFile, keeps_what_was_there_until_it_is_written_and_follows_links) {
  Folder folder;
  std::ofstream(folder.path / "old") << "old";
  fs::create_symlink("old", folder.path / "link");
  {
    OutputFile file(folder.path / "link", "--json");
    EXPECT_EQ(load_file(folder.path / "old"), "old");
    file.write("new");
  }
  EXPECT_EQ(load_file(folder.path / "old"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path / "link"));
}

TEST(OutputFile, a_path_that_cannot_be_written_is_an_error_at_once) {
  Folder folder;
  EXPECT_THROW(OutputFile(folder.path / "no" / "out", "--json"), Error);
  EXPECT_THROW(OutputFile(folder.path, "--json"), Error);
}

TEST(OutputFile, a_json_that_cannot_be_written_leaves_the_report) {
  Folder folder;
  const fs::path path = folder.path / "report.txt";
  {
    const auto code_after = [&](int program) {
      OutputFile json("/dev/full", "--json"), report(path, "--report");
      try {
        write_both(json, "{}", report, "text", {.exit_code = program});
      } catch (const Error& error) {
        return error.exit_code;
      }
      return 0;
    };
    EXPECT_EQ(code_after(0), 125);
    EXPECT_EQ(code_after(3), 3) << "the program's own";
  }
  EXPECT_EQ(load_file(path), "text");
}

TEST(OutputFile, json_and_report_go_to_different_places) {
  Folder folder;
  const std::string file = folder.path / "out", other = folder.path / "." / "out";
  const auto refuse = [](const std::string& json, const std::string& report) {
    refuse_one_place({{"--json", json}, {"--report", report}});
  };
  EXPECT_THROW(refuse("-", "-"), Error);
  EXPECT_THROW(refuse(file, file), Error);
  EXPECT_THROW(refuse(file, other), Error);
  EXPECT_NO_THROW(refuse("", ""));
  EXPECT_NO_THROW(refuse("-", file));
  EXPECT_NO_THROW(refuse("/dev/null", "/dev/null"));
}

TEST(ReadFile, tells_why_it_cannot_or_gives_nothing) {
  const Folder folder;
  const std::string missing = folder.path / "missing", whole = folder.path / "whole";
  const auto complaint = [](const std::string& path, const std::string& where, size_t limit = 100) {
    try {
      return load_file(path, "a hint", where, limit);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(complaint(missing, ""),
            Error(missing, "cannot be read: No such file or directory", "a hint").what());
  EXPECT_EQ(complaint(folder.path, "--in x"),
            std::string(Error("--in x", "is a folder", "a hint").what()));
  EXPECT_EQ(read_file(missing), std::nullopt);
  EXPECT_EQ(read_file(folder.path), std::nullopt);
  const std::string text("a\0\r\n", 4);
  std::ofstream(whole, std::ios::binary) << text;
  EXPECT_EQ(complaint(whole, ""), text);
  EXPECT_EQ(read_file(whole), text);
  EXPECT_THROW(load_file("/dev/zero", "", "", 1 << 20), Error);
  EXPECT_THROW(read_file("/dev/zero", 1 << 20), Error);
}

TEST(KernelPattern, names_the_character_where_it_goes_wrong) {
  const auto complaint = [](const char* text) {
    try {
      KernelPattern{text};
    } catch (const Error& error) {
      return error.problem;
    }
    return std::string("none");
  };
  EXPECT_EQ(complaint("a(b)c(d"),
            "not a regular expression: '(' at character 6 has no meaning there");
  EXPECT_EQ(complaint("*"), "not a regular expression: '*' at character 1 has no meaning there");
  EXPECT_EQ(complaint("scan.*<int>"), "none");
}

TEST(KernelPattern, finds_a_name_as_the_program_has_it_and_as_the_tables_show_it) {
  const std::string name = "void ns::transpose<0>(float const*)";
  for (const char* text : {"^transpose<0>$", "^transpose$", "^ns::transpose", "^void", "float"})
    EXPECT_TRUE(KernelPattern(text).matches(name)) << text;
  EXPECT_FALSE(KernelPattern("^pose").matches(name));
}

TEST(KernelPattern, a_very_long_name_is_searched_from_its_beginning) {
  const std::string name = "begin<" + std::string(80'000, 'a') + ">";
  EXPECT_TRUE(KernelPattern("^begin").matches(name));
  EXPECT_FALSE(KernelPattern(".*z").matches(name));
}

}  // namespace
}  // namespace headroom
