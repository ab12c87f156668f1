// A program that plays one which uses CUDA: its words are done one after the other.
//
//   gpu_program cuda launch=5 say=hello exit=3
//
//   cuda      what the driver does at the first CUDA call: loads what CUDA_INJECTION64_PATH names
//   launch=N  the next N activities of the fake CUPTI's trace are due
//   child     starts itself with the remaining words, waits, and ends as that ends
//   env=A=B   sets a variable
//   fork      a forked child, without exec, leaves by exit; we wait for it
//   sleep=N   so many milliseconds
//   raise=N   sends itself signal N
//   wait      until a signal; "ready" is printed first
//   say=TEXT  prints it
//   crash, abort, breakpoint, leave (by _exit), exit=N
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void use_cuda() {
  const char* path = getenv("CUDA_INJECTION64_PATH");
  if (!path) return;
  void* library = dlopen(path, RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(99);
  }
  reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))();
}

void launch(int count) {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
  if (!cupti) return;
  reinterpret_cast<void (*)(int)>(dlsym(cupti, "fake_launch"))(count);
}

void stop_here() {
#if defined(__x86_64__)
  asm volatile("int3");
#else
  raise(SIGTRAP);
#endif
}

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const size_t equals = word.find('=');
    const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    if (word == "cuda") use_cuda();
    if (word.starts_with("launch=")) launch(atoi(value.c_str()));
    if (word.starts_with("say=")) puts(value.c_str()), fflush(stdout);
    if (word.starts_with("env=")) {
      const size_t middle = value.find('=');
      setenv(value.substr(0, middle).c_str(), value.substr(middle + 1).c_str(), 1);
    }
    if (word == "child") {
      const pid_t child = fork();
      if (child == 0) {
        words[i] = words[0];
        execv("/proc/self/exe", words + i);
        _exit(98);
      }
      return wait_for(child);
    }
    if (word == "fork") {
      const pid_t child = fork();
      if (child == 0) exit(0);
      wait_for(child);
    }
    if (word == "wait") {
      puts("ready"), fflush(stdout);
      for (;;) pause();
    }
    if (word.starts_with("sleep=")) usleep(useconds_t(1000 * atoi(value.c_str())));
    if (word.starts_with("raise=")) kill(getpid(), atoi(value.c_str()));
    if (word == "crash") *const_cast<volatile int*>(static_cast<int*>(nullptr)) = 1;
    if (word == "abort") abort();
    if (word == "breakpoint") stop_here();
    if (word == "leave") _exit(0);
    if (word.starts_with("exit=")) return atoi(value.c_str());
  }
  return 0;
}
