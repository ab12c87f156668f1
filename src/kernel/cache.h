// Results kept between runs, one small file per key, safe against other processes: a reader sees a
// whole file or none.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// $HEADROOM_CACHE, $XDG_CACHE_HOME/headroom or ~/.cache/headroom; "" when there is no such place.
std::string cache_folder();
// 32 hexadecimal digits (FNV-1a, 128 bits).
std::string cache_key(std::string_view content);
std::optional<std::string> cache_read(const std::string& key);
// A cache that cannot be written is no error: the next run computes again.
void cache_write(const std::string& key, const std::string& content);

}  // namespace headroom
