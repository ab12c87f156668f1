// What a launch configuration asks for, as the device takes it.
#pragma once
#include <map>
#include <optional>

#include "device/work.h"
#include "driver/driver.h"

namespace headroom::driver {

struct Request {
  LaunchShape shape;
  std::optional<Dim3> preferred;
  std::map<int, Opaque> attributes;  // told again by graphs
  CUstream stream = nullptr;
};
Request request_of(const CUlaunchConfig&);

}  // namespace headroom::driver
