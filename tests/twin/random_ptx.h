// Random well-formed PTX over flat buffers: what a seed gives is the same everywhere.
//
//   Kernel k = random_kernel(seed, templates);      a tree of statements
//   text(k)                                         a golden file's kernel: (.param .u64 in, .param .u64 out)
//
// Every thread computes on registers, its own bytes of the output, local memory and its block's shared memory; control flow is
// structured and loops end; floats are rounded explicitly, so that nothing may be contracted; barriers, votes and shuffles stand where
// all threads come; atomics are those whose order does not matter. At the end every register is written out.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::fuzz {

struct Statement {
  enum Kind : uint8_t { line, branch, loop } kind = line;
  std::string text;  // line: instructions; branch: its predicate; loop: its number of turns
  std::vector<Statement> body, otherwise;
};
struct Kernel {
  uint64_t seed = 0;
  std::vector<Statement> body;
};

// "add.rn.f32 {d4}, {4}, {4};": instructions of the golden files with holes for registers.
std::vector<std::string> templates(const std::filesystem::path& golden_folder);

Kernel random_kernel(uint64_t seed, const std::vector<std::string>& templates);
std::string text(const Kernel&);
std::string text(const std::vector<Kernel>&);  // of several, named by seed
std::string name_in_file(uint64_t seed);       // random_17
std::string place_name(size_t byte);           // of the output: "thread 3 %x4_2"

}  // namespace headroom::fuzz
