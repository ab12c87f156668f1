// Work of streams and graphs that touches the same memory, and nothing puts it in order.
#include "tests/check/cases.h"

namespace check {
namespace {

constexpr int blocks = 2, n = 64;  // of every launch: blocks, threads

__device__ int here() { return int(blockIdx.x * blockDim.x + threadIdx.x); }

// Two streams that do not wait for the default one, an event, and pinned memory.
struct Streams {
  cudaStream_t a{}, b{};
  cudaEvent_t event{};
  int* pinned = nullptr;
  explicit Streams(unsigned flags = cudaStreamNonBlocking) {
    cudaStreamCreateWithFlags(&a, flags);
    cudaStreamCreateWithFlags(&b, flags);
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaMallocHost(&pinned, words * sizeof(int));
    cudaDeviceSynchronize();
  }
  void wait(cudaStream_t waits, cudaStream_t behind) const {
    cudaEventRecord(event, behind);
    cudaStreamWaitEvent(waits, event, 0);
  }
  ~Streams() {
    cudaDeviceSynchronize();
    cudaFreeHost(pinned);
    cudaEventDestroy(event);
    cudaStreamDestroy(b);
    cudaStreamDestroy(a);
  }
};

constexpr cudaMemcpyKind up = cudaMemcpyHostToDevice, down = cudaMemcpyDeviceToHost,
                         across = cudaMemcpyDeviceToDevice;
constexpr size_t bytes = blocks * n * sizeof(int);

__global__ void two_streams_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: two_streams
}
__global__ void two_streams_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: two_streams
}
void two_streams(const Memory& m, bool mended) {
  const Streams s;
  two_streams_write<<<blocks, n, 0, s.a>>>(m.data);
  if (mended) s.wait(s.b, s.a);
  two_streams_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
}

__global__ void two_writers_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: two_writers
}
void two_writers(const Memory& m, bool mended) {
  const Streams s;
  two_writers_write<<<blocks, n, 0, s.a>>>(m.data);
  if (mended) cudaStreamSynchronize(s.a);
  two_writers_write<<<blocks, n, 0, s.b>>>(m.data + 1);
}

__global__ void read_then_write_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: read_then_write
}
__global__ void read_then_write_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: read_then_write
}
void read_then_write(const Memory& m, bool mended) {
  const Streams s;
  read_then_write_read<<<blocks, n, 0, s.a>>>(m.data, m.out);
  if (mended) s.wait(s.b, s.a);
  read_then_write_write<<<blocks, n, 0, s.b>>>(m.data);
}

// The host's own code touches memory that a kernel has, and has not waited for it.
struct Managed {
  int* words = nullptr;
  Managed() {
    cudaMallocManaged(&words, bytes);
    for (int i = 0; i < blocks * n; ++i) words[i] = i;
  }
  ~Managed() {
    cudaDeviceSynchronize();
    cudaFree(words);
  }
};

__global__ void host_reads_early_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: host_reads_early
}
void host_reads_early(const Memory& m, bool mended) {
  const Managed managed;
  host_reads_early_write<<<blocks, n>>>(managed.words);
  if (mended) cudaDeviceSynchronize();
  cudaMemset(m.out, managed.words[5] != 16, 4);
}

__global__ void host_writes_early_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: host_writes_early
}
void host_writes_early(const Memory& m, bool mended) {
  const Managed managed;
  host_writes_early_read<<<blocks, n>>>(managed.words, m.out);
  if (mended) cudaDeviceSynchronize();
  *static_cast<volatile int*>(managed.words) = 7;
}

__global__ void mapped_read_early_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: mapped_read_early
}
void mapped_read_early(const Memory& m, bool mended) {
  int* words = nullptr;
  cudaHostAlloc(&words, bytes, cudaHostAllocMapped);
  mapped_read_early_write<<<blocks, n>>>(words);
  if (mended) cudaStreamSynchronize(nullptr);
  cudaMemset(m.out, words[5] != 16, 4);
  cudaDeviceSynchronize();
  cudaFreeHost(words);
}

// The event is recorded before the work that it should stand for.
__global__ void event_too_early_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: event_too_early
}
__global__ void event_too_early_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: event_too_early
}
void event_too_early(const Memory& m, bool mended) {
  const Streams s;
  if (!mended) cudaEventRecord(s.event, s.a);
  event_too_early_write<<<blocks, n, 0, s.a>>>(m.data);
  if (mended) cudaEventRecord(s.event, s.a);
  cudaStreamWaitEvent(s.b, s.event, 0);
  event_too_early_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
}

