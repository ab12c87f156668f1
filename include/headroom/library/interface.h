// What headroom.hpp calls: a table of C functions that the stand-in exports, so that a test may be built by any
// compiler with any C++ library. Not for programs: headroom.hpp says all of it in C++.
//
//   const headroom_functions* all = headroom_library_1();
//   if (all->load_file("saxpy.ptx", &program)) puts(all->problem());
//
// Every function that returns an int returns 0, or not, and then problem() says what was wrong. What a function gives
// back as text or address lives as long as the process, but for a program's kernels, which live as long as it.
#pragma once
#include <cstddef>
#include <cstdint>

struct headroom_program;
struct headroom_kernel;

struct headroom_shape {
  unsigned grid[3], block[3];
  unsigned cluster[3];  // all 0: none is asked for
  uint64_t dynamic_shared;
  int cooperative;
};
struct headroom_argument {
  const void* value;
  size_t bytes;
};

struct headroom_launch {
  const char *kernel, *engine, *state;  // "saxpy(int, float*)", "machine", "ran"
  int completed;
};
struct headroom_figure {
  const char *name, *unit;
  double value;  // of one that is known
  int known;
};
struct headroom_floor {
  const char *resource, *equation;
  double nanoseconds;
  int estimate;  // rests on numbers of PTX instructions
};
struct headroom_stall {
  const char* reason;
  double cycles, share;  // of each instruction issued; of a warp's time
};
struct headroom_advice {
  const char *id, *what, *next, *file;
  double nanoseconds;  // that the launch would save
  unsigned line;       // 0: of no line
};
struct headroom_finding {
  const char *kind, *what, *source, *advice;
  unsigned block[3], thread[3];
  uint64_t times;
};

struct headroom_functions {
  const char* (*problem)();            // of this thread's last call that failed
  int (*choose)(const char* machine);  // before all below
  int (*machine)(const char** name);

  int (*load_file)(const char* path, headroom_program**);
  int (*load_image)(const void* image, size_t bytes, headroom_program**);
  void (*unload)(headroom_program*);
  int (*find_kernel)(headroom_program*, const char* name, headroom_kernel**);

  int (*allocate)(size_t bytes, void** address);
  void (*release)(void* address);
  int (*copy)(void* to, const void* from, size_t bytes);

  int (*launch)(headroom_kernel*, const headroom_shape*, const headroom_argument*, size_t arguments,
                size_t* index);

  // Of launches by their index; `take` is called with `to` and each.
  size_t (*launches)();
  int (*describe)(size_t launch, headroom_launch*);
  int (*figure)(size_t launch, const char* name, headroom_figure*);
  int (*figures)(size_t launch, void (*take)(void*, const headroom_figure*), void* to);
  int (*floors)(size_t launch, void (*take)(void*, const headroom_floor*), void* to);
  int (*stalls)(size_t launch, void (*take)(void*, const headroom_stall*), void* to);
  int (*advice)(size_t launch, void (*take)(void*, const headroom_advice*), void* to);
  int (*findings)(size_t launch, void (*take)(void*, const headroom_finding*), void* to);
};

extern "C" const headroom_functions* headroom_library_1();
