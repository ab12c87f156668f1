#include "kernel/resources_cache.h"

#include <span>

#include "kernel/cache.h"
#include "kernel/resources.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* cache_schema = "headroom-ptxas/3";

constexpr size_t sum_bytes = 32;  // of a cubin's own key, in front of it

std::string key_of_code(const std::string& question) { return cache_key("cubin\n" + question); }

}  // namespace

std::optional<std::map<std::string, Resources>> cached_resources(const std::string& question) {
  const auto text = cache_read(cache_key(question));
  if (!text) return {};
  try {
    const Json json = Json::parse(*text);
    if (json.at("schema") != cache_schema) return {};
    std::map<std::string, Resources> kernels;
    for (const auto& [name, resources] : json.at("kernels").items())
      kernels[name] = resources_from(resources);
    return kernels;
  } catch (const Json::exception&) {
    return {};  // damaged: computed again and replaced
  }
}

void cache_resources(const std::string& question, const std::map<std::string, Resources>& kernels) {
  Json json{{"schema", cache_schema}, {"kernels", Json::object()}};
  for (const auto& [name, resources] : kernels) json["kernels"][name] = to_json(resources);
  cache_write(cache_key(question), json.dump() + "\n");
}

std::optional<std::vector<std::byte>> cached_code(const std::string& question) {
  const auto text = cache_read(key_of_code(question));
  if (!text || text->size() <= sum_bytes) return {};
  const std::string_view sum = std::string_view(*text).substr(0, sum_bytes),
                         content = std::string_view(*text).substr(sum_bytes);
  if (sum != cache_key(content)) return {};  // damaged: made again and replaced
  const auto bytes = std::as_bytes(std::span(content));
  return std::vector(bytes.begin(), bytes.end());
}

void cache_code(const std::string& question, const std::vector<std::byte>& cubin) {
  if (cubin.empty()) return;
  const std::string content(reinterpret_cast<const char*>(cubin.data()), cubin.size());
  cache_write(key_of_code(question), cache_key(content) + content);
}

}  // namespace headroom
