// Events and streams: times are positive and in order, handles are checked.
#include "tests/programs/expect.cuh"

__global__ void fill(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

static int called = 0;

int main() {
  constexpr int n = 1 << 16;
  float* values;
  EXPECT_OK(cudaMalloc(&values, n * sizeof(float)));
  cudaEvent_t start, middle, end, untimed;
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&middle));
  EXPECT_OK(cudaEventCreate(&end));
  EXPECT_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  EXPECT_CODE(cudaErrorInvalidValue, cudaEventCreateWithFlags(&untimed, 64));
  float first = -1, second = -1, whole = -1;
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&first, start, end));
  EXPECT_OK(cudaEventSynchronize(start));
  EXPECT_OK(cudaEventQuery(start));

  EXPECT_OK(cudaEventRecord(start));
  EXPECT_OK(cudaEventRecord(middle));
  fill<<<n / 256, 256>>>(values, n);
  EXPECT_OK(cudaEventRecord(end));
  EXPECT_OK(cudaEventSynchronize(end));
  EXPECT_OK(cudaEventElapsedTime(&first, start, middle));
  EXPECT_OK(cudaEventElapsedTime(&second, middle, end));
  EXPECT_OK(cudaEventElapsedTime(&whole, start, end));
  EXPECT(first > 0 && second > 0 && whole > first && whole > second);
  float back = 0;
  EXPECT_OK(cudaEventElapsedTime(&back, end, start));
  EXPECT(back == -whole);
  EXPECT_OK(cudaEventRecord(untimed));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&first, start, untimed));
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr));

  cudaStream_t stream;
  int priority = 1, lowest, highest;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamQuery(stream));
  fill<<<1, 32, 0, stream>>>(values, 32);
  EXPECT_OK(cudaMemcpyAsync(&first, values, 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaStreamWaitEvent(stream, end, 0));
  EXPECT_OK(cudaLaunchHostFunc(
      stream, [](void* data) { ++*static_cast<int*>(data); }, &called));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(first == 1 && called == 1);
  EXPECT_OK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
  EXPECT(lowest == 0 && highest < 0);
  EXPECT_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT(priority == 0);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100));
  EXPECT_OK(cudaStreamGetPriority(stream, &priority));
  EXPECT(priority == highest);
  unsigned flags = 0;
  EXPECT_OK(cudaStreamGetFlags(stream, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  EXPECT_CODE(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 7));
  return failures != 0;
}
