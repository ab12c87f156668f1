// What a program does with SIGSEGV itself, while headroom check has taken pages of its managed memory, and reads one
// before it waits. Its own faults stay its own.
//
//   host_faults before | after | jump | ignore | block | fork | own
#include <cuda_runtime.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

__global__ void fill(int* p) { p[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x); }

namespace {

constexpr size_t page_bytes = 4096;
sigjmp_buf back;
volatile int seen = 0;
char* page = nullptr;  // of its own, opened at the first fault

void jump(int) {
  ++seen;
  siglongjmp(back, 1);
}

void open_page(int, siginfo_t* info, void*) {
  ++seen;
  const char* at = static_cast<char*>(info->si_addr);
  if (at < page || at >= page + page_bytes) _exit(9);
  mprotect(page, page_bytes, PROT_READ | PROT_WRITE);
}

void handle() {
  struct sigaction mine {};
  mine.sa_sigaction = open_page;
  mine.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &mine, nullptr);
}

void fault(volatile int* where) { *where = 1; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto is = [&](const char* mode) { return !std::strcmp(argv[1], mode); };
  constexpr int blocks = 16, threads = 256;
  page =
      static_cast<char*>(mmap(nullptr, page_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  int* managed;
  cudaMallocManaged(&managed, blocks * threads * sizeof(int));
  if (is("before")) handle();
  fill<<<blocks, threads>>>(managed);
  if (is("after")) handle();
  if (is("before") || is("after")) fault(reinterpret_cast<int*>(page));
  if (is("jump")) {
    signal(SIGSEGV, jump);
    if (!sigsetjmp(back, 1)) fault(reinterpret_cast<int*>(page));
  }
  if (is("ignore")) signal(SIGSEGV, SIG_IGN);
  if (is("block")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, nullptr);
  }
  if (is("fork")) {
    const pid_t child = fork();
    if (child == 0) _exit(managed[7] != 7);
    int status = 1;
    waitpid(child, &status, 0);
    if (status) return 3;
  }
  if (is("own")) fault(reinterpret_cast<int*>(page));          // nobody handles it
  std::printf("%d ", static_cast<volatile int*>(managed)[5]);  // too early
  cudaDeviceSynchronize();
  std::printf("%d %d\n", managed[6], int(seen));
  return 0;
}
