// Functions: their attributes, parameters and occupancy. A CUkernel is its CUfunction.
#include <cstring>

#include "device/execute.h"
#include "device/footprint.h"
#include "device/modules.h"
#include "device/residency.h"
#include "driver/driver.h"
#include "driver/launch.h"

namespace headroom::driver {
namespace {

CUresult with_kernel(const void* handle, const std::function<Status(Session&, Kernel&)>& body) {
  return answer(Need::device, [&](Session& session) {
    Kernel* kernel = registry().kernel(handle);
    return kernel ? body(session, *kernel) : Status::invalid_handle;
  });
}

Status tell(Session& session, Kernel& kernel, CUfunction_attribute attribute, int& out) {
  const Footprint footprint = footprint_of(session, kernel);
  const ptx::Function& entry = headroom::device::function(session, kernel);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: out = most_threads(session, footprint); break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: out = int(footprint.static_shared); break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: out = int(footprint.constant); break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: out = int(footprint.local); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: out = footprint.resources.registers.value_or(0); break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: out = kernel.binary->loaded->architecture; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: out = session.machine.cc(); break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: out = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      out = int(footprint.max_dynamic_shared);
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: out = kernel.carveout; break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      out = entry.explicit_cluster && !entry.cluster[0];
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: out = int(entry.cluster[0]); break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: out = int(entry.cluster[1]); break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: out = int(entry.cluster[2]); break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      out = kernel.non_portable_clusters;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: out = 0; break;
    default: return Status::invalid_value;
  }
  return Status::ok;
}

Status set(Session& session, Kernel& kernel, CUfunction_attribute attribute, int value) {
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return set_dynamic_shared(session, kernel, value);
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return set_carveout(kernel, value);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      kernel.non_portable_clusters = value != 0;
      return Status::ok;
    default: return Status::invalid_value;
  }
}

CUresult get_attribute(int* out, CUfunction_attribute attribute, const void* handle) {
  return with_kernel(handle, [&](Session& session, Kernel& kernel) {
    return out ? tell(session, kernel, attribute, *out) : Status::invalid_value;
  });
}
CUresult set_attribute(const void* handle, CUfunction_attribute attribute, int value) {
  return with_kernel(handle, [&](Session& session, Kernel& kernel) {
    return set(session, kernel, attribute, value);
  });
}
CUresult get_name(const char** name, const void* handle) {
  return with_kernel(handle, [&](Session&, Kernel& kernel) {
    if (!name) return Status::invalid_value;
    *name = kernel.name.c_str();
    return Status::ok;
  });
}
// Where a kernel's parameters lie is asked of the one that is loaded in a context.
CUresult get_parameter(const void* handle, size_t index, size_t* offset, size_t* size) {
  return in_context([&](Session& session) {
    Kernel* kernel = registry().kernel(handle);
    if (!kernel) return Status::invalid_handle;
    const auto& parameters = headroom::device::function(session, *kernel).parameters;
    if (!offset || index >= parameters.size()) return Status::invalid_value;
    *offset = parameter_offsets(session, *kernel)[index];
    if (size) *size = parameters[index].bytes;
    return Status::ok;
  });
}

CUresult tell_resident(int* blocks, CUfunction function, int threads, size_t dynamic_shared) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!blocks || threads <= 0) return Status::invalid_value;
    *blocks = resident_blocks(session, kernel, threads, dynamic_shared);
    return Status::ok;
  });
}

// The block size with most threads on an SM; of equals the largest. The program's function may call CUDA itself,
// so that each question enters anew.
CUresult best_block(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size_of,
                    size_t dynamic_shared, int limit) {
  if (!grid || !block) return CUDA_ERROR_INVALID_VALUE;
  int most = 0, sms = 0, best = 0;
  const CUresult known = with_kernel(function, [&](Session& session, Kernel& kernel) {
    most = most_threads(session, footprint_of(session, kernel));
    sms = int(*session.machine.sm_count);
    return Status::ok;
  });
  if (known) return known;
  for (int threads = limit > 0 ? std::min(limit, most) : most; threads > 0;
       threads -= threads % 32 ? threads % 32 : 32) {
    int resident = 0;
    const size_t shared = size_of ? size_of(threads) : dynamic_shared;
    if (const CUresult error = tell_resident(&resident, function, threads, shared)) return error;
    if (resident * threads <= best) continue;
    best = resident * threads;
    *block = threads;
    *grid = resident * sms;
  }
  return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace
}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuFuncGetAttribute(int* out, CUfunction_attribute attribute, CUfunction function) {
  return get_attribute(out, attribute, function);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return set_attribute(function, attribute, value);
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return with_kernel(function, [](Session&, Kernel&) { return Status::ok; });
}
CUresult cuFuncGetName(const char** name, CUfunction function) { return get_name(name, function); }
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
  return get_parameter(function, index, offset, size);
}
CUresult cuFuncLoad(CUfunction function) {
  return with_kernel(function, [](Session&, Kernel&) { return Status::ok; });
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* out, CUfunction function) {
  return with_kernel(function, [&](Session&, Kernel&) {
    if (!out) return Status::invalid_value;
    *out = CU_FUNCTION_LOADING_STATE_LOADED;
    return Status::ok;
  });
}

CUresult cuKernelGetAttribute(int* out, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
  return get_attribute(out, attribute, kernel);
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return set_attribute(kernel, attribute, value);
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) {
  return with_kernel(kernel, [](Session&, Kernel&) { return Status::ok; });
}
CUresult cuKernelGetName(const char** name, CUkernel kernel) { return get_name(name, kernel); }
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return get_parameter(kernel, index, offset, size);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared) {
  return tell_resident(blocks, function, threads, dynamic_shared);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, size_t dynamic_shared,
                                                              unsigned) {
  return tell_resident(blocks, function, threads, dynamic_shared);
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize size_of, size_t dynamic_shared,
                                          int limit) {
  return best_block(grid, block, function, size_of, dynamic_shared, limit);
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize size_of,
                                                   size_t dynamic_shared, int limit, unsigned) {
  return best_block(grid, block, function, size_of, dynamic_shared, limit);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!bytes || blocks <= 0 || threads <= 0 ||
        resident_blocks(session, kernel, threads, 0) < blocks)
      return Status::invalid_value;
    *bytes = most_dynamic_shared(session, kernel, blocks, threads);
    return Status::ok;
  });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function,
                                            const CUlaunchConfig* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!size || !config) return Status::invalid_value;
    uint64_t blocks = 0;
    const Status status = largest_cluster_of(session, kernel, request_of(*config).shape, blocks);
    if (!failed(status)) *size = int(blocks);
    return status;
  });
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function,
                                      const CUlaunchConfig* config) {
  return with_kernel(function, [&](Session& session, Kernel& kernel) {
    if (!clusters || !config) return Status::invalid_value;
    const Request request = request_of(*config);
    *clusters = int(resident_clusters(session, kernel, request.shape, request.preferred));
    return Status::ok;
  });
}
}
