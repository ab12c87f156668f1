// What a reader of the kernels' table should know beside its columns, where it matters.
//
//   "32-way bank conflicts; 84 B of spills a thread"   ""
#pragma once
#include <string>

#include "model/explanation.h"
#include "report/document.h"

namespace headroom {

// At most three, the first the most important; empty: there is nothing of note.
std::string kernel_notes(const Explanation&, const KernelGroup&);

// "naive: 32-way bank conflicts", a kernel a line, of those that have any.
List kernel_notes(const Explanation&);

}  // namespace headroom
