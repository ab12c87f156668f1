// Two launches that a GPU refuses: too many threads, and more shared memory than was opted in to.
__global__ void fill(int* x) {
  extern __shared__ int room[];
  room[0] = 1;
  x[threadIdx.x] = room[0];
}

int main() {
  int* x;
  cudaMalloc(&x, 4096);
  fill<<<1, 2048>>>(x);
  fill<<<1, 32, 100000>>>(x);
}
