// Objects of the program that live as long as graphs refer to them: counted, and destroyed with their
// last reference.
//
//   UserObject* object = create_object(&data, destroy, 1);
//   keep(graph, *object, 1, true);   the program's only reference is now the graph's
#pragma once
#include "device/graph/graph.h"

namespace headroom::device {

struct UserObject {
  void* what = nullptr;
  HostFunction destroy = nullptr;
  uint64_t references = 0;  // all
  uint64_t own = 0;         // of them the program's: it may not give away what graphs hold
};

UserObject* create_object(void* what, HostFunction destroy, uint64_t references);
bool is_live(const UserObject*);

// Of the program's own references.
void retain(UserObject&, uint64_t references);
Status release(UserObject&, uint64_t references);
// Of a graph's: new ones, or some that are moved from the program's.
Status keep(Graph&, UserObject&, uint64_t references, bool moved);
Status let_go(Graph&, UserObject&, uint64_t references);
// What a graph kept, when it ends; the last reference destroys the object.
void drop(UserObject*, uint64_t references);

}  // namespace headroom::device
