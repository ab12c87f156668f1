// What blocks of few columns cost: rows of 32 to 256 bytes, of which neighbouring blocks have the rest of the line.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 scripts/measure/narrow_rows.cu -o narrow_rows && ./narrow_rows
//   headroom run --json run.json -- ./narrow_rows once          predicts the same launches
//
//   {"what": "copy", "x": 16, "y": 16, "side": 4096, "us": 64.1}
//
// Blocks of x columns and y rows read a matrix of side × side floats, write one, or copy it, an element a thread. Time of a launch by
// events, the median of nine, of launches in a row that read and write in turn two pairs of matrices, so that L2 holds none of them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum Kind { reads, writes, copies };

template <Kind kind, int x, int y>
__global__ void __launch_bounds__(x* y) measured(const float* in, float* out, int side) {
  const int column = blockIdx.x * x + threadIdx.x, row = blockIdx.y * y + threadIdx.y;
  const size_t at = size_t(row) * side + column;
  float value = 1;
  if constexpr (kind != writes) value = in[at];
  if (kind != reads || value == 12345.f) out[at] = value;
}

float* matrices[4];
bool once = false;

template <Kind kind, int x, int y>
void tell(const char* what, int side) {
  const dim3 grid(side / x, side / y), block(x, y);
  if (once) {
    measured<kind, x, y><<<grid, block>>>(matrices[0], matrices[1], side);
    return;
  }
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<float> all;
  for (int i = 0; i < 10; ++i) {
    cudaEventRecord(begin);
    for (int k = 0; k < 4; ++k)
      measured<kind, x, y><<<grid, block>>>(matrices[k % 2 * 2], matrices[k % 2 * 2 + 1], side);
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess) std::exit(1);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i > 0) all.push_back(ms * 250);
  }
  std::sort(all.begin(), all.end());
  std::printf("{\"what\": \"%s\", \"x\": %d, \"y\": %d, \"side\": %d, \"us\": %.2f}\n", what, x, y,
              side, all[4]);
}

template <int x, int y>
void tell_of(int side) {
  tell<reads, x, y>("read", side);
  tell<writes, x, y>("write", side);
  tell<copies, x, y>("copy", side);
}

int main(int count, char** words) {
  once = count > 1 && !std::strcmp(words[1], "once");
  constexpr int side = 4096;
  for (float*& matrix : matrices) {
    cudaMalloc(&matrix, size_t(side) * side * sizeof(float));
    cudaMemset(matrix, 0, size_t(side) * side * sizeof(float));
  }
  tell_of<8, 32>(side);
  tell_of<16, 16>(side);
  tell_of<32, 8>(side);
  tell_of<64, 4>(side);
  tell_of<256, 1>(side);
  return cudaDeviceSynchronize() != cudaSuccess;
}
