// Which device may use which one's memory. A kernel's access to another device's is illegal unless that
// device let it in: by peer access, by its pool's own rule, or by the node of a graph that allocated it.
// Copies between devices need none of this, and managed memory and the host's is everyone's.
//
//   enable_peer(session, 1)    the thread's device may use what lies on device 1
//   set_access(session, …)     what was allocated, or changed since: the executor knows it now
#pragma once
#include "device/session.h"
#include "sim/loaded.h"

namespace headroom::device {

Status enable_peer(Session&, int peer);
Status disable_peer(Session&, int peer);

void set_access(Session&);  // of all memory: who may use it has changed
void set_access(Session&, const Allocation&);
void set_access(Session&, const Binary&, const sim::LoadedModule&, int device);  // its variables

}  // namespace headroom::device
