// A child made by fork goes on using CUDA. (Not on a GPU: there the driver refuses it.)
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

int main() {
  int status = launch(1);
  pid_t child = fork();
  if (child == 0) return launch(2);
  int child_status = 1;
  waitpid(child, &child_status, 0);
  EXPECT(child_status == 0);
  return status || failures != 0;
}
