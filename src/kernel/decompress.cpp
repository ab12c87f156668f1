// zstd by its library; an LZ4 block is a row of {token, literals, distance back, copy}: see the
// block format at github.com/lz4/lz4, doc/lz4_Block_format.md.
//
//   13 0a 01 00  f4 4a 2e…   token 0x13: one literal (0a), then 3 + 4 bytes from one byte back:
//                            eight newlines
#include "kernel/decompress.h"

#include <zstd.h>

#include <algorithm>

namespace headroom {
namespace {

// A damaged size field must not ask for all of memory: neither format packs text tighter than this.
constexpr uint64_t largest_ratio = 20'000;

std::string room_for(const Bytes& packed, uint64_t size) {
  if (size > (packed.size() + 1) * largest_ratio)
    packed.fail(0, fmt::format("damaged image: {} bytes said to hold {}", packed.size(), size));
  return std::string(size, '\0');
}

}  // namespace

std::string decompress_zstd(const Bytes& packed, uint64_t size) {
  std::string plain = room_for(packed, size);
  const size_t written =
      ZSTD_decompress(plain.data(), plain.size(), packed.span().data(), packed.size());
  if (ZSTD_isError(written))
    packed.fail(0, fmt::format("damaged zstd data ({})", ZSTD_getErrorName(written)),
                "build the program again, perhaps with nvcc --compress-mode none");
  if (written != size)
    packed.fail(0, fmt::format("damaged image: {} bytes unpacked, {} announced", written, size));
  return plain;
}

std::string decompress_lz4(const Bytes& packed, uint64_t size) {
  room_for(packed, size);
  std::string plain;
  plain.reserve(size);
  uint64_t at = 0;
  auto next = [&] { return packed.read<uint8_t>(at++); };
  auto length = [&](uint64_t nibble) {
    if (nibble < 15) return nibble;
    for (uint8_t more = 255; more == 255; nibble += more) more = next();
    return nibble;
  };
  while (at < packed.size() && plain.size() < size) {
    const uint8_t token = next();
    const uint64_t literals = length(token >> 4);
    plain += packed.slice(at, literals).text();
    at += literals;
    if (at == packed.size() || plain.size() >= size) break;  // the last row has literals only
    const uint64_t distance = packed.read<uint16_t>(at);
    at += 2;
    const uint64_t copy = length(token & 15) + 4;
    if (distance == 0 || distance > plain.size() || copy > size - plain.size())
      packed.fail(at - 2, "damaged LZ4 data");
    // Byte by byte: a copy may reach into what it has just written.
    for (uint64_t i = 0; i < copy; ++i) plain.push_back(plain[plain.size() - distance]);
  }
  if (plain.size() != size)
    packed.fail(0,
                fmt::format("damaged image: {} bytes unpacked, {} announced", plain.size(), size));
  return plain;
}

}  // namespace headroom
