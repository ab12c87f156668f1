// The machine code of a binary for the machine: what the image carries for exactly its architecture,
// else what ptxas makes of the PTX that was chosen. Read once a binary, when the first launch asks.
//
//   machine_code(session, binary).image == "sm_90"
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "device/modules.h"
#include "sass/module.h"

namespace headroom::device {

struct MachineCode {
  std::shared_ptr<const sass::Module> module;  // null: there is none, and `why` says why
  std::string image;                           // "sm_90"
  std::map<std::string, Resources> resources;  // of its kernels
  Error why{"", ""};
};
const MachineCode& machine_code(Session&, Binary&);

// Where nothing was asked for, machine code runs if the executor reads the machine's.
bool tries_machine_code(const Session&);
// What nvcc compiled, or linked, for the machine itself, of a variant (sm_90a) if there is one; absent
// if the image has no such code.
std::optional<ImageEntry> code_in_image(const Binary&, int cc, const std::string& variant);
// The same, or what a GPU of the machine's architecture runs all the same: code for a lower minor version.
std::optional<ImageEntry> nearest_code(const Binary&, int cc, const std::string& variant);
std::vector<std::byte> bytes_of(const std::optional<ImageEntry>&);

// A kernel's machine code made ready to run. Throws Error where it cannot be had or is not executed
// yet.
std::shared_ptr<const sim::Program> machine_program(Session&, Kernel&, int device, bool clustered,
                                                    uint8_t axes);

}  // namespace headroom::device
