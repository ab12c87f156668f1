// The two compressions nvcc uses inside fat binaries: zstd (--compress-mode default, balance, size)
// and LZ4 blocks (--compress-mode speed, and every toolkit before 12.8).
#pragma once
#include <string>

#include "kernel/bytes.h"

namespace headroom {

// Exactly `size` bytes, or Error.
std::string decompress_zstd(const Bytes& packed, uint64_t size);
std::string decompress_lz4(const Bytes& packed, uint64_t size);

}  // namespace headroom
