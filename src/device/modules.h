// The first use of a binary: its image is read, the PTX for the machine chosen and parsed (of
// relocatable device code that of every module, and all are linked), its variables get addresses,
// and ptxas is asked for the resources of its kernels. All of it once a binary.
//
//   resources(session, kernel).registers == 37          function(session, kernel).max_threads[0] ==
//   256
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/registry.h"
#include "device/session.h"
#include "kernel/kernel.h"
#include "ptx/module.h"
#include "record/source.h"
#include "sim/simulate.h"

namespace headroom::device {

struct MachineCode;

struct LoadedBinary {
  int architecture = 0;           // of the PTX chosen: 80; of several the lowest
  std::string image;              // "sm_80"; of several the highest
  std::vector<ImageEntry> parts;  // the PTX chosen; of relocatable device code one a module
  std::shared_ptr<const ptx::Module> module;
  bool renamed = false;  // names of `parts`, as several of them have them: not those of the image
  bool machine_code_alone = false;  // `module` has what its machine code tells, `parts` nothing
  std::vector<Caveat> caveats;      // of the choice
  std::map<int, sim::LoadedModule> on_device;  // a device has its own variables
  std::map<std::string, std::shared_ptr<const sim::Program>>
      programs;  // "device:kernel:axes", decoded; "device:kernel:machine:axes:…" of machine code
  std::shared_ptr<std::map<std::string, Resources>> resources;  // from the first question on
  std::vector<Caveat> resource_caveats;
  // Of machine code, by kernel: from the first launch on whose instructions are counted.
  std::map<std::string, std::shared_ptr<const MachineListing>> listings;
  std::map<std::string, Error> refused;     // machine code that is not run, as in `programs`: why
  std::shared_ptr<const MachineCode> code;  // from the first question on (machine_code.h)
};

std::string name_of(const Binary&);  // "image 1", for messages

// All throw Failure.
LoadedBinary& load(Session&, Binary&);
const sim::LoadedModule& load_on_device(Session&, Binary&, int device);
const ptx::Function& function(Session&, Kernel&);
Resources resources(Session&, Kernel&);
uint64_t address(Session&, const Variable&);  // on the current device
// The address of `bytes` bytes from `offset` on; invalid_value: they reach out of it.
Status address(Session&, const Variable&, uint64_t offset, uint64_t bytes, uint64_t& out);
void unload_from(Session&, Binary&, int device);
void unload_from(Session&, int device);  // on a reset: variables lose their contents

}  // namespace headroom::device
