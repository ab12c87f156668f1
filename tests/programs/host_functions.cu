// Functions that a stream calls: what other threads give to the stream comes after them, and they may
// not call CUDA.
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/programs/expect.cuh"

static std::atomic<bool> started, over;
static int* pinned;

static void slow(void*) {
  started = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  *pinned = 1;
  over = true;
}

// A thread that gives the function to the stream, and is in it when this returns.
static std::thread in_function(cudaStream_t stream) {
  *pinned = 0;
  started = over = false;
  std::thread other([=] { EXPECT_OK(cudaLaunchHostFunc(stream, slow, nullptr)); });
  while (!started) std::this_thread::yield();
  return other;
}

static void threads() {
  cudaStream_t stream, apart;
  int* copy;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  EXPECT_OK(cudaMallocHost(&pinned, 4));
  EXPECT_OK(cudaMallocHost(&copy, 4));

  std::thread other = in_function(stream);
  EXPECT(cudaStreamQuery(stream) == cudaErrorNotReady);
  EXPECT_OK(cudaStreamQuery(apart));
  EXPECT_OK(cudaMemcpyAsync(copy, pinned, 4, cudaMemcpyDefault, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(over && *copy == 1);
  other.join();

  other = in_function(stream);
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(over);
  other.join();

  other = in_function(stream);
  EXPECT_OK(cudaMemcpy(copy, pinned, 4, cudaMemcpyDefault));  // the default stream waits as well
  EXPECT(over && *copy == 1);
  other.join();

  other = in_function(apart);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(over);
  other.join();

  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaStreamDestroy(apart));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFreeHost(copy));
}

static cudaError_t answer, other_answer;

static void calls_inside() {
  EXPECT_OK(cudaLaunchHostFunc(
      0,
      [](void*) {
        void* memory;
        answer = cudaMalloc(&memory, 4);
        other_answer = cudaStreamSynchronize(0);
      },
      nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(answer == cudaErrorNotPermitted && other_answer == cudaErrorNotPermitted);
  EXPECT_OK(cudaGetLastError());  // what failed there is no error of this thread
}

int main() {
  threads();
  calls_inside();
  return failures != 0;
}
