// Whether this machine can launch something at all: a study's table says where it cannot, and goes on.
//
//   const std::string why = refusal([&] { kernel<<<1, 1024>>>(); CHECK(cudaGetLastError()); });
//   if (!why.empty()) table.note("kernel", why);
//
//   kernel  cannot be launched here: a block of more threads or shared memory than the machine allows
//
// Empty where it could. Every other failure goes on to whoever called.
#pragma once
#include <headroom/timing/call.h>

#include <headroom/launch_box.cuh>
#include <string>

#include "studies/common/shared_memory.h"

namespace study {

// What a launch is refused for before anything runs; nullptr: the code says something else.
inline const char* meaning_of_refusal(cudaError_t code) {
  switch (code) {
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
      return "a block of more threads or shared memory than the machine allows";
    case cudaErrorLaunchOutOfResources: return "a block of more registers than an SM has";
    case cudaErrorNoKernelImageForDevice: return "the program has no code for this machine";
    default: return nullptr;
  }
}

template <typename Work>
std::string refusal(const Work& work) {
  const auto words = [](const std::string& why) {
    cudaGetLastError();  // is answered by this
    return "cannot be launched here: " + why;
  };
  try {
    const Trial trial;
    work();
    return "";
  } catch (const ShortOfShared& failure) {
    return words(failure.what());
  } catch (const headroom::LaunchFailure& failure) {
    if (meaning_of_refusal(failure.code)) return words(failure.what());
    throw;
  } catch (const CallFailure& failure) {
    if (const char* meaning = meaning_of_refusal(failure.code)) return words(meaning);
    throw;
  } catch (const headroom::timing::Failure& failure) {
    if (const char* meaning = meaning_of_refusal(failure.code)) return words(meaning);
    throw;
  }
}

}  // namespace study
