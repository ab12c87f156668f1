#include "device/host_frames.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>

#include <array>
#include <filesystem>
#include <vector>

namespace headroom::device {
namespace {

constexpr int most_frames = 64;
constexpr size_t most_kept = 6;  // those above are hardly the call's

struct FramePlace {
  const link_map* file = nullptr;
  uint64_t address = 0;
};

FramePlace place_of(void* address) {
  Dl_info info;
  void* file = nullptr;
  if (!dladdr1(address, &info, &file, RTLD_DL_LINKMAP)) return {};
  const auto* map = static_cast<const link_map*>(file);
  return {map, reinterpret_cast<uint64_t>(address) - map->l_addr};
}

// The program itself has no name there.
std::string name_of(const link_map& file) {
  if (*file.l_name) return file.l_name;
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

}  // namespace

std::string host_place(const void* code) {
  const FramePlace place = place_of(const_cast<void*>(code));
  return place.file ? fmt::format("{}+{:#x}", name_of(*place.file), place.address) : "";
}

std::string host_frames() {
  std::array<void*, most_frames> addresses;
  const int count = backtrace(addresses.data(), most_frames);
  const link_map* ours = place_of(reinterpret_cast<void*>(&host_frames)).file;
  std::vector<std::string> frames;
  for (int n = 0; n < count && frames.size() < most_kept; ++n) {
    const FramePlace place = place_of(addresses[size_t(n)]);
    if (!place.file || place.file == ours) continue;
    const uint64_t call = place.address - 1;  // not where it returns to
    frames.push_back(fmt::format("{}+{:#x}", name_of(*place.file), call));
  }
  return fmt::format("{}", fmt::join(frames, "\n"));
}

}  // namespace headroom::device
