// The device's properties in the words of cudaDeviceProp.
#include "cudart/properties.h"

#include <algorithm>
#include <iterator>

#include "device/properties.h"

namespace headroom::cudart {
namespace {

template <class T, class U>
void set(T& to, const U& from) {
  if constexpr (std::is_array_v<T>)
    std::copy(std::begin(from), std::end(from), to);
  else
    to = T(from);
}

}  // namespace

cudaDeviceProp told(const Properties& from) {
  cudaDeviceProp p{};
  set(p.name, from.name);
  std::copy(std::begin(from.uuid), std::end(from.uuid), p.uuid.bytes);
  set(p.totalGlobalMem, from.total_global_mem);
  set(p.sharedMemPerBlock, from.shared_mem_per_block);
  set(p.regsPerBlock, from.regs_per_block);
  set(p.warpSize, from.warp_size);
  set(p.memPitch, from.mem_pitch);
  set(p.maxThreadsPerBlock, from.max_threads_per_block);
  set(p.maxThreadsDim, from.max_threads_dim);
  set(p.maxGridSize, from.max_grid_size);
  set(p.totalConstMem, from.total_const_mem);
  set(p.major, from.major);
  set(p.minor, from.minor);
  set(p.textureAlignment, from.texture_alignment);
  set(p.texturePitchAlignment, from.texture_pitch_alignment);
  set(p.multiProcessorCount, from.multi_processor_count);
  set(p.integrated, from.integrated);
  set(p.canMapHostMemory, from.can_map_host_memory);
  set(p.maxTexture1D, from.max_texture_1d);
  set(p.maxTexture1DMipmap, from.max_texture_1d_mipmap);
  set(p.maxTexture2D, from.max_texture_2d);
  set(p.maxTexture2DMipmap, from.max_texture_2d_mipmap);
  set(p.maxTexture2DLinear, from.max_texture_2d_linear);
  set(p.maxTexture2DGather, from.max_texture_2d_gather);
  set(p.maxTexture3D, from.max_texture_3d);
  set(p.maxTexture3DAlt, from.max_texture_3d_alt);
  set(p.maxTextureCubemap, from.max_texture_cubemap);
  set(p.maxTexture1DLayered, from.max_texture_1d_layered);
  set(p.maxTexture2DLayered, from.max_texture_2d_layered);
  set(p.maxTextureCubemapLayered, from.max_texture_cubemap_layered);
  set(p.maxSurface1D, from.max_surface_1d);
  set(p.maxSurface2D, from.max_surface_2d);
  set(p.maxSurface3D, from.max_surface_3d);
  set(p.maxSurface1DLayered, from.max_surface_1d_layered);
  set(p.maxSurface2DLayered, from.max_surface_2d_layered);
  set(p.maxSurfaceCubemap, from.max_surface_cubemap);
  set(p.maxSurfaceCubemapLayered, from.max_surface_cubemap_layered);
  set(p.surfaceAlignment, from.surface_alignment);
  set(p.concurrentKernels, from.concurrent_kernels);
  set(p.ECCEnabled, from.ecc_enabled);
  set(p.pciBusID, from.pci_bus_id);
  set(p.pciDeviceID, from.pci_device_id);
  set(p.pciDomainID, from.pci_domain_id);
  set(p.tccDriver, from.tcc_driver);
  set(p.asyncEngineCount, from.async_engine_count);
  set(p.unifiedAddressing, from.unified_addressing);
  set(p.memoryBusWidth, from.memory_bus_width);
  set(p.l2CacheSize, from.l2_cache_size);
  set(p.persistingL2CacheMaxSize, from.persisting_l2_cache_max_size);
  set(p.maxThreadsPerMultiProcessor, from.max_threads_per_multi_processor);
  set(p.streamPrioritiesSupported, from.stream_priorities_supported);
  set(p.globalL1CacheSupported, from.global_l1_cache_supported);
  set(p.localL1CacheSupported, from.local_l1_cache_supported);
  set(p.sharedMemPerMultiprocessor, from.shared_mem_per_multiprocessor);
  set(p.regsPerMultiprocessor, from.regs_per_multiprocessor);
  set(p.managedMemory, from.managed_memory);
  set(p.isMultiGpuBoard, from.is_multi_gpu_board);
  set(p.multiGpuBoardGroupID, from.multi_gpu_board_group_id);
  set(p.hostNativeAtomicSupported, from.host_native_atomic_supported);
  set(p.pageableMemoryAccess, from.pageable_memory_access);
  set(p.concurrentManagedAccess, from.concurrent_managed_access);
  set(p.computePreemptionSupported, from.compute_preemption_supported);
  set(p.canUseHostPointerForRegisteredMem, from.can_use_host_pointer_for_registered_mem);
  set(p.cooperativeLaunch, from.cooperative_launch);
  set(p.sharedMemPerBlockOptin, from.shared_mem_per_block_optin);
  set(p.pageableMemoryAccessUsesHostPageTables, from.pageable_memory_access_uses_host_page_tables);
  set(p.directManagedMemAccessFromHost, from.direct_managed_mem_access_from_host);
  set(p.maxBlocksPerMultiProcessor, from.max_blocks_per_multi_processor);
  set(p.accessPolicyMaxWindowSize, from.access_policy_max_window_size);
  set(p.reservedSharedMemPerBlock, from.reserved_shared_mem_per_block);
  set(p.hostRegisterSupported, from.host_register_supported);
  set(p.sparseCudaArraySupported, from.sparse_cuda_array_supported);
  set(p.hostRegisterReadOnlySupported, from.host_register_read_only_supported);
  set(p.timelineSemaphoreInteropSupported, from.timeline_semaphore_interop_supported);
  set(p.memoryPoolsSupported, from.memory_pools_supported);
  set(p.gpuDirectRDMASupported, from.gpu_direct_rdma_supported);
  set(p.memoryPoolSupportedHandleTypes, from.memory_pool_supported_handle_types);
  set(p.deferredMappingCudaArraySupported, from.deferred_mapping_cuda_array_supported);
  set(p.ipcEventSupported, from.ipc_event_supported);
  set(p.clusterLaunch, from.cluster_launch);
  set(p.deviceNumaConfig, from.device_numa_config);
  set(p.mpsEnabled, from.mps_enabled);
  set(p.hostNumaId, from.host_numa_id);
  return p;
}

}  // namespace headroom::cudart
