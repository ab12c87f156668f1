// What a process may do to the record's file, without meaning to.
//
//   descriptors FILE            closes its descriptors in turn, and writes a text to a file of its own
//   descriptors --alone PROGRAM becomes that program without LD_PRELOAD, before its first call
//   descriptors --exec PROGRAM  becomes that program after a launch
//   descriptors --launches N    launches one kernel N times
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "tests/programs/expect.cuh"

__global__ void store(int* to) { *to = 1; }

static int* memory;

static void launch() {
  store<<<1, 1>>>(memory);
  EXPECT_OK(cudaDeviceSynchronize());
}

// Every number below 4096, also one as high as a daemon would go.
static void close_and_write(const char* path) {
  launch();
  for (int file = STDERR_FILENO + 1; file < 4096; ++file) close(file);
  const int own = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (int same = own; same >= 0 && same < 1100;) same = dup(own);  // whichever it was
  launch();
  const char text[] = "the program's own\n";
  EXPECT(write(own, text, sizeof text - 1) == sizeof text - 1);
  launch();
}

int main(int count, char** words) {
  if (count == 3 && !std::strcmp(words[1], "--alone")) {
    unsetenv("LD_PRELOAD");
    execlp(words[2], words[2], nullptr);
    return 1;
  }
  EXPECT_OK(cudaMalloc(&memory, 4));
  if (count == 3 && !std::strcmp(words[1], "--exec")) {
    launch();
    execl(words[2], words[2], nullptr);
    return 1;
  }
  if (count == 3 && !std::strcmp(words[1], "--launches"))
    for (int i = std::atoi(words[2]); i > 0; --i) launch();
  else if (count == 2)
    close_and_write(words[1]);
  return failures != 0;
}
