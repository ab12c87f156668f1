// The names and texts of CUDA's errors (error_texts.inc).
//
//   cudaGetErrorName(cudaErrorIllegalAddress)    "cudaErrorIllegalAddress"
//   cudaGetErrorString(cudaErrorIllegalAddress)  "an illegal memory access was encountered"
#include "cudart/api.h"

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return #name;
#include "cudart/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return text;
#include "cudart/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}
}
