// From the parameters of a graph's node to its work, and back.
#pragma once
#include "cudart/enqueue.h"
#include "cudart/graph/graph.h"

namespace headroom::cudart {

// A node of any type. Allocations get their address: it is written to the parameters.
MakeWork work_of(cudaGraphNodeParams&);
MakeWork work_of(const cudaKernelNodeParams*);
MakeWork work_of(const cudaMemcpy3DParms*);
MakeWork work_of(const cudaMemsetParams*);
MakeWork work_of(const cudaHostNodeParams*);
MakeWork work_of(cudaMemAllocNodeParams*);
MakeWork work_of(const void* to, const void* from, size_t bytes, cudaMemcpyKind);
MakeWork record_work(cudaEvent_t);
MakeWork wait_work(cudaEvent_t);
MakeWork child_work(cudaGraph_t);

// What they point to is the node's.
cudaKernelNodeParams told(Node&, const KernelWork&);
cudaMemAllocNodeParams told(Node&, const AllocateWork&);

}  // namespace headroom::cudart
