// Resources to JSON and back, from one list of fields.
#include "kernel/resources.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

struct Field {
  const char* name;
  std::optional<int> Resources::*value;
};
constexpr Field fields[] = {
    {"registers", &Resources::registers},
    {"static_shared", &Resources::static_shared},
    {"stack", &Resources::stack},
    {"spill_stores", &Resources::spill_stores},
    {"spill_loads", &Resources::spill_loads},
    {"constant", &Resources::constant},
    {"max_threads", &Resources::max_threads},
};

}  // namespace

Json to_json(const std::vector<Caveat>& caveats) {
  Json list = Json::array();
  for (const Caveat& caveat : caveats)
    list.push_back({{"what", caveat.what}, {"cause", caveat.cause}, {"advice", caveat.advice}});
  return list;
}

std::vector<Caveat> caveats_from(const Json& list) {
  std::vector<Caveat> caveats;
  for (const Json& item : list)
    caveats.push_back({item.at("what"), item.at("cause"), item.at("advice")});
  return caveats;
}

Json to_json(const Resources& resources) {
  Json json = Json::object();
  for (const Field& field : fields)
    if (resources.*field.value) json[field.name] = *(resources.*field.value);
  if (resources.accesses_kept) json["accesses_kept"] = *resources.accesses_kept;
  json["from"] = resources.from;
  if (!resources.caveats.empty()) json["caveats"] = to_json(resources.caveats);
  return json;
}

Resources resources_from(const Json& json) {
  Resources resources;
  for (const Field& field : fields)
    if (json.contains(field.name)) resources.*field.value = json.at(field.name).get<int>();
  if (json.contains("accesses_kept"))
    resources.accesses_kept = json.at("accesses_kept").get<bool>();
  resources.from = json.at("from");
  if (json.contains("caveats")) resources.caveats = caveats_from(json.at("caveats"));
  return resources;
}

}  // namespace headroom
