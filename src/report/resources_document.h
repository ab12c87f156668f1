// What a kernel takes of an SM.
//
//   Resources  from ptxas 13.0.88 -arch=sm_90
//     registers 32 a thread; shared memory 8192 B static + 0 B dynamic a block
//     stack 0 B a thread; spills 0 B stored, 0 B loaded
#pragma once
#include "record/record.h"
#include "report/document.h"

namespace headroom {

Document resources_document(const Resources&, uint64_t dynamic_shared);

}  // namespace headroom
