// Functions chosen while a kernel runs: virtual ones, recursion through them, tables of function
// pointers, and a pointer that the host hands over.
#include <new>

#include "tests/programs/expect.cuh"

struct Shape {
  __device__ virtual int area(int depth) const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area(int depth) const override { return side * side + depth; }
};
struct Nested : Shape {  // asks itself, once a level
  int step;
  __device__ explicit Nested(int s) : step(s) {}
  __device__ int area(int depth) const override {
    const Shape* self = this;
    return depth == 0 ? 0 : step + self->area(depth - 1);
  }
};

__global__ void areas(int* out, int depth) {
  alignas(8) char place[sizeof(Square) > sizeof(Nested) ? sizeof(Square) : sizeof(Nested)];
  const int i = threadIdx.x;
  Shape* shape;
  if (i % 2)
    shape = new (place) Square(i);
  else
    shape = new (place) Nested(i);
  out[i] = shape->area(depth + i % 3);
}

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[2] = {add, multiply};

__global__ void from_table(int* out) {
  out[threadIdx.x] = operations[threadIdx.x % 2](threadIdx.x, 3);
}
__global__ void handed_over(Operation operation, int* out) {
  out[threadIdx.x] = operation(threadIdx.x, 5);
}

int main() {
  int *out, got[64];
  EXPECT_OK(cudaMalloc(&out, sizeof got));
  areas<<<1, 64>>>(out, 4);
  EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == (i % 2 ? i * i + 4 + i % 3 : i * (4 + i % 3)));
  from_table<<<1, 64>>>(out);
  EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == (i % 2 ? i * 3 : i + 3));
  Operation pointers[2];
  EXPECT_OK(cudaMemcpyFromSymbol(pointers, operations, sizeof pointers));
  handed_over<<<1, 64>>>(pointers[1], out);
  EXPECT_OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == i * 5);
  return failures != 0;
}
