// The file of a record (device/record_file.h): its lines are there at once and stay, whatever the program does to it.
#include "device/record_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace headroom::device {
namespace {

namespace fs = std::filesystem;

struct Records : testing::Test {
  fs::path folder = fs::temp_directory_path() / ("record_file." + std::to_string(getpid()));
  std::string prefix = folder / "run";
  std::string path = folder / "run.7.jsonl";

  const std::string line_ = std::string(99, 'x') + "\n";

  void SetUp() override { fs::create_directory(folder); }
  void TearDown() override { fs::remove_all(folder); }

  static std::string text(const std::string& path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
  }
  // Without the zeros of room that no line has taken.
  static std::string lines(const std::string& path) {
    std::string all = text(path);
    return all.erase(all.find_last_not_of('\0') + 1);
  }
};

// Its exit code, of a process that ends without a word to its libraries.
int in_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(Records, lines_are_in_the_file_before_it_is_closed) {
  RecordFile file;
  ASSERT_TRUE(file.open(prefix, 7));
  EXPECT_TRUE(file.write("{\"a\":1}\n"));
  EXPECT_TRUE(file.write("{\"b\":2}\n"));
  EXPECT_EQ(lines(path), "{\"a\":1}\n{\"b\":2}\n");
  file.close();
  EXPECT_EQ(text(path), "{\"a\":1}\n{\"b\":2}\n");
  EXPECT_FALSE(file.write("{}\n"));
}

TEST_F(Records, a_process_that_is_killed_has_written_its_lines) {
  const int signal = in_child([&] {
    RecordFile file;
    file.open(prefix, 7);
    file.write("{\"a\":1}\n");
    raise(SIGKILL);
    return 0;
  });
  EXPECT_EQ(signal, 128 + SIGKILL);
  EXPECT_EQ(lines(path), "{\"a\":1}\n");
}

TEST_F(Records, grows_as_it_must) {
  RecordFile file;
  ASSERT_TRUE(file.open(prefix, 7));
  std::string all;
  for (int i = 0; i < 30'000; ++i) {
    const std::string line = std::string(size_t(i % 97), 'x') + std::to_string(i) + "\n";
    ASSERT_TRUE(file.write(line));
    all += line;
  }
  const std::string long_one = std::string(10 << 20, 'y') + "\n";
  ASSERT_TRUE(file.write(long_one));
  file.close();
  EXPECT_TRUE(text(path) == all + long_one);
}

TEST_F(Records, a_child_leaves_the_file_of_its_parent_alone) {
  RecordFile file;
  ASSERT_TRUE(file.open(prefix, 7));
  EXPECT_TRUE(file.write("{\"a\":1}\n"));
  EXPECT_EQ(in_child([&] {
              if (!file.open(prefix, 8) || !file.write("{\"child\":1}\n")) return 1;
              file.close();
              return 0;
            }),
            0);
  EXPECT_TRUE(file.write("{\"b\":2}\n"));
  file.close();
  EXPECT_EQ(text(path), "{\"a\":1}\n{\"b\":2}\n");
  EXPECT_EQ(text(folder / "run.8.jsonl"), "{\"child\":1}\n");
}

TEST_F(Records, the_same_process_a_second_time_has_another_file) {
  RecordFile first, second;
  ASSERT_TRUE(first.open(prefix, 7) && second.open(prefix, 7));
  EXPECT_EQ(second.path(), folder / "run.7.1.jsonl");
}

TEST_F(Records, a_number_that_the_program_took_is_left_to_it) {
  RecordFile file;
  ASSERT_TRUE(file.open(prefix, 7));
  EXPECT_TRUE(file.write("{\"a\":1}\n"));
  const std::string other = folder / "other";
  const int own = open(other.c_str(), O_RDWR | O_CREAT, 0644);
  for (int descriptor = STDERR_FILENO + 1; descriptor < 1024; ++descriptor)
    if (fs::exists("/proc/self/fd/" + std::to_string(descriptor)) &&
        fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor)) == path)
      dup2(own, descriptor);
  ASSERT_TRUE(file.write(std::string(200'000, 'x') + "\n"));
  file.close();
  EXPECT_EQ(text(path), "{\"a\":1}\n" + std::string(200'000, 'x') + "\n");
  EXPECT_EQ(fs::file_size(other), 0u);
  EXPECT_EQ(write(own, "x", 1), 1) << "its descriptor is open";
}

TEST_F(Records, without_pages_lines_are_written_one_by_one) {
  EXPECT_EQ(in_child([&] {
              RecordFile file;
              if (!file.open(prefix, 7) || !file.write("{}\n")) return 1;
              const rlimit little{1, 1};  // no more memory can be mapped
              setrlimit(RLIMIT_AS, &little);
              for (int i = 0; i < 2000; ++i)
                if (!file.write(line_)) return 2;
              file.close();
              return 0;
            }),
            0);
  EXPECT_EQ(fs::file_size(path), 3 + 2000 * line_.size());
}

TEST_F(Records, without_room_its_whole_lines_stay_under_another_name) {
  EXPECT_EQ(in_child([&] {  // no signal either: it would be 128 + SIGXFSZ
              const rlimit little{10'000, 10'000};
              setrlimit(RLIMIT_FSIZE, &little);
              RecordFile file;
              if (!file.open(prefix, 7)) return 1;
              for (int i = 0; i < 99; ++i)
                if (!file.write(std::string(99, 'x') + "\n")) return 2;
              if (file.write(std::string(199, 'x') + "\n")) return 3;
              return errno == EFBIG && !file.is_open() ? 0 : 4;
            }),
            0);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(fs::file_size(folder / "run.7.incomplete.jsonl"), 9'900u);
}

}  // namespace
}  // namespace headroom::device
