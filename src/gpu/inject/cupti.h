// The functions of CUPTI that we call, found at run time: nothing here is linked against it.
//
//   Cupti cupti; if (const auto problem = load(cupti)) …; cupti.activity_enable(CUPTI_ACTIVITY_…)
#pragma once
#include <cupti.h>

#include <cstdint>
#include <optional>
#include <string>

#include "gpu/trace.h"

namespace headroom::inject {

struct Cupti {
  decltype(&cuptiGetVersion) get_version;
  decltype(&cuptiGetResultString) result_string;
  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiEnableCallback) enable_callback;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks;
  decltype(&cuptiActivitySetAttribute) set_attribute;
  decltype(&cuptiActivityEnable) activity_enable;
  decltype(&cuptiActivityGetNextRecord) next_record;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records;
  decltype(&cuptiActivityFlushAll) flush_all;
  uint32_t version = 0;
};

struct Failure {
  trace::Problem problem;
  std::string text;
};

// A CUPTI that the program has loaded already, by any of its names, is the one we must use: a
// second copy would know nothing of the first one's subscriber. Else the file HEADROOM_CUPTI.
std::optional<Failure> load(Cupti&);

// What one call answered, as a problem; nothing when it succeeded.
std::optional<Failure> failure(const Cupti&, const char* call, CUptiResult);

}  // namespace headroom::inject
