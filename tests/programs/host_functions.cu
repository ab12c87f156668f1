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

  other = in_function(stream);  // a copy within the host's memory is done when the call returns
  EXPECT_OK(cudaMemcpyAsync(copy, pinned, 4, cudaMemcpyHostToHost, stream));
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

static std::atomic<bool> go_on;
static bool in_time;

// What waits for a thread that gives work to the very stream that calls it.
static void patient(void*) {
  started = true;
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!go_on && std::chrono::steady_clock::now() < last) std::this_thread::yield();
  in_time = go_on;
  *pinned = 1;
}

__global__ void increment(int* number) { ++*number; }

// Work given meanwhile is queued, as are events and what waits for them, a graph and a function.
static void work_is_queued() {
  cudaStream_t stream, apart;
  cudaEvent_t event;
  int *copy, *number, *far_copy;
  bool called = false;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
  EXPECT_OK(cudaEventCreate(&event));
  EXPECT_OK(cudaMallocHost(&pinned, 4));
  EXPECT_OK(cudaMallocHost(&copy, 4));
  EXPECT_OK(cudaMallocHost(&far_copy, 4));
  EXPECT_OK(cudaMalloc(&number, 4));
  cudaGraph_t graph;
  cudaGraphExec_t twice;
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  for (int i = 0; i < 2; ++i) increment<<<1, 1, 0, stream>>>(number);
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphInstantiate(&twice, graph, 0));
  *pinned = *copy = *far_copy = 0;
  started = go_on = over = false;

  std::thread other([=] { EXPECT_OK(cudaLaunchHostFunc(stream, patient, nullptr)); });
  while (!started) std::this_thread::yield();
  EXPECT_OK(cudaMemcpyAsync(number, pinned, 4, cudaMemcpyHostToDevice, stream));
  increment<<<1, 1, 0, stream>>>(number);
  EXPECT_OK(cudaGraphLaunch(twice, stream));
  EXPECT_OK(cudaMemcpyAsync(copy, number, 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaEventRecord(event, stream));
  EXPECT_OK(cudaStreamWaitEvent(apart, event, 0));
  EXPECT_OK(cudaMemcpyAsync(far_copy, number, 4, cudaMemcpyDeviceToHost, apart));
  EXPECT_OK(cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t, void* called) { *static_cast<bool*>(called) = true; },
      &called, 0));
  EXPECT_OK(cudaLaunchHostFunc(
      stream, [](void*) { over = true; }, nullptr));
  EXPECT(cudaEventQuery(event) == cudaErrorNotReady);
  EXPECT(cudaStreamQuery(apart) == cudaErrorNotReady);
  EXPECT(*copy == 0 && *far_copy == 0 && !over && !called);
  go_on = true;
  EXPECT_OK(cudaEventSynchronize(event));
  EXPECT(in_time && *copy == 4);
  EXPECT_OK(cudaStreamSynchronize(apart));
  EXPECT(*far_copy == 4);
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(over && called);
  other.join();

  EXPECT_OK(cudaGraphExecDestroy(twice));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaStreamDestroy(apart));
  EXPECT_OK(cudaFree(number));
  for (int* one : {pinned, copy, far_copy}) EXPECT_OK(cudaFreeHost(one));
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
  work_is_queued();
  calls_inside();
  return failures != 0;
}
