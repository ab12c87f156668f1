// PTX that tries computing forms, loads, stores and atomics: every spelling of a form on every row of the input, one kernel a form, one file an opcode.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "ptx/forms.h"

namespace headroom::golden {

struct Candidate {
  const ptx::Form* form = nullptr;
  std::string spelling;
  std::vector<std::string> before;  // instructions that prepare operands
  std::string instruction;          // "add.u32 %d4, %a_i32, %b_i32;"
  std::vector<std::string> after;   // what turns its results into %d4 … and %e4 …
  std::vector<std::string> stores;  // "b32 %d4" at +0, then at +8
  std::set<std::string> operands;   // "%a_i32" … that it reads
};

bool is_generated(const ptx::Form&);  // computes on registers, or is a load, store or atomic
bool is_memory(const ptx::Form&);     // the latter (generate_memory.cpp)
std::vector<Candidate> candidates(const ptx::Form&);
std::vector<std::string> generated_opcodes();
std::vector<Candidate> memory_candidates(const ptx::Form&);
std::string memory_prologue(bool policy);
std::string text_of(
    const std::vector<Candidate>&);  // a golden file; kernels are named after opcode and form

}  // namespace headroom::golden
