// Any bytes are an image (fat binaries, a cubin, PTX) or an Error; so are the ELF files inside.
#include <cstdint>
#include <span>

#include "base/error.h"
#include "kernel/kernel.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace headroom;
  try {
    const Image image = read_image(std::as_bytes(std::span(data, size)), "image");
    for (const Image& module : modules_of(image)) {
      for (const ImageEntry& entry : module.entries)
        if (entry.kind == ImageEntry::Kind::cubin)
          cubin_resources(std::as_bytes(std::span(entry.text)), "cubin");
      choose_ptx(module, 90, "", "image");
    }
  } catch (const Error&) {
  }
  return 0;
}
