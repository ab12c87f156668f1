// Which PTX of an image a machine runs. A driver takes machine code first and else compiles PTX
// whose architecture is not above its own; the executor can run PTX that a driver
// would refuse. Whose machine code runs follows from it (device/machine_code.h).
//
//   {sm_70, sm_80, sm_100} on cc 90 -> sm_80        {sm_100} on cc 90 -> sm_100, with a caveat
#include <fmt/format.h>

#include "kernel/kernel.h"
#include "kernel/target.h"

namespace headroom {
namespace {

Target target(const ImageEntry& entry) { return {entry.architecture, entry.suffix}; }
std::string name_of(const ImageEntry& entry) { return target(entry).name(); }

std::string list(const Image& image, ImageEntry::Kind kind) {
  std::string names;
  for (const ImageEntry& entry : image.entries)
    if (entry.kind == kind && names.find(name_of(entry)) == names.npos)
      names += (names.empty() ? "" : ", ") + name_of(entry);
  return names;
}

// "sm_80", "compute_80" and "80" are the same wish.
std::string wish(std::string_view forced) {
  for (std::string_view prefix : {"sm_", "compute_"})
    if (forced.starts_with(prefix)) forced.remove_prefix(prefix.size());
  return fmt::format("sm_{}", forced);
}

// A more specific text was written for this very machine: take it when the numbers are equal.
bool better(const ImageEntry& a, const ImageEntry& b) {
  const auto rank = [](const ImageEntry& e) {
    return e.suffix == "a" ? 2 : e.suffix == "f" ? 1 : 0;
  };
  return std::pair{a.architecture, rank(a)} > std::pair{b.architecture, rank(b)};
}

constexpr int oldest_of_nvcc = 75;                                 // of CUDA 13
constexpr int oldest_machine_code = 75, newest_machine_code = 90;  // that runs as it came

// Machine code alone, which this machine does not run: a framework's for another architecture, or nvcc's.
[[noreturn]] void refuse_machine_code(const std::string& cubins, int cc, const std::string& where) {
  const std::string with_ptx = "with PTX: nvcc -gencode arch=compute_80,code=compute_80";
  const bool runs_some = cc >= oldest_machine_code && cc <= newest_machine_code;
  throw Error{
      where,
      fmt::format("the image has machine code only ({}), and no PTX{}", cubins,
                  cc ? fmt::format("; the machine is of sm_{}", cc) : ""),
      runs_some || !cc
          ? fmt::format("compile it {}{}", cc ? fmt::format("for sm_{}, or ", cc) : "", with_ptx)
          : fmt::format("machine code runs on machines of sm_{} to sm_{}, as --machine h200; or "
                        "compile it {}",
                        oldest_machine_code, newest_machine_code, with_ptx)};
}

}  // namespace

ImageChoice choose_ptx(const Image& image, int cc, const std::string& forced,
                       const std::string& where) {
  const ImageEntry *highest = nullptr, *lowest = nullptr;
  const std::string present = list(image, ImageEntry::Kind::ptx);
  if (present.empty()) {
    const std::string cubins = list(image, ImageEntry::Kind::cubin);
    if (!cubins.empty()) refuse_machine_code(cubins, cc, where);
    throw Error{where, "the image holds no code",
                "add PTX when compiling: nvcc -gencode arch=compute_80,code=compute_80"};
  }
  for (const ImageEntry& entry : image.entries) {
    if (entry.kind != ImageEntry::Kind::ptx) continue;
    if (!forced.empty()) {
      if (name_of(entry) == wish(forced)) return {&entry, {}};
      continue;
    }
    if (target(entry).runs_on(cc) && (!highest || better(entry, *highest))) highest = &entry;
    if (!lowest || better(*lowest, entry)) lowest = &entry;
  }
  if (!forced.empty())
    throw Error{where, fmt::format("the image has no PTX for {}", wish(forced)),
                fmt::format("it has {}: choose one of them with --image", present)};
  if (highest) return {highest, {}};
  return {lowest,
          Caveat{fmt::format("PTX for {} runs here as if on sm_{}", name_of(*lowest), cc),
                 fmt::format("the image has PTX for {} only; a GPU of that kind would refuse it",
                             present),
                 cc >= oldest_of_nvcc
                     ? fmt::format("add -gencode arch=compute_{0},code=compute_{0}", cc)
                     : fmt::format("take it as the code of a newer machine; CUDA 13 compiles "
                                   "for compute_{} and later",
                                   oldest_of_nvcc)}};
}

}  // namespace headroom
