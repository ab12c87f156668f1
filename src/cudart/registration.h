// What nvcc's generated code calls and no header of the toolkit declares.
#pragma once
#include "cudart/api.h"

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3 grid, dim3 block, void** arguments,
                                          size_t shared, cudaStream_t);
