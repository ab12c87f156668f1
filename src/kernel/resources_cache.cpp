#include "kernel/resources_cache.h"

#include "kernel/cache.h"
#include "kernel/resources.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* cache_schema = "headroom-ptxas/3";

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

}  // namespace headroom
