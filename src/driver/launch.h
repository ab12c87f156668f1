// What a launch configuration asks for, as the device takes it.
#pragma once
#include <map>
#include <optional>

#include "device/submit.h"
#include "driver/driver.h"

namespace headroom::driver {

struct Request {
  LaunchShape shape;
  std::optional<Dim3> preferred;
  std::map<int, Opaque> attributes;  // told again by graphs
  CUstream stream = nullptr;
};
Request request_of(const CUlaunchConfig&);
Request plain(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
              unsigned block_z, unsigned shared, CUstream stream);
// What an attribute asks of a launch; those that do nothing here are told again by graphs alone.
void ask(LaunchShape&, std::optional<Dim3>& preferred, CUlaunchAttributeID,
         const CUlaunchAttributeValue&);

// By pointers to the parameters, or by a buffer of them.
Maker kernel_work(const void* function, const Request&, void** parameters, void** extra);

}  // namespace headroom::driver
