// What ptxas answered, kept by a hash of the question: the PTX and how ptxas was called.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace headroom {

std::optional<std::map<std::string, Resources>> cached_resources(const std::string& question);
void cache_resources(const std::string& question, const std::map<std::string, Resources>&);

// The machine code that it wrote (a cubin).
std::optional<std::vector<std::byte>> cached_code(const std::string& question);
void cache_code(const std::string& question, const std::vector<std::byte>& cubin);

}  // namespace headroom
