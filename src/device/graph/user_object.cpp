#include "device/graph/user_object.h"

#include <set>

#include "device/enter.h"

namespace headroom::device {
namespace {

std::set<const UserObject*>& living() {
  static auto* only = new std::set<const UserObject*>;
  return *only;
}

}  // namespace

UserObject* create_object(void* what, HostFunction destroy, uint64_t references) {
  auto* object = new UserObject{what, destroy, references, references};
  living().insert(object);
  return object;
}

bool is_live(const UserObject* object) { return living().count(object) > 0; }

void retain(UserObject& object, uint64_t references) {
  object.references += references;
  object.own += references;
}

Status release(UserObject& object, uint64_t references) {
  if (object.own < references) return Status::invalid_value;
  object.own -= references;
  drop(&object, references);
  return Status::ok;
}

Status keep(Graph& graph, UserObject& object, uint64_t references, bool moved) {
  if (moved && object.own < references) return Status::invalid_value;
  if (moved)
    object.own -= references;
  else
    object.references += references;
  graph.kept[&object] += references;
  return Status::ok;
}

Status let_go(Graph& graph, UserObject& object, uint64_t references) {
  auto kept = graph.kept.find(&object);
  if (kept == graph.kept.end() || kept->second < references) return Status::invalid_value;
  if ((kept->second -= references) == 0) graph.kept.erase(kept);
  drop(&object, references);
  return Status::ok;
}

void drop(UserObject* object, uint64_t references) {
  object->references -= references;
  if (object->references) return;
  living().erase(object);
  const UserObject gone = *object;
  delete object;
  unlocked([&] { gone.destroy(gone.what); });
}

}  // namespace headroom::device
