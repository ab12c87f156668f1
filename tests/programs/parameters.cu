// Parameters of many bytes, read by an index that is known when it runs: machine code before sm_90 has them elsewhere in their
// bank than few, as its notes say.
#include "tests/programs/expect.cuh"

struct Many {
  long first[3][400];
  unsigned short of_block[3000];
  int last[1000];
};

__global__ void sum(Many many, long* out) {
  const int n = many.of_block[blockIdx.x];
  out[blockIdx.x] = many.first[0][n] + many.first[2][n] + many.last[n];
}

int main() {
  static Many many;
  for (int i = 0; i < 400; ++i) many.first[0][i] = i, many.first[2][i] = 1000 * i;
  for (int i = 0; i < 3000; ++i) many.of_block[i] = (unsigned short)(i * 7 % 400);
  for (int i = 0; i < 1000; ++i) many.last[i] = 1000000 * i;
  long *out, got[64];
  EXPECT_OK(cudaMalloc(&out, sizeof got));
  sum<<<64, 1>>>(many, out);
  EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == 1001001L * (i * 7 % 400));
  return failures != 0;
}
