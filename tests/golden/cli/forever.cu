// A kernel that never returns.
__global__ void forever(volatile int* x) {
  while (x[1] != 77) x[0] = x[0] + 1;
}

int main() {
  int* x;
  cudaMalloc(&x, 8);
  cudaMemset(x, 0, 8);
  forever<<<1, 32>>>(x);
  cudaDeviceSynchronize();
}
