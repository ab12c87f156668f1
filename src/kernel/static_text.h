// The functions of a runtime in a stripped file: the text of libcudart_static.a is looked for in the file's.
//
//   Bytes archive{…, "/usr/local/cuda/lib64/libcudart_static.a"};
//   functions_by_text(app, archive)   --> {{"cudaMalloc", 0x5b240}, …}, or nothing: another release
//
// The archive has one member with one section .text. The linker changes what its relocations name and no
// other byte of it, but for instructions that it relaxes.
#pragma once
#include "kernel/static_runtime.h"

namespace headroom {

// {"/usr/local/cuda/lib64/libcudart_static.a"}, of every toolkit there is, first of the one that came with the file.
std::vector<std::string> static_runtime_archives(const std::string& file = "");

std::vector<StaticFunction> functions_by_text(const Elf& stripped, const Bytes& archive);

}  // namespace headroom
