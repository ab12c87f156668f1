#include "cudart/redirect.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "cudart/unsupported.h"
#include "device/say.h"
#include "kernel/mapped_file.h"
#include "kernel/program.h"
#include "kernel/static_runtime.h"

namespace headroom::cudart {
namespace {

constexpr uint64_t alignment = 16;
constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp [rip + 0]: the address follows
constexpr uint64_t jump_size = sizeof(jump) + sizeof(void*);
static_assert(jump_size <= alignment);

struct Change {
  unsigned char* place = nullptr;
  const void* target = nullptr;
};

// A name that only later releases have counts where it lies among those that all have: a program may have
// a function cudaAnything itself.
std::vector<Change> changes_of(const StaticRuntime& runtime, uint64_t loaded_at) {
  uint64_t first = UINT64_MAX, last = 0;
  for (const StaticFunction& function : runtime.functions)
    if (function_named(function.name)) {
      first = std::min(first, function.address);
      last = std::max(last, function.address);
    }
  std::vector<Change> changes;
  for (const StaticFunction& function : runtime.functions) {
    const bool is_newer =
        function.name.starts_with("cuda") && function.address > first && function.address < last;
    const void* target = function_named(function.name);
    if (!target && is_newer) target = reinterpret_cast<const void*>(&newer_than_13_0);
    if (target && function.address % alignment == 0)
      changes.push_back({reinterpret_cast<unsigned char*>(loaded_at + function.address), target});
  }
  return changes;
}

// Throws Error where the system forbids to change code.
void write_jumps(const std::vector<Change>& changes, const std::string& path) {
  const auto by_place = [](const Change& a, const Change& b) { return a.place < b.place; };
  const auto [low, high] = std::minmax_element(changes.begin(), changes.end(), by_place);
  const uint64_t page = sysconf(_SC_PAGESIZE);
  const uint64_t begin = reinterpret_cast<uint64_t>(low->place) / page * page;
  const uint64_t size = reinterpret_cast<uint64_t>(high->place) + jump_size - begin;
  void* const pages = reinterpret_cast<void*>(begin);
  if (mprotect(pages, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    throw Error{path, std::string("its CUDA runtime cannot be replaced: ") + std::strerror(errno),
                "build it with nvcc -cudart shared"};
  for (const Change& change : changes) {
    std::memcpy(change.place, jump, sizeof(jump));
    std::memcpy(change.place + sizeof(jump), &change.target, sizeof(change.target));
  }
  mprotect(pages, size, PROT_READ | PROT_EXEC);
}

// What was looked at is not looked at again, as long as it lies where it lay.
struct Seen {
  const link_map* file;
  ElfW(Addr) address;
  std::string name;
  bool is(const link_map& other) const {
    return file == &other && address == other.l_addr && name == other.l_name;
  }
};

std::string path_of(const link_map& file, bool is_program) {
  return is_program ? "/proc/self/exe" : file.l_name;
}

// The first files are looked at before libc has been told the environment, which says where the toolkit is.
class Environment {
 public:
  Environment() {
    if (environ) return;
    std::ifstream file("/proc/self/environ");
    for (std::string text; std::getline(file, text, '\0');) variables_.push_back(std::move(text));
    for (std::string& variable : variables_) pointers_.push_back(variable.data());
    pointers_.push_back(nullptr);
    environ = pointers_.data();
  }
  ~Environment() {
    if (!pointers_.empty()) environ = nullptr;
  }

 private:
  std::vector<std::string> variables_;
  std::vector<char*> pointers_;
};

// One that is not known stays as it is: where it is used, it asks the driver's face for what there is not.
void redirect_file(const link_map& file, const std::string& path) {
  if (path.empty() || access(path.c_str(), R_OK) != 0) return;  // as the kernel's own page of code
  const MappedFile content(path);
  const Elf elf = read_elf({content.bytes(), path});
  const StaticRuntime runtime = static_runtime_of(elf, path);
  const std::vector<Change> changes = changes_of(runtime, file.l_addr);
  if (!changes.empty()) write_jumps(changes, path);
}

// The auditor calls while the loader holds its lock: one call at a time. It calls before a file is unloaded,
// too, so that what is not there any more is forgotten.
void redirect_all(const link_map* first) {
  static auto& seen = *new std::vector<Seen>;
  const Environment environment;
  std::vector<Seen> now;
  for (const link_map* file = first; file; file = file->l_next) try {
      const bool is_known =
          std::ranges::any_of(seen, [&](const Seen& each) { return each.is(*file); });
      now.push_back({file, file->l_addr, file->l_name});
      if (!is_known && !is_nvidia_library(file->l_name))
        redirect_file(*file, path_of(*file, file == first));
    } catch (const Error& error) {
      device::say(error);
    } catch (const std::exception& error) {
      device::say(error.what());
    }
  seen = std::move(now);
}

}  // namespace

int newer_than_13_0() { return unsupported("a function of a CUDA release after 13.0"); }

}  // namespace headroom::cudart

extern "C" __attribute__((visibility("default"))) void headroom_redirect(link_map* first) {
  headroom::cudart::redirect_all(first);
}
