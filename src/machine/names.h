// Which machine a name means: one that a person wrote, or the one that a GPU gives itself.
//
//   machine_asked("H200")                          "h200"
//   machine_of_gpu("Tesla V100-SXM2-16GB")         "v100"
//   machine_of_gpu("NVIDIA GeForce GTX TITAN X")   "titanx", not "gtxtitan"
//   machine_of_gpu("NVIDIA GH200 480GB")           none: another GPU than the H200
//   name_for_gpu("NVIDIA GeForce RTX 3080 Ti")     "rtx3080ti", though no such machine is shipped
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace headroom {

// Capitals are small letters; nothing: there is no machine of that name.
std::optional<std::string> machine_asked(std::string_view name);
// The one most likely meant by a name that there is not; nothing: it is like none of them.
std::optional<std::string> machine_meant(std::string_view name);

// Of several whose names stand in the GPU's, that which stands last.
std::optional<std::string> machine_of_gpu(const std::string& gpu,
                                          const std::vector<std::string>& among = machine_names());
// The machine of that name, else a name made of the GPU's.
std::string name_for_gpu(const std::string& gpu);

}  // namespace headroom
