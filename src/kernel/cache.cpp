// The cache on disk: written beside its place and renamed, so that concurrent writers leave one
// whole file.
#include "kernel/cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/read_file.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path path_of(const std::string& key) { return fs::path(cache_folder()) / (key + ".json"); }

}  // namespace

std::string cache_folder() {
  if (const std::string own = variable("HEADROOM_CACHE"); !own.empty()) return own;
  if (const std::string all = variable("XDG_CACHE_HOME"); !all.empty()) return all + "/headroom";
  if (const std::string home = variable("HOME"); !home.empty()) return home + "/.cache/headroom";
  return "";
}

std::string cache_key(std::string_view content) {
  // Offset basis and prime of FNV-1a for 128 bits.
  unsigned __int128 hash =
      static_cast<unsigned __int128>(0x6c62272e07bb0142) << 64 | 0x62b821756295c58d;
  const unsigned __int128 prime = static_cast<unsigned __int128>(1) << 88 | 0x13b;
  for (const char c : content) hash = (hash ^ static_cast<uint8_t>(c)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash >> 64),
                     static_cast<uint64_t>(hash));
}

std::optional<std::string> cache_read(const std::string& key) {
  if (cache_folder().empty()) return {};
  return read_file(path_of(key), no_file_limit);
}

void cache_write(const std::string& key, const std::string& content) {
  if (cache_folder().empty()) return;
  static std::atomic<unsigned> serial;
  std::error_code ignored;
  fs::create_directories(cache_folder(), ignored);
  const fs::path place = path_of(key);
  const fs::path beside = fmt::format("{}.{}.{}", place.string(), getpid(), serial++);
  std::ofstream file(beside, std::ios::binary);
  file << content;
  file.close();
  if (file) fs::rename(beside, place, ignored);
  if (!file || ignored) fs::remove(beside, ignored);
}

}  // namespace headroom
