// The names and texts of CUDA's errors (error_texts.inc).
//
//   cudaGetErrorName(cudaErrorIllegalAddress)    "cudaErrorIllegalAddress"
//   cudaGetErrorString(cudaErrorIllegalAddress)  "an illegal memory access was encountered"
#include "runtime/api.h"

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return #name;
#include "runtime/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HEADROOM_ERROR(name, text) \
  case name:                       \
    return text;
#include "runtime/error_texts.inc"
#undef HEADROOM_ERROR
  }
  return "unrecognized error code";
}
}
