// cudaDeviceGetAttribute: one row per attribute, read off cudaDeviceProp or the machine.
#include "cudart/properties.h"

namespace headroom::cudart {
namespace {

struct Row {
  cudaDeviceAttr attribute;
  int (*read)(const cudaDeviceProp& p, const Machine& m);
};

#define HEADROOM_ROW(name, value)                                                   \
  {                                                                                 \
    cudaDevAttr##name, []([[maybe_unused]] const cudaDeviceProp& p,                 \
                          [[maybe_unused]] const Machine& m) { return int(value); } \
  }

// clang-format off
constexpr Row rows[] = {
    HEADROOM_ROW(MaxThreadsPerBlock, p.maxThreadsPerBlock),
    HEADROOM_ROW(MaxBlockDimX, p.maxThreadsDim[0]),
    HEADROOM_ROW(MaxBlockDimY, p.maxThreadsDim[1]),
    HEADROOM_ROW(MaxBlockDimZ, p.maxThreadsDim[2]),
    HEADROOM_ROW(MaxGridDimX, p.maxGridSize[0]),
    HEADROOM_ROW(MaxGridDimY, p.maxGridSize[1]),
    HEADROOM_ROW(MaxGridDimZ, p.maxGridSize[2]),
    HEADROOM_ROW(MaxSharedMemoryPerBlock, p.sharedMemPerBlock),
    HEADROOM_ROW(MaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin),
    HEADROOM_ROW(MaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor),
    HEADROOM_ROW(ReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock),
    HEADROOM_ROW(TotalConstantMemory, p.totalConstMem),
    HEADROOM_ROW(WarpSize, p.warpSize),
    HEADROOM_ROW(MaxPitch, p.memPitch),
    HEADROOM_ROW(MaxRegistersPerBlock, p.regsPerBlock),
    HEADROOM_ROW(MaxRegistersPerMultiprocessor, p.regsPerMultiprocessor),
    HEADROOM_ROW(MaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor),
    HEADROOM_ROW(MaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor),
    HEADROOM_ROW(MultiProcessorCount, p.multiProcessorCount),
    HEADROOM_ROW(ComputeCapabilityMajor, p.major),
    HEADROOM_ROW(ComputeCapabilityMinor, p.minor),
    HEADROOM_ROW(ClockRate, m.sm_clock.value_or(0) * 1000),            // kHz
    HEADROOM_ROW(MemoryClockRate, m.memory_clock.value_or(0) * 1000),  // kHz
    HEADROOM_ROW(GlobalMemoryBusWidth, p.memoryBusWidth),
    HEADROOM_ROW(L2CacheSize, p.l2CacheSize),
    HEADROOM_ROW(MaxPersistingL2CacheSize, p.persistingL2CacheMaxSize),
    HEADROOM_ROW(MaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize),
    HEADROOM_ROW(GlobalL1CacheSupported, p.globalL1CacheSupported),
    HEADROOM_ROW(LocalL1CacheSupported, p.localL1CacheSupported),
    HEADROOM_ROW(SingleToDoublePrecisionPerfRatio,
                 m.fp64_per_clock.value_or(0) > 0 ? m.fp32_per_clock.value_or(0) / *m.fp64_per_clock : 0),
    HEADROOM_ROW(GpuOverlap, p.asyncEngineCount > 0),
    HEADROOM_ROW(AsyncEngineCount, p.asyncEngineCount),
    HEADROOM_ROW(KernelExecTimeout, 0),
    HEADROOM_ROW(Integrated, p.integrated),
    HEADROOM_ROW(ComputeMode, cudaComputeModeDefault),
    HEADROOM_ROW(ConcurrentKernels, p.concurrentKernels),
    HEADROOM_ROW(EccEnabled, p.ECCEnabled),
    HEADROOM_ROW(PciBusId, p.pciBusID),
    HEADROOM_ROW(PciDeviceId, p.pciDeviceID),
    HEADROOM_ROW(PciDomainId, p.pciDomainID),
    HEADROOM_ROW(TccDriver, p.tccDriver),
    HEADROOM_ROW(IsMultiGpuBoard, p.isMultiGpuBoard),
    HEADROOM_ROW(MultiGpuBoardGroupID, p.multiGpuBoardGroupID),
    HEADROOM_ROW(CanMapHostMemory, p.canMapHostMemory),
    HEADROOM_ROW(UnifiedAddressing, p.unifiedAddressing),
    HEADROOM_ROW(ManagedMemory, p.managedMemory),
    HEADROOM_ROW(ConcurrentManagedAccess, p.concurrentManagedAccess),
    HEADROOM_ROW(DirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost),
    HEADROOM_ROW(PageableMemoryAccess, p.pageableMemoryAccess),
    HEADROOM_ROW(PageableMemoryAccessUsesHostPageTables, p.pageableMemoryAccessUsesHostPageTables),
    HEADROOM_ROW(HostNativeAtomicSupported, p.hostNativeAtomicSupported),
    HEADROOM_ROW(CanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem),
    HEADROOM_ROW(HostRegisterSupported, p.hostRegisterSupported),
    HEADROOM_ROW(HostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported),
    HEADROOM_ROW(CanFlushRemoteWrites, 0),
    HEADROOM_ROW(StreamPrioritiesSupported, p.streamPrioritiesSupported),
    HEADROOM_ROW(ComputePreemptionSupported, p.computePreemptionSupported),
    HEADROOM_ROW(CooperativeLaunch, p.cooperativeLaunch),
    HEADROOM_ROW(ClusterLaunch, p.clusterLaunch),
    HEADROOM_ROW(MemoryPoolsSupported, p.memoryPoolsSupported),
    HEADROOM_ROW(MemoryPoolSupportedHandleTypes, p.memoryPoolSupportedHandleTypes),
    HEADROOM_ROW(SparseCudaArraySupported, p.sparseCudaArraySupported),
    HEADROOM_ROW(DeferredMappingCudaArraySupported, p.deferredMappingCudaArraySupported),
    HEADROOM_ROW(TimelineSemaphoreInteropSupported, p.timelineSemaphoreInteropSupported),
    HEADROOM_ROW(GPUDirectRDMASupported, p.gpuDirectRDMASupported),
    HEADROOM_ROW(IpcEventSupport, p.ipcEventSupported),
    HEADROOM_ROW(GPUDirectRDMAFlushWritesOptions, 0),
    HEADROOM_ROW(GPUDirectRDMAWritesOrdering, 0),
    HEADROOM_ROW(MemSyncDomainCount, m.cc() >= 90 ? 4 : 1),
    HEADROOM_ROW(D3D12CigSupported, 0),
    HEADROOM_ROW(VulkanCigSupported, 0),
    HEADROOM_ROW(GpuPciDeviceId, 0),
    HEADROOM_ROW(GpuPciSubsystemId, 0),
    HEADROOM_ROW(HostNumaMemoryPoolsSupported, 0),
    HEADROOM_ROW(HostNumaMultinodeIpcSupported, 0),
    HEADROOM_ROW(HostMemoryPoolsSupported, 0),
    HEADROOM_ROW(OnlyPartialHostNativeAtomicSupported, 0),
    HEADROOM_ROW(NumaConfig, p.deviceNumaConfig),
    HEADROOM_ROW(NumaId, -1),
    HEADROOM_ROW(HostNumaId, p.hostNumaId),
    HEADROOM_ROW(MpsEnabled, p.mpsEnabled),
    HEADROOM_ROW(TextureAlignment, p.textureAlignment),
    HEADROOM_ROW(TexturePitchAlignment, p.texturePitchAlignment),
    HEADROOM_ROW(SurfaceAlignment, p.surfaceAlignment),
    HEADROOM_ROW(MaxTexture1DWidth, p.maxTexture1D),
    HEADROOM_ROW(MaxTexture1DLinearWidth, 1 << 28),
    HEADROOM_ROW(MaxTexture1DMipmappedWidth, p.maxTexture1DMipmap),
    HEADROOM_ROW(MaxTexture1DLayeredWidth, p.maxTexture1DLayered[0]),
    HEADROOM_ROW(MaxTexture1DLayeredLayers, p.maxTexture1DLayered[1]),
    HEADROOM_ROW(MaxTexture2DWidth, p.maxTexture2D[0]),
    HEADROOM_ROW(MaxTexture2DHeight, p.maxTexture2D[1]),
    HEADROOM_ROW(MaxTexture2DLinearWidth, p.maxTexture2DLinear[0]),
    HEADROOM_ROW(MaxTexture2DLinearHeight, p.maxTexture2DLinear[1]),
    HEADROOM_ROW(MaxTexture2DLinearPitch, p.maxTexture2DLinear[2]),
    HEADROOM_ROW(MaxTexture2DMipmappedWidth, p.maxTexture2DMipmap[0]),
    HEADROOM_ROW(MaxTexture2DMipmappedHeight, p.maxTexture2DMipmap[1]),
    HEADROOM_ROW(MaxTexture2DGatherWidth, p.maxTexture2DGather[0]),
    HEADROOM_ROW(MaxTexture2DGatherHeight, p.maxTexture2DGather[1]),
    HEADROOM_ROW(MaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]),
    HEADROOM_ROW(MaxTexture2DLayeredHeight, p.maxTexture2DLayered[1]),
    HEADROOM_ROW(MaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]),
    HEADROOM_ROW(MaxTexture3DWidth, p.maxTexture3D[0]),
    HEADROOM_ROW(MaxTexture3DHeight, p.maxTexture3D[1]),
    HEADROOM_ROW(MaxTexture3DDepth, p.maxTexture3D[2]),
    HEADROOM_ROW(MaxTexture3DWidthAlt, p.maxTexture3DAlt[0]),
    HEADROOM_ROW(MaxTexture3DHeightAlt, p.maxTexture3DAlt[1]),
    HEADROOM_ROW(MaxTexture3DDepthAlt, p.maxTexture3DAlt[2]),
    HEADROOM_ROW(MaxTextureCubemapWidth, p.maxTextureCubemap),
    HEADROOM_ROW(MaxTextureCubemapLayeredWidth, p.maxTextureCubemapLayered[0]),
    HEADROOM_ROW(MaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1]),
    HEADROOM_ROW(MaxSurface1DWidth, p.maxSurface1D),
    HEADROOM_ROW(MaxSurface1DLayeredWidth, p.maxSurface1DLayered[0]),
    HEADROOM_ROW(MaxSurface1DLayeredLayers, p.maxSurface1DLayered[1]),
    HEADROOM_ROW(MaxSurface2DWidth, p.maxSurface2D[0]),
    HEADROOM_ROW(MaxSurface2DHeight, p.maxSurface2D[1]),
    HEADROOM_ROW(MaxSurface2DLayeredWidth, p.maxSurface2DLayered[0]),
    HEADROOM_ROW(MaxSurface2DLayeredHeight, p.maxSurface2DLayered[1]),
    HEADROOM_ROW(MaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]),
    HEADROOM_ROW(MaxSurface3DWidth, p.maxSurface3D[0]),
    HEADROOM_ROW(MaxSurface3DHeight, p.maxSurface3D[1]),
    HEADROOM_ROW(MaxSurface3DDepth, p.maxSurface3D[2]),
    HEADROOM_ROW(MaxSurfaceCubemapWidth, p.maxSurfaceCubemap),
    HEADROOM_ROW(MaxSurfaceCubemapLayeredWidth, p.maxSurfaceCubemapLayered[0]),
    HEADROOM_ROW(MaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1]),
};
// clang-format on
#undef HEADROOM_ROW

}  // namespace

bool attribute_of(const Machine& machine, const cudaDeviceProp& properties,
                  cudaDeviceAttr attribute, int& value) {
  for (const Row& row : rows)
    if (row.attribute == attribute) {
      value = row.read(properties, machine);
      return true;
    }
  return false;
}

}  // namespace headroom::cudart
