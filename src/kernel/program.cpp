// Facts come from the ELF file: DT_NEEDED, sections .nv_fatbin and .nvFatBinSegment, and the runtime that
// it carries (static_runtime.h).
#include "kernel/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "kernel/elf.h"
#include "kernel/kernel.h"
#include "kernel/machine_code.h"
#include "kernel/mapped_file.h"
#include "kernel/static_text.h"
#include "kernel/target.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

// Libraries that carry a CUDA runtime of their own: their kernels never pass the stand-in. Behind the name comes
// .so, or a part of the library, as in libcudnn_ops.so.
constexpr std::string_view nvidia_libraries[] = {
    "libcublas",     "libcublasLt", "libcudnn",      "libcudss",    "libcufft",
    "libcufftMp",    "libcufftw",   "libcurand",     "libcusolver", "libcusolverMg",
    "libcusolverMp", "libcusparse", "libcusparseLt", "libcutensor", "libcutensorMg",
    "libcutensorMp", "libnccl",     "libnppc",       "libnppial",   "libnppicc",
    "libnppidei",    "libnppif",    "libnppig",      "libnppim",    "libnppist",
    "libnppisu",     "libnppitc",   "libnpps",       "libnvblas",   "libnvgraph",
    "libnvjpeg",     "libnvjpeg2k", "libnvshmem",    "libcufile",
};
constexpr std::string_view system_libraries[] = {
    "ld-linux", "libc.so",  "libdl.so",      "libgcc_s.so",  "libgomp.so",   "libm.so",
    "libmvec",  "librt.so", "libpthread.so", "libstdc++.so", "libresolv.so", "libutil.so",
};
constexpr std::string_view starters[] = {
    "execl",       "execle",       "execlp", "execv", "execve", "execvp",  "execvpe",
    "posix_spawn", "posix_spawnp", "system", "popen", "dlopen", "dlmopen", "fexecve",
};
constexpr const char* system_folders[] = {"/lib/x86_64-linux-gnu",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/lib64",
                                          "/usr/lib64",
                                          "/usr/local/lib",
                                          "/lib",
                                          "/usr/lib"};
// A damaged or odd program must not send us through a whole disk.
constexpr size_t max_libraries = 200;

template <class List>
bool begins_with_one_of(std::string_view name, const List& list) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <class List>
bool is_one_of(std::string_view name, const List& list) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  for (size_t colon = 0; colon != path.npos;
       path.remove_prefix(colon == path.npos ? 0 : colon + 1)) {
    colon = path.find(':');
    parts.emplace_back(path.substr(0, colon));
  }
  return parts;
}

std::string find_library(const std::string& name, const ElfDynamic& asking,
                         const fs::path& origin) {
  std::vector<std::string> folders;
  for (std::string folder : asking.run_path) {
    for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"})
      if (const size_t at = folder.find(word); at != folder.npos)
        folder.replace(at, word.size(), origin.string());
    folders.push_back(folder);
  }
  if (const char* path = std::getenv("LD_LIBRARY_PATH"))
    for (const std::string& folder : split(path)) folders.push_back(folder);
  folders.insert(folders.end(), std::begin(system_folders), std::end(system_folders));
  if (name.find('/') != name.npos) return name;
  for (const std::string& folder : folders)
    if (const std::string path = folder + "/" + name; access(path.c_str(), R_OK) == 0) return path;
  return "";
}

// nvlink leaves empty machine code in a program that links by parts and has no kernel.
bool has_kernel(const Image& image) {
  return std::any_of(image.entries.begin(), image.entries.end(), [](const ImageEntry& entry) {
    return entry.kind != ImageEntry::Kind::cubin ||
           !cubin_resources(std::as_bytes(std::span(entry.text)), "image").empty();
  });
}

// One look at a program and what it pulls in.
struct Look {
  ProgramFacts& facts;
  std::set<std::string> seen;

  void note_code(const Bytes& bytes) {
    const Image image = read_image(bytes.span(), std::string(bytes.where()));
    bool ptx = false;
    for (const ImageEntry& entry : image.entries) {
      if (entry.kind == ImageEntry::Kind::cubin &&
          std::ranges::find(facts.machine_code, entry.architecture) == facts.machine_code.end())
        facts.machine_code.push_back(entry.architecture);
      if (entry.kind != ImageEntry::Kind::ptx) continue;
      ptx = true;
      const std::string name = Target{entry.architecture, entry.suffix}.name();
      if (!is_one_of(name, facts.ptx_architectures)) facts.ptx_architectures.push_back(name);
    }
    if (image.entries.empty() || (!ptx && !has_kernel(image))) return;
    facts.has_device_code = true;
    if (!ptx) facts.machine_code_only = true;
  }

