// libheadroom_audit.so: tells the stand-in whenever the dynamic loader has loaded files, before any of their
// code runs, so that CUDA runtimes linked into them are found (../redirect.h).
//
//   LD_AUDIT=…/libheadroom_audit.so LD_PRELOAD=…/libcudart.so.13 ./app
//     la_activity(consistent)  -->  headroom_redirect(first of all files)    in the stand-in
//
// The loader gives an auditor a namespace of its own: this one needs no library, not even libc, and finds the
// stand-in's function by itself (rtld-audit(7); System V ABI, chapter 5, for the tables).
#include <elf.h>
#include <link.h>

#include <cstdint>

namespace {

constexpr char stand_in[] = "/libcudart.so.13", function[] = "headroom_redirect";
using Redirect = void (*)(link_map* first);

link_map* first_of_program = nullptr;
Redirect redirect = nullptr;

bool is_same(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

bool ends_with(const char* text, const char* end) {
  for (; *text; ++text)
    if (is_same(text, end)) return true;
  return false;
}

// The loader has put addresses in place of offsets, or not yet.
template <class T>
T* table(const link_map& file, ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == tag)
      return reinterpret_cast<T*>(entry->d_un.d_ptr < file.l_addr ? file.l_addr + entry->d_un.d_ptr
                                                                  : entry->d_un.d_ptr);
  return nullptr;
}

Redirect function_of(const link_map& file) {
  const auto* hash = table<const uint32_t>(file, DT_HASH);  // buckets, chains: one a symbol
  const auto* symbols = table<const ElfW(Sym)>(file, DT_SYMTAB);
  const auto* names = table<const char>(file, DT_STRTAB);
  if (!hash || !symbols || !names) return nullptr;
  for (uint32_t i = 0; i < hash[1]; ++i)
    if (symbols[i].st_shndx != SHN_UNDEF && is_same(names + symbols[i].st_name, function))
      return reinterpret_cast<Redirect>(file.l_addr + symbols[i].st_value);
  return nullptr;
}

bool contains(const char* text, const char* part) {
  for (; *text; ++text) {
    const char *a = text, *b = part;
    while (*b && *a == *b) ++a, ++b;
    if (!*b) return true;
  }
  return false;
}

void say(const char* text) {
  unsigned long bytes = 0;
  while (text[bytes]) ++bytes;
#ifdef __x86_64__
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(1), "D"(2), "S"(text), "d"(bytes)
               : "rcx", "r11", "memory");
#endif
}

// What dlmopen loads has libraries of its own, and so a driver or a runtime that is not ours, or a second one of ours.
void tell_of_namespace(const char* path) {
  static bool told = false;
  if (told || (!contains(path, "/libcuda.so") && !contains(path, "/libcudart.so"))) return;
  told = true;
  say("headroom: ");
  say(path);
  say(" is loaded in a namespace of its own (dlmopen): what uses it there is not seen\n"
      "  hint: load what needs it with dlopen\n");
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

unsigned la_version(unsigned version) { return version < LAV_CURRENT ? version : LAV_CURRENT; }

unsigned la_objopen(link_map* file, Lmid_t space, uintptr_t* cookie) {
  if (space == LM_ID_BASE && !first_of_program) first_of_program = file;
  if (space != LM_ID_BASE) tell_of_namespace(file->l_name);
  *cookie = reinterpret_cast<uintptr_t>(file);
  return 0;  // no look at each call
}

void la_activity(uintptr_t* cookie, unsigned what) {
  if (what != LA_ACT_CONSISTENT || *cookie != reinterpret_cast<uintptr_t>(first_of_program)) return;
  for (link_map* file = first_of_program; file && !redirect; file = file->l_next)
    if (ends_with(file->l_name, stand_in)) redirect = function_of(*file);
  if (redirect) redirect(first_of_program);
}
}
#pragma GCC visibility pop
