// A finding is a fault of the user's program, with its place.
//
//   {"kind": "illegal_global_load", "kernel": "saxpy(float*)", "source": "saxpy.cu:12", "thread": [5,0,0],
//    "block": [3,0,0], "address": "0x1000400",
//    "what": "4-byte load 0 bytes past the end of an allocation of 1024 bytes"}
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace headroom {

struct Finding {
  std::string
      kind;  // illegal_global_load, illegal_shared_store, misaligned_…, barrier_deadlock, trap, assert …
  std::string kernel;  // demangled
  std::string
      source;  // "file.cu:12", or "PTX line 40 (compile with -lineinfo for the source line)"
  std::string instruction;  // as printed PTX
  std::array<unsigned, 3> block{}, thread{};
  std::optional<uint64_t> address;  // where the fault is about one
  std::string what;                 // one sentence
  int cuda_error = 0;               // the code a GPU would give (700, 716, 719, 710 …); 0: none
  // The other side, of two accesses in no order; none of faults of one.
  struct Party {
    std::string use;  // load, store, atomic; of no kernel: copy, fill, allocation, free
    std::string source, instruction;
    std::array<unsigned, 3> block{}, thread{};
    std::string kernel;  // of another launch; else empty
    friend bool operator==(const Party&, const Party&) = default;
  };
  std::optional<Party> other;
  std::string advice;  // what to do; may be empty
  uint64_t times = 1;  // that it was seen in this launch, at these instructions
  friend bool operator==(const Finding&, const Finding&) = default;
};

// The caveat of a launch that was looked at for neither of two classes of faults.
inline constexpr const char* not_checked_for_races =
    "not checked for races and for bytes that were never written";

}  // namespace headroom
