// CUDA's driver API, as far as programs and libraries reach it through cudaGetDriverEntryPoint: a face
// of the device, beside cudart/. A context is a device's primary one, so its handle only says which
// device.
// A call is found by name (device/driver_entry.h).
//
//   CUresult context_device(CUdevice*)   cuCtxGetDevice
#pragma once
#include <cuda.h>

#include <functional>

#include "device/enter.h"

namespace headroom::driver {

using namespace device;

// The device's status as the driver API numbers it: error.cpp says that they agree.
constexpr CUresult code_of(Status status) { return CUresult(status); }

// Enters the device; the driver API has no last error to remember.
CUresult answer(Need, const std::function<Status(Session&)>& body);

inline constexpr int version = 13000;  // CUDA 13.0: the toolkit whose programs we run

// error.cpp
CUresult error_name(CUresult, const char** text);
CUresult error_text(CUresult, const char** text);

// devices.cpp
CUresult init(unsigned flags);
CUresult driver_version(int*);
CUresult device_get(CUdevice*, int ordinal);
CUresult device_count(int*);
CUresult device_attribute(int* value, CUdevice_attribute, CUdevice);
CUresult device_name(char* name, int size, CUdevice);
CUresult device_memory(size_t* bytes, CUdevice);
CUresult memory_info(size_t* left, size_t* all);

// contexts.cpp
CUresult context_device(CUdevice*);
CUresult context_current(CUcontext*);
CUresult context_set(CUcontext);
CUresult primary_retain(CUcontext*, CUdevice);
CUresult primary_release(CUdevice);

// waits.cpp
CUresult context_synchronise();
CUresult stream_synchronise(CUstream);
CUresult stream_query(CUstream);

// tensor_map.cpp
CUresult tensor_map_encode_tiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t rank, void* address,
                                 const cuuint64_t* size, const cuuint64_t* stride,
                                 const cuuint32_t* box, const cuuint32_t* step,
                                 CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill);
CUresult tensor_map_encode_im2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t rank, void* address,
                                  const cuuint64_t* size, const cuuint64_t* stride,
                                  const int* lower, const int* upper, cuuint32_t channels,
                                  cuuint32_t pixels, const cuuint32_t* step, CUtensorMapInterleave,
                                  CUtensorMapSwizzle, CUtensorMapL2promotion,
                                  CUtensorMapFloatOOBfill);
CUresult tensor_map_replace_address(CUtensorMap*, void* address);

}  // namespace headroom::driver
