// Code linked at run time: inputs are added one after the other, and the whole is an image that can be loaded.
//
//   Linker& linker = make_linker(session, "-maxrregcount=40");
//   add(session, linker, {Input::ptx, text, "a.ptx"});   complete(session, linker);
//   linker.code                                          a cubin; PTX where the machine runs no machine code
#pragma once
#include "device/session.h"
#include "kernel/link_code.h"
#include "ptx/module.h"

namespace headroom::device {

struct Input {
  enum Kind {
    cubin,
    ptx,
    fat_binary,
    object,
    library
  } kind = ptx;  // numbered as the driver API does
  std::vector<std::byte> bytes;
  std::string name;
};

struct Linker {
  std::string options;  // of ptxas
  std::vector<LinkPart> parts;
  std::vector<ptx::Module> modules;  // where the machine runs PTX alone
  std::vector<std::byte> code;
  std::string errors;  // what the tools complained of
};

Linker& make_linker(Session&, std::string options);
Linker* find_linker(Session&, const void* handle);  // null: none
void destroy(Session&, Linker&);
// invalid_ptx, invalid_image; what was wrong stands in `errors`.
Status add(Session&, Linker&, Input);
Status complete(Session&, Linker&);

}  // namespace headroom::device