  void note_static_runtime(const Elf& elf, const std::string& path) {
    const StaticRuntime::State state = static_runtime_of(elf, path).state;
    if (state <= facts.static_state) return;
    facts.static_state = state;
    facts.static_cudart = path;
  }

  void note_needed(const std::string& name, const std::string& asked_by) {
    if (name == "libcudart.so.13") {
      facts.dynamic_cudart_13 = true;
    } else if (name.starts_with("libcudart.so")) {
      facts.dynamic_cudart_older = name;
      facts.asked_by = asked_by;
    } else if (name.starts_with("libcuda.so")) {
      facts.needs_driver = true;
    } else if (!is_one_of(name, facts.needs_nvidia_libraries)) {
      facts.needs_nvidia_libraries.push_back(name);
    }
  }

  void visit(const std::string& path, bool is_program) try {
    if (seen.size() >= max_libraries || !seen.insert(path).second) return;
    std::error_code ignored;
    const MappedFile file(path);
    const Bytes bytes{file.bytes(), path};
    if (is_program) {
      facts.elf = looks_like_elf(file.bytes());
      facts.script = bytes.text().starts_with("#!");
    }
    if (!looks_like_elf(file.bytes())) return;
    const Elf elf = read_elf(bytes);
    if (is_program) {
      facts.no_loader = !elf.section(".dynamic");
      facts.other_machine = elf.machine != elf_machine_x86_64 && elf.machine != elf_machine_aarch64;
    }
    const std::vector<ElfSymbol> imports = elf.symbols(".dynsym");
    facts.starts_programs |=
        (is_program && imports.empty()) ||  // linked statically: its calls cannot be seen
        std::any_of(imports.begin(), imports.end(), [](const ElfSymbol& symbol) {
          return symbol.section == 0 && is_one_of(symbol.name, starters);
        });
    const ElfDynamic dynamic = dynamic_of(elf);
    const fs::path origin = fs::weakly_canonical(path, ignored).parent_path();
    for (const std::string& name : dynamic.needed) {
      if (begins_with_one_of(name, system_libraries)) continue;
      if (name.starts_with("libcudart.so") || name.starts_with("libcuda.so") ||
          is_nvidia_library(name)) {
        note_needed(name, path);
      } else if (const std::string found = find_library(name, dynamic, origin); !found.empty()) {
        visit(found, false);
      }
    }
    note_static_runtime(elf, path);
    if (elf.section(".nv_fatbin") || elf.section("__nv_relfatbin")) note_code(bytes);
  } catch (const Error& error) {
    // What cannot be read of a library is not a fact: the loader will complain in its own words.
    if (is_program) facts.damage = error.problem;
  }
};

