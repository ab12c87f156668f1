// Numbers for the names of kernels. CUPTI gives a pointer that stays the same while the kernel's
// module is loaded; afterwards another name may stand at the same address, so the text is compared.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

namespace headroom::inject {

class Names {
 public:
  // Its number, and whether it is new and has to be written.
  struct Known {
    uint32_t id;
    bool is_new;
  };
  Known number_of(const char* name) {
    if (!name) name = "";
    Entry& entry = entries_[name];
    const bool is_new = entry.id == 0 || entry.text != name;
    if (is_new) entry = {++last_, name};
    return {entry.id, is_new};
  }

 private:
  struct Entry {
    uint32_t id = 0;
    std::string text;
  };
  std::unordered_map<const void*, Entry> entries_;
  uint32_t last_ = 0;
};

}  // namespace headroom::inject
