// What became of a request to the simulated device. Its faces (cudart, driver) turn it into their
// own codes; both number the errors that they share alike, and so do we: a translation is a cast.
// A code that only one face has passes through as it is, where the face's own code runs in between.
//
//   Status allocate(Session&, …)   Status::out_of_memory   cudaErrorMemoryAllocation,
//                                                          CUDA_ERROR_OUT_OF_MEMORY: 2
//
// This room knows no type of an API: sizes are uint64_t, addresses uint64_t or void*, handles
// pointers to our own structs, flags our own names. A function here returns a Status, or throws
// Failure where the program's author should read a sentence; checks of arguments that only one API
// can get wrong stand in that face.
#pragma once
#include "base/error.h"

namespace headroom::device {

enum class Status : int {
  ok = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  unloading = 4,  // the process ends, and objects go that were there before the first call
  invalid_symbol = 13,
  invalid_filter = 26,  // the runtime API's; the driver API calls it an invalid value, as the next
  invalid_norm = 27,
  invalid_function = 98,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,  // the driver API's: the runtime makes one where there is none
  no_image_for_device = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  file_not_found = 301,
  operating_system = 304,
  invalid_handle = 400,
  illegal_state = 401,
  lossy_query = 402,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  out_of_resources = 701,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  context_is_destroyed = 709,  // the driver API's
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  launch_failed = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_merge = 902,
  capture_unmatched = 903,
  capture_unjoined = 904,
  capture_isolation = 905,
  capture_implicit = 906,
  captured_event = 907,
  capture_wrong_thread = 908,
  graph_update_failed = 910,
  invalid_cluster = 912,
  unknown = 999,
};

constexpr bool failed(Status status) { return status != Status::ok; }

// Thrown where a status has a story: the code for the program, the message for the person.
struct Failure {
  Status status;
  Error error;
};

}  // namespace headroom::device