std::string join(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') != name.npos || name.empty()) return name;
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "/usr/local/bin:/usr/bin:/bin")) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    struct stat facts {};
    if (stat(candidate.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
        access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return name;
}

bool is_nvidia_library(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::any_of(nvidia_libraries, [&](std::string_view library) {
    if (!name.starts_with(library)) return false;
    const std::string_view behind = name.substr(library.size());
    return behind.starts_with(".so") ||
           (behind.starts_with('_') && behind.find(".so") != behind.npos);
  });
}

// /lib64/ld-linux-x86-64.so.2, as a program whose argument is one.
static bool is_loader(const std::string& path) {
  std::error_code ignored;
  const std::string name = fs::canonical(path, ignored).filename().string();
  return name.starts_with("ld-linux") || name.starts_with("ld-2.") || name == "ld.so";
}

ProgramFacts look_at_program(const std::string& path) {
  ProgramFacts facts;
  facts.path = path;
  std::error_code ignored;
  const fs::path extension = fs::path(path).extension();
  facts.source = (extension == ".cu" || extension == ".cuh") && fs::is_regular_file(path, ignored);
  facts.python = extension == ".py" && fs::is_regular_file(path, ignored);
  struct stat status {};
  const bool is_path = path.find('/') != path.npos || path == "." || path == "..";
  facts.exists = is_path && stat(path.c_str(), &status) == 0;
  facts.folder = facts.exists && S_ISDIR(status.st_mode);
  facts.executable = facts.exists && !facts.folder && access(path.c_str(), X_OK) == 0;
  if (facts.executable) Look{facts, {}}.visit(path, true);
  return facts;
}

std::optional<Error> refusal_to_start(const ProgramFacts& facts) {
  const auto refuse = [&](std::string problem, std::string hint, int code = 125) {
    return Error{facts.path, std::move(problem), std::move(hint), code};
  };
  if (facts.source) {
    const std::string program = fs::path(facts.path).stem().string();
    return refuse("is CUDA source, not a program",
                  fmt::format("compile it: nvcc -o {0} {1}, then run ./{0}", program, facts.path),
                  126);
  }
  if (facts.python && !facts.executable)
    return refuse("is a Python script, not a program",
                  "give Python before it: headroom run -- python " + facts.path, 126);
  if (!facts.exists)
    return refuse("no such program", "give its path (./app), or a name that is found through PATH",
                  127);
  if (facts.folder) return refuse("is a folder, not a program", "give the program inside it", 126);
  if (!facts.executable)
    return refuse("is not executable", fmt::format("chmod +x {}", facts.path), 126);
  if (!facts.elf && facts.script) return {};
  if (!facts.elf)
    return refuse("is neither a program (ELF) nor a script (#!)", "give a program built by nvcc",
                  126);
  if (!facts.damage.empty())
    return refuse("is damaged: " + facts.damage, "build or copy it again", 126);
  if (facts.other_machine)
    return refuse("was built for another processor", "build it on this machine", 126);
  return {};
}

std::optional<Error> refusal(const ProgramFacts& facts, int cc) {
  const auto refuse = [&](std::string problem, std::string hint) {
    return Error{facts.path, std::move(problem), std::move(hint)};
  };
  if (auto refused = refusal_to_start(facts)) return refused;
  if (!facts.elf) return {};  // a script
  if (is_loader(facts.path))
    return refuse("is the dynamic loader, and what it loads is not looked at",
                  "give the program itself: headroom run -- ./app");
  if (!facts.needs_nvidia_libraries.empty())
    return refuse(
        fmt::format("needs {}: such a library carries its own CUDA runtime and machine "
                    "code, and cannot run on "
                    "the emulator",
                    join(facts.needs_nvidia_libraries)),
        "time it on a GPU: headroom run --gpu 0; or give a program whose kernels are all its own");
  if (facts.no_loader && facts.has_device_code)
    return refuse(
        "is linked without the dynamic loader, which puts our CUDA runtime into a process",
        "build it without -static");
  const std::string carrier = facts.static_cudart == facts.path ? "" : facts.static_cudart + " ";
  if (facts.static_state == StaticRuntime::State::older)
    return refuse(carrier + "carries its own CUDA runtime, of CUDA 12 or older",
                  "rebuild it with CUDA 13");
  if (facts.static_state == StaticRuntime::State::unknown)
    return refuse(
        carrier + "carries its own CUDA runtime, is stripped of symbols, and " +
            (static_runtime_archives().empty()
                 ? "no toolkit is here whose libcudart_static.a would tell its functions"
                 : "has another runtime than the toolkit's libcudart_static.a"),
        "leave its symbols in (no strip, no -s), or set CUDA_HOME to the toolkit it was built "
        "with");
  if (!facts.dynamic_cudart_older.empty())
    return refuse(
        fmt::format("was built with another CUDA release ({}{})", facts.dynamic_cudart_older,
                    facts.asked_by == facts.path ? "" : ", needed by " + facts.asked_by),
        "rebuild it with CUDA 13");
  if (facts.machine_code_only && facts.ptx_architectures.empty() &&
      std::ranges::none_of(facts.machine_code, [&](int of) { return is_compatible(of, cc); }))
    return refuse(
        fmt::format("has machine code only, for sm_{}, and {}",
                    fmt::join(facts.machine_code, " and sm_"),
                    cc ? fmt::format("the machine is of sm_{}", cc) : "PTX would run"),
        fmt::format("rebuild it with PTX: nvcc -gencode "
                    "arch=compute_80,code=compute_80; {}",
                    cc ? "or name a machine that its code is for"
                       : "machine code of sm_75 to sm_90 runs without --engine ptx, --image and "
                         "lockstep scheduling"));
  if (!facts.dynamic_cudart_13 && facts.static_cudart.empty() && !facts.needs_driver &&
      !facts.has_device_code && !facts.starts_programs)
    return refuse("has no CUDA in it, and starts no other program",
                  "give a program built with nvcc");
  return {};
}

}  // namespace headroom
