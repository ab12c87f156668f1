// A program image becomes kernels: PTX parsed to IR, and the resources the machine's compiler would
// give.
//
//   fatbin bytes --read_image--> Image{PTX texts, cubins} --choose_ptx--> one PTX text
//   PTX text --ptx::parse--> Module
//   PTX text --ptxas -v -arch=sm_90--> {"_Z5saxpyfPfS_": Resources{registers 10, …}}
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "ptx/module.h"

namespace headroom {

// One entry of a fat binary.
struct ImageEntry {
  enum class Kind { ptx, cubin } kind;
  int architecture = 0;  // 80 for sm_80 / compute_80
  std::string text;      // PTX text (decompressed), or the ELF bytes of a cubin
  std::string suffix;    // "a" for sm_90a, "f" for sm_100f, "" else
  int fatbin = 0;        // which of several fat binaries in a row: translation units have one each
  std::string options;   // what nvcc told ptxas when it wrote the entry: "-maxrregcount=40"
};
struct Image {
  std::vector<ImageEntry> entries;
};

// Reads the bytes of a fat binary (magic 0xBA55ED50, several in a row), a bare cubin (ELF) or bare
// PTX text. Throws Error for empty, truncated or foreign bytes, naming the offset.
Image read_image(std::span<const std::byte> bytes, const std::string& where);
// The same for a file: a host program or library (ELF with .nv_fatbin), .fatbin, .cubin, .ptx.
Image read_image_file(const std::string& path);
// The bytes of the fat binary that starts in memory here, as a program registers it: its header
// says how many.
std::span<const std::byte> fatbin_at(const void* start);
// Of a program, library or object each fat binary, which read_image takes one by one; any other file as it is.
// Throws Error where there is none.
std::vector<std::span<const std::byte>> device_code(std::span<const std::byte> file,
                                                    const std::string& where);
// One image per fat binary: each is a module of its own, with kernels of its own.
std::vector<Image> modules_of(const Image&);

struct ImageChoice {
  const ImageEntry* entry;
  std::optional<Caveat> caveat;
};
// The PTX to run on a machine of this compute capability (90): the highest not above it, else the
// lowest, with a caveat. `forced` ("sm_80", or "") chooses by name. Throws Error when there is
// machine code only.
ImageChoice choose_ptx(const Image&, int cc, const std::string& forced, const std::string& where);

// What a kernel takes from an SM. Absent means unknown.
struct Resources {
  std::optional<int> registers;                  // per thread
  std::optional<int> static_shared;              // bytes per block
  std::optional<int> stack;                      // bytes per thread
  std::optional<int> spill_stores, spill_loads;  // bytes per thread
  std::optional<int> constant;                   // bytes
  std::optional<int> max_threads;     // of a block, by __launch_bounds__; absent: no such bound
  std::optional<bool> accesses_kept;  // by machine code, as the PTX has them (accesses.h)
  std::string from;                   // "ptxas 13.0.88 -arch=sm_90", "cubin sm_90 in the image",
                                      // "the PTX" where ptxas is missing, "unknown"
  std::vector<Caveat> caveats;
  friend bool operator==(const Resources&, const Resources&) = default;
};

// A caveat's first words where nothing tells them.
inline constexpr const char* all_unknown = "registers, shared memory and spills are unknown";

// Runs ptxas (kernel/toolkit.h) on a PTX text for a compute capability; cached by
// hash of text, architecture and ptxas version under $HEADROOM_CACHE, $XDG_CACHE_HOME/headroom or
// ~/.cache/headroom. Architectures ptxas no longer knows: the nearest it knows, with a caveat in
// `caveats` and in each kernel's. No ptxas, or it fails: an empty map and a caveat in `caveats`.
// Never throws for a missing tool.
// `options` are an ImageEntry's.
std::map<std::string, Resources> ptxas_resources(const std::string& ptx, int cc,
                                                 std::vector<Caveat>& caveats,
                                                 const std::string& options = "");

// The machine code that it makes: the bytes of a cubin. None where it cannot, with a caveat.
std::vector<std::byte> ptxas_code(const std::string& ptx, int cc, std::vector<Caveat>& caveats,
                                  const std::string& options = "");

// "registers and spills are those of sm_80, not of sm_90", and why.
Caveat not_of_machine(const std::string& target, int cc, std::string cause);

// Resources from the ELF notes of a cubin (.nv.info REGCOUNT/FRAME_SIZE…, section sizes).
std::map<std::string, Resources> cubin_resources(std::span<const std::byte> elf,
                                                 const std::string& where);

// "void foo<int>(float*)" for _Z3fooIiEvPf; the name itself if it is not mangled.
std::string demangle(const std::string& name);
// "foo" for "void foo<int>(float*)": as Nsight Compute names kernels in tables.
std::string short_name(const std::string& demangled);

}  // namespace headroom