// To wait for an event that nobody has recorded waits for nothing.
__global__ void wait_before_record_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: wait_before_record
}
__global__ void wait_before_record_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: wait_before_record
}
void wait_before_record(const Memory& m, bool mended) {
  const Streams s;
  wait_before_record_write<<<blocks, n, 0, s.a>>>(m.data);
  if (!mended) cudaStreamWaitEvent(s.b, s.event, 0);
  cudaEventRecord(s.event, s.a);
  if (mended) cudaStreamWaitEvent(s.b, s.event, 0);
  wait_before_record_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
}

// The reader waits for one of the two that write.
__global__ void one_of_two_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: one_of_two
}
__global__ void one_of_two_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: one_of_two
}
void one_of_two(const Memory& m, bool mended) {
  const Streams s;
  cudaStream_t c;
  cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
  one_of_two_write<<<blocks, n, 0, s.a>>>(m.data);
  one_of_two_write<<<blocks, n, 0, c>>>(m.data + words / 2);
  s.wait(s.b, s.a);
  if (mended) s.wait(s.b, c);
  one_of_two_read<<<blocks, n, 0, s.b>>>(m.data + words / 2, m.out);
  cudaStreamDestroy(c);
}

// A blocking stream would wait for the default one.
__global__ void not_the_default_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: not_the_default
}
__global__ void not_the_default_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: not_the_default
}
void not_the_default(const Memory& m, bool mended) {
  const Streams s(mended ? cudaStreamDefault : cudaStreamNonBlocking);
  not_the_default_write<<<blocks, n, 0, nullptr>>>(m.data);
  not_the_default_read<<<blocks, n, 0, s.a>>>(m.data, m.out);
}

__global__ void copy_in_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: copy_in
}
void copy_in(const Memory& m, bool mended) {
  const Streams s;
  cudaMemcpyAsync(m.data, s.pinned, bytes, up, s.a);
  if (mended) s.wait(s.b, s.a);
  copy_in_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
}

__global__ void copy_out_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: copy_out
}
void copy_out(const Memory& m, bool mended) {
  const Streams s;
  copy_out_write<<<blocks, n, 0, s.a>>>(m.data);
  if (mended) s.wait(s.b, s.a);
  cudaMemcpyAsync(s.pinned, m.data, bytes, down, s.b);
}

// The tile is overwritten while the kernel may still read it.
__global__ void next_tile_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: next_tile
}
void next_tile(const Memory& m, bool mended) {
  const Streams s;
  cudaMemcpyAsync(m.data, s.pinned, bytes, up, s.a);
  s.wait(s.b, s.a);
  next_tile_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
  if (mended) s.wait(s.a, s.b);
  cudaMemcpyAsync(m.data, s.pinned, bytes, up, s.a);
}

// cudaMemset of device memory does not wait.
__global__ void fill_behind_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: fill_behind
}
void fill_behind(const Memory& m, bool mended) {
  const Streams s;
  cudaMemset(m.data, 0, bytes);
  if (mended) cudaDeviceSynchronize();
  fill_behind_write<<<blocks, n, 0, s.a>>>(m.data);
}

__global__ void fill_over_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: fill_over
}
void fill_over(const Memory& m, bool mended) {
  const Streams s;
  fill_over_read<<<blocks, n, 0, s.a>>>(m.data, m.out);
  if (mended) s.wait(s.b, s.a);
  cudaMemsetAsync(m.data, 0, bytes, s.b);
}

// Nor does cudaMemcpy within the device.
__global__ void copy_within_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: copy_within
}
void copy_within(const Memory& m, bool mended) {
  const Streams s;
  cudaMemcpy(m.data, m.flags, bytes, across);
  if (mended) cudaDeviceSynchronize();
  copy_within_read<<<blocks, n, 0, s.a>>>(m.data, m.out);
}

// Each row of the copy ends where the kernel begins to write, but for the last ones.
__global__ void rows_of_two_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: rows_of_two
}
void rows_of_two(const Memory& m, bool mended) {
  const Streams s;
  const size_t pitch = 2 * bytes;
  cudaMemcpy2DAsync(m.data, pitch, s.pinned, bytes, bytes, 4, up, s.a);
  rows_of_two_write<<<blocks, n, 0, s.b>>>(m.data + (mended ? blocks * n : 2 * blocks * n));
}

// Memory of stream order is used by a stream that does not wait for its allocation.
__global__ void before_it_is_there_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: before_it_is_there
}
void before_it_is_there(const Memory& m, bool mended) {
  const Streams s;
  int* p = nullptr;
  cudaMallocAsync(&p, bytes, s.a);
  if (mended) s.wait(s.b, s.a);
  before_it_is_there_write<<<blocks, n, 0, s.b>>>(p);
  s.wait(s.a, s.b);
  cudaFreeAsync(p, s.a);
}

