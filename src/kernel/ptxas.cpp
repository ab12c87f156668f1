// Resources from NVIDIA's assembler, which needs no GPU. Its registers equal the profiler's.
//
//   PTX text --ptxas -arch=sm_90 -v -o (a file in memory) /dev/stdin-->
//     report (ptxas_report.h) and machine code (accesses.h) --> cache --> Resources per kernel
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/accesses.h"
#include "kernel/assembler.h"
#include "kernel/child.h"
#include "kernel/kernel.h"
#include "kernel/ptxas_report.h"
#include "kernel/resources_cache.h"

namespace headroom {
namespace {

// Where the tool writes machine code: no file that others see, gone with the object.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("headroom-cubin", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  // For another process; without such a file what is written is lost, and nothing is known of it.
  std::string path() const {
    return descriptor_ < 0 ? "/dev/null" : fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
  }
  std::vector<std::byte> content() const {
    std::vector<std::byte> bytes(descriptor_ < 0 ? 0 : lseek(descriptor_, 0, SEEK_END));
    const ssize_t count = bytes.empty() ? 0 : pread(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(std::max<ssize_t>(count, 0));
    return bytes;
  }

 private:
  int descriptor_;
};

// Machine code that cannot be read says nothing.
void compare_accesses(std::map<std::string, Resources>& kernels, const std::string& ptx,
                      const MemoryFile& cubin) try {
  const std::vector<std::byte> bytes = cubin.content();
  const ptx::Module module = ptx::parse(ptx, "PTX");
  for (auto& [name, resources] : kernels)
    resources.accesses_kept = accesses_kept(module, {bytes, "cubin"}, name);
} catch (const Error&) {
}

}  // namespace

std::map<std::string, Resources> ptxas_resources(const std::string& ptx, int cc,
                                                 std::vector<Caveat>& caveats,
                                                 const std::string& options) {
  const Assembler* tool = assembler(caveats);
  if (!tool) return {};
  const std::vector<std::string> arguments = call_for(*tool, ptx, cc, options, caveats).arguments;
  const std::string from = fmt::format("ptxas {} {}", tool->version, fmt::join(arguments, " "));
  const std::string question = from + "\n" + ptx;
  if (auto kernels = cached_resources(question)) return *kernels;

  const auto assemble = [&](const std::string& to) {
    std::vector<std::string> words = arguments;
    words.insert(words.end(), {"-v", "-o", to, "/dev/stdin"});
    return run_child(tool->path, words, ptx, seconds_to_assemble);
  };
  const MemoryFile cubin;
  auto output = assemble(cubin.path());
  const bool gave_up = output && output->exit_code == 128 + SIGALRM;
  // A process without /proc: the report still tells the resources.
  if (output && output->exit_code != 0 && !gave_up) output = assemble("/dev/null");
  if (gave_up)
    return unknown_resources(caveats,
                             fmt::format("{} took more than {} s", tool->path, seconds_to_assemble),
                             "does it run in this shell?");
  if (!output)
    return unknown_resources(caveats, tool->path + " could not be started",
                             "does it run in this shell?");
  if (output->exit_code != 0)
    return unknown_resources(
        caveats,
        fmt::format("ptxas {} refused the PTX: {}", tool->version, ptxas_complaint(output->text)),
        "install a toolkit at least as new as the one that wrote the PTX");
  std::map<std::string, Resources> kernels = read_ptxas_report(output->text);
  for (auto& [name, resources] : kernels) resources.from = from;
  compare_accesses(kernels, ptx, cubin);
  cache_resources(question, kernels);
  return kernels;
}

}  // namespace headroom
