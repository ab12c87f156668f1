// A child may use CUDA if its parent had not begun to; after that it may not.
#include <sys/wait.h>
#include <unistd.h>

#include "tests/programs/expect.cuh"

__global__ void store(int* to, int value) { *to = value; }

static int launch(int value) {
  int *to, back = 0;
  EXPECT_OK(cudaMalloc(&to, 4));
  store<<<1, 1>>>(to, value);
  EXPECT_OK(cudaMemcpy(&back, to, 4, cudaMemcpyDeviceToHost));
  EXPECT(back == value);
  return failures != 0;
}

template <class Body>
static void in_child(Body body) {
  pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT(status == 0);
}

static int refused() {
  void* memory;
  EXPECT_CODE(cudaErrorInitializationError, cudaMalloc(&memory, 4));
  EXPECT_CODE(cudaErrorInitializationError, cudaDeviceSynchronize());
  std::fflush(stdout);
  return failures != 0;
}

int main() {
  in_child([] { return launch(1); });
  launch(2);
  in_child(refused);
  EXPECT_OK(cudaDeviceSynchronize());  // the parent goes on
  return failures != 0;
}