// It is freed while another stream may still use it.
__global__ void freed_meanwhile_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: freed_meanwhile
}
void freed_meanwhile(const Memory& m, bool mended) {
  const Streams s;
  int* p = nullptr;
  cudaMallocAsync(&p, bytes, s.a);
  freed_meanwhile_write<<<blocks, n, 0, s.a>>>(p);
  if (mended) s.wait(s.b, s.a);
  cudaFreeAsync(p, s.b);
}

// The branch that was captured from the other stream follows only the first node.
__global__ void forked_capture_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: forked_capture
}
__global__ void forked_capture_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: forked_capture
}
void forked_capture(const Memory& m, bool mended) {
  const Streams s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  forked_capture_write<<<blocks, n, 0, s.a>>>(m.flags);
  if (!mended) s.wait(s.b, s.a);
  forked_capture_write<<<blocks, n, 0, s.a>>>(m.data);
  if (mended) s.wait(s.b, s.a);
  forked_capture_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
  s.wait(s.a, s.b);
  cudaStreamEndCapture(s.a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(exec, s.a);
  cudaStreamSynchronize(s.a);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// Two nodes of a graph without an edge between them.
__global__ void no_edge_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: no_edge
}
__global__ void no_edge_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: no_edge
}
void no_edge(const Memory& m, bool mended) {
  const Streams s;
  int* data = m.data;
  int* out = m.out;
  void *write_arguments[] = {&data}, *read_arguments[] = {&data, &out};
  cudaKernelNodeParams write{}, read{};
  write.gridDim = read.gridDim = dim3(blocks);
  write.blockDim = read.blockDim = dim3(n);
  write.func = reinterpret_cast<void*>(no_edge_write);
  write.kernelParams = write_arguments;
  read.func = reinterpret_cast<void*>(no_edge_read);
  read.kernelParams = read_arguments;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t first, second;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &write);
  cudaGraphAddKernelNode(&second, graph, &first, mended ? 1 : 0, &read);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, s.a);
  cudaStreamSynchronize(s.a);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// A graph in one stream, a kernel in another.
__global__ void beside_a_graph_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: beside_a_graph
}
__global__ void beside_a_graph_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: beside_a_graph
}
void beside_a_graph(const Memory& m, bool mended) {
  const Streams s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s.a, cudaStreamCaptureModeGlobal);
  beside_a_graph_write<<<blocks, n, 0, s.a>>>(m.data);
  cudaStreamEndCapture(s.a, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s.a);
  if (mended) s.wait(s.b, s.a);
  beside_a_graph_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

// The program waits for the wrong stream.
__global__ void asked_the_other_write(int* to) {
  to[here()] = 3 * here() + 1;  // here: asked_the_other
}
__global__ void asked_the_other_read(const int* from, int* to) {
  to[here()] = from[here()];  // here: asked_the_other
}
void asked_the_other(const Memory& m, bool mended) {
  const Streams s;
  asked_the_other_write<<<blocks, n, 0, s.a>>>(m.data);
  cudaStreamSynchronize(mended ? s.a : s.b);
  asked_the_other_read<<<blocks, n, 0, s.b>>>(m.data, m.out);
}

constexpr Case all[] = {
    HOST_CASE(host_reads_early, "race_host"),  HOST_CASE(host_writes_early, "race_host"),
    HOST_CASE(mapped_read_early, "race_host"), HOST_CASE(two_streams, "race_global"),
    HOST_CASE(two_writers, "race_global"),     HOST_CASE(read_then_write, "race_global"),
    HOST_CASE(event_too_early, "race_global"), HOST_CASE(wait_before_record, "race_global"),
    HOST_CASE(one_of_two, "race_global"),      HOST_CASE(not_the_default, "race_global"),
    HOST_CASE(copy_in, "race_global"),         HOST_CASE(copy_out, "race_global"),
    HOST_CASE(next_tile, "race_global"),       HOST_CASE(fill_behind, "race_global"),
    HOST_CASE(fill_over, "race_global"),       HOST_CASE(copy_within, "race_global"),
    HOST_CASE(rows_of_two, "race_global"),     HOST_CASE(before_it_is_there, "race_global"),
    HOST_CASE(freed_meanwhile, "race_global"), HOST_CASE(forked_capture, "race_global"),
    HOST_CASE(no_edge, "race_global"),         HOST_CASE(beside_a_graph, "race_global"),
    HOST_CASE(asked_the_other, "race_global"),
};

}  // namespace

Cases stream_cases() { return {all, sizeof all / sizeof *all}; }

}  // namespace check
