// Loads libraries with a CUDA runtime linked into them, twice each: before and after they were unloaded.
//
//   static_loads ./libwork.so ./libstripped.so      works, works, works, works; exit code 0
#include <dlfcn.h>
#include <stdio.h>

static int works(const char* library) {
  void* const loaded = dlopen(library, RTLD_NOW);
  if (!loaded) return puts(dlerror()), 1;
  int (*const work)(void) = (int (*)(void))dlsym(loaded, "library_works");
  int* const at_load = (int*)dlsym(loaded, "worked_at_load");
  const int result = !work || !at_load ? 2 : *at_load ? 100 + *at_load : work();
  printf("%s\n", result ? "FAIL" : "works");
  dlclose(loaded);
  return result;
}

int main(int count, char** libraries) {
  for (int turn = 0; turn < 2; ++turn)
    for (int i = 1; i < count; ++i) {
      const int result = works(libraries[i]);
      if (result) return result;
    }
  return 0;
}
