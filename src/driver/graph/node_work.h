// From the parameters of a graph's node to its work, and back.
#pragma once
#include "device/submit.h"
#include "driver/graph/graph.h"

namespace headroom::driver {

// A node of any type. Allocations get their address: it is written to the parameters.
Maker work_of(CUgraphNodeParams*);
Maker work_of(const CUDA_KERNEL_NODE_PARAMS*);
Maker work_of(const CUDA_MEMCPY3D*);
Maker work_of(const CUDA_MEMSET_NODE_PARAMS*);
Maker work_of(const CUDA_HOST_NODE_PARAMS*);
Maker work_of(CUDA_MEM_ALLOC_NODE_PARAMS*);
Maker empty_work();
Maker record_work(CUevent);
Maker wait_work(CUevent);
Maker child_work(CUgraph);
Maker release_work(CUdeviceptr);

// What they point to is the node's.
CUDA_KERNEL_NODE_PARAMS told(Node&, const KernelWork&);
CUDA_MEM_ALLOC_NODE_PARAMS told(Node&, const AllocateWork&);
CUDA_MEMCPY3D told(const Session&, const CopyWork&);
CUDA_MEMSET_NODE_PARAMS told(const FillWork&);

}  // namespace headroom::driver
