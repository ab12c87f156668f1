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

std::optional<int> threads_bound(const ptx::Function& kernel) {
  const int* most = kernel.required_threads[0] ? kernel.required_threads : kernel.max_threads;
  if (most[0] == 0) return std::nullopt;
  return most[0] * std::max(1, most[1]) * std::max(1, most[2]);
}

// What the report does not tell. Machine code that cannot be read says nothing.
void look_at_code(std::map<std::string, Resources>& kernels, const std::string& ptx,
                  const MemoryFile& cubin) try {
  const std::vector<std::byte> bytes = cubin.content();
  const ptx::Module module = ptx::parse(ptx, "PTX");
  for (auto& [name, resources] : kernels) {
    if (const ptx::Function* kernel = module.function(name))
      resources.max_threads = threads_bound(*kernel);
    resources.accesses_kept = accesses_kept(module, {bytes, "cubin"}, name);
  }
} catch (const Error&) {
}

// A version or an architecture that this ptxas does not know yet; else the text is wrong.
bool is_too_new(std::string_view complaint) {
  return complaint.find("nsupported") != complaint.npos ||
         complaint.find("gpu-name") != complaint.npos;
}

// A text with what says how it is assembled.
struct Task {
  const Assembler* tool = nullptr;  // null: there is none, and `caveats` says so
  std::vector<std::string> arguments;
  std::vector<Caveat> told;  // of the machine: it is another one
  std::string from() const {
    return fmt::format("ptxas {} {}", tool->version, fmt::join(arguments, " "));
  }
};

Task task_for(const std::string& ptx, int cc, const std::string& options,
              std::vector<Caveat>& caveats) {
  Task task{assembler(caveats), {}, {}};
  if (!task.tool) return task;
  task.arguments = call_for(*task.tool, ptx, cc, options, task.told).arguments;
  caveats.insert(caveats.end(), task.told.begin(), task.told.end());
  return task;
}

// What ptxas reports; nothing where it fails, with a caveat.
std::optional<std::string> assemble(const Task& task, const std::string& ptx,
                                    const MemoryFile& cubin, std::vector<Caveat>& caveats) {
  const auto assemble_to = [&](const std::string& to) {
    std::vector<std::string> words = task.arguments;
    words.insert(words.end(), {"-v", "-o", to, "/dev/stdin"});
    return run_child(task.tool->path, words, ptx, seconds_to_assemble);
  };
  auto output = assemble_to(cubin.path());
  const bool gave_up = output && output->exit_code == 128 + SIGALRM;
  // A process without /proc: the report still tells the resources.
  if (output && output->exit_code != 0 && !gave_up) output = assemble_to("/dev/null");
  if (output && output->exit_code == 0) return std::move(output->text);
  if (gave_up) {
    unknown_resources(caveats,
                      fmt::format("{} took more than {} s", task.tool->path, seconds_to_assemble),
                      "does it run in this shell?");
  } else if (!output) {
    unknown_resources(caveats, task.tool->path + " could not be started",
                      "does it run in this shell?");
  } else {
    const std::string complaint = ptxas_complaint(output->text);
    unknown_resources(
        caveats, fmt::format("ptxas {} refused the PTX: {}", task.tool->version, complaint),
        is_too_new(complaint) ? "install a toolkit at least as new as the one that wrote the PTX"
                              : "is the PTX whole, as a compiler wrote it?");
  }
  return std::nullopt;
}

}  // namespace

std::map<std::string, Resources> ptxas_resources(const std::string& ptx, int cc,
                                                 std::vector<Caveat>& caveats,
                                                 const std::string& options) {
  const Task task = task_for(ptx, cc, options, caveats);
  if (!task.tool) return {};
  const std::string question = task.from() + "\n" + ptx;
  if (auto kernels = cached_resources(question)) return with_caveats(*kernels, task.told);
  const MemoryFile cubin;
  const std::optional<std::string> report = assemble(task, ptx, cubin, caveats);
  if (!report) return {};
  std::map<std::string, Resources> kernels = read_ptxas_report(*report);
  for (auto& [name, resources] : kernels) resources.from = task.from();
  look_at_code(kernels, ptx, cubin);
  cache_resources(question, kernels);
  cache_code(question, cubin.content());
  return with_caveats(kernels, task.told);
}

std::vector<std::byte> ptxas_code(const std::string& ptx, int cc, std::vector<Caveat>& caveats,
                                  const std::string& options) {
  const Task task = task_for(ptx, cc, options, caveats);
  if (!task.tool) return {};
  const std::string question = task.from() + "\n" + ptx;
  if (auto code = cached_code(question)) return *code;
  const MemoryFile cubin;
  if (!assemble(task, ptx, cubin, caveats)) return {};
  std::vector<std::byte> content = cubin.content();
  cache_code(question, content);
  if (content.empty())
    caveats.push_back({"the machine code is unknown",
                       "what ptxas wrote could not be read: no /proc", "run it where /proc is"});
  return content;
}

}  // namespace headroom
