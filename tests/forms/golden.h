// A golden file: PTX whose kernels take (.param .u64 in, .param .u64 out), and beside it, in .out, what they write.
//
//   //: grid 2 block 64 shared 1024 out 8448 fails 1     before an entry: its launch, where it is not 11 blocks of 48 threads;
//                                                        "cluster 2" says again what its .reqnctapercluster says
//   .visible .entry add_0(.param .u64 in, .param .u64 out)
//     add.u32 %d4, %a_i32, %b_i32; st.global.b32 [%out+8448], %d4;      a line that stores at %out + n * 8448 begins slot n
//
//   add_0
//     add.u32 5f0c8e7b3d1a9f02  0 1 ffffffff 80000000      a slot: the spelling, a hash of its bytes, its first words
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "record/launch.h"

namespace headroom::golden {

inline constexpr size_t slot_bytes = 528 * 16;

struct Slot {
  std::string label;
  size_t at = 0, bytes = slot_bytes;
};
struct Kernel {
  std::string name;
  Dim3 grid{11, 1, 1}, block{48, 1, 1}, cluster{1, 1, 1};
  uint64_t dynamic_shared = 0;
  size_t out_bytes = slot_bytes;
  bool more = false;   // takes a third parameter, 64 bytes
  bool fails = false;  // must end in a finding, whose kind is its output
  std::vector<Slot> slots;
};
struct GoldenFile {
  std::filesystem::path path;
  std::string text;
  std::vector<Kernel> kernels;
};

std::vector<std::filesystem::path> golden_paths(
    const std::filesystem::path& folder);  // *.ptx, sorted
GoldenFile read_golden(const std::filesystem::path&);
GoldenFile golden_of(std::string text, const std::filesystem::path& = {});
std::vector<uint8_t> arguments(const Kernel&, uint64_t in, uint64_t out);

uint64_t hash(const uint8_t* bytes, size_t count);                   // FNV-1a
std::string describe(const Slot&, const std::vector<uint8_t>& out);  // a line of the .out file

// Runs on the executor; throws Error where it does not decode or does not end.
class Executor {
 public:
  explicit Executor(const GoldenFile&, int architecture = 90);
  // By the machine code that ptxas made of the file (a cubin), not by its PTX.
  Executor(const GoldenFile&, const std::vector<std::byte>& cubin, int architecture = 90);
  ~Executor();
  std::vector<uint8_t> run(const Kernel&);

 private:
  struct State;
  std::unique_ptr<State> state;
};

}  // namespace headroom::golden
