// What a kernel's printf writes: formats are read here, so that no format can do more than write
// bounded text, and what a launch wrote is held in a buffer of bounded size.
//
//   format_printf("%3d|%-8s|%.2f\n", arguments)   arguments: 4-byte int, 8-byte pointer and double
//   "  7|ab      |0.50\n"
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::sim {

struct PrintfArguments {
  std::function<uint64_t(int bytes)> take;  // the next one, of 4 or 8 bytes
  // At most `limit` characters of a string; empty function result: up to its end.
  std::function<std::string(uint64_t address, uint64_t limit)> text;
};

struct Formatted {
  std::string text;
  int arguments = 0;  // taken
};

// As C has it, in bounds: widths and precisions above 4 096 count as 4 096, and one call writes no
// more than 1 MiB. %n is written as it stands, as a GPU does; so is what is no conversion.
Formatted format_printf(std::string_view format, const PrintfArguments&);

struct Printed {  // by a block
  uint64_t block;
  std::string text;
};

// The buffer of a launch, as large as cudaLimitPrintfFifoSize says: what is oldest is overwritten.
class PrintfBuffer {
 public:
  // Oldest means first written, where blocks run in an order of their own; else of the lowest block.
  void begin(uint64_t capacity, bool ordered);
  void add(uint64_t block, std::string_view text);
  // Takes what another host thread of the same launch printed, up to that block.
  void take(PrintfBuffer&, uint64_t last_block);
  std::string text();  // in order; whole lines, where some were overwritten
  uint64_t overwritten() const { return written_ - held_; }  // bytes

 private:
  void drop_oldest();
  uint64_t capacity_ = 1 << 20, held_ = 0, written_ = 0;
  bool ordered_ = false;
  std::vector<Printed> parts_;
};

}  // namespace headroom::sim
