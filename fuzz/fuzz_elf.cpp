// Any bytes are an ELF file or an Error: its sections, symbols, what the loader is told, and a
// cubin's notes and machine code.
#include <cstdint>
#include <span>

#include "base/error.h"
#include "kernel/cubin_module.h"
#include "kernel/elf.h"
#include "kernel/kernel.h"
#include "kernel/machine_code.h"
#include "sass/print.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headroom;
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const Bytes file(bytes, "file");
    const Elf elf = read_elf(file);
    dynamic_of(elf);
    for (const char* table : {".symtab", ".dynsym"}) elf.symbols(table);
  } catch (const Error&) {
  }
  try {
    cubin_resources(bytes, "file");
  } catch (const Error&) {
  }
  try {
    cubin_module(Bytes(bytes, "file"));
  } catch (const Error&) {
  }
  try {
    const sass::Module module = read_machine_code(Bytes(bytes, "file"));
    for (const sass::Function& function : module.functions) {
      for (const sass::Instruction& instruction : function.instructions) print(instruction);
      for (const sass::SourceLine& line : function.lines) (void)module.files.at(line.file).size();
    }
  } catch (const Error&) {
  }
  return 0;
}
