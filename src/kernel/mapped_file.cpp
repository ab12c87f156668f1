// mmap with an owner.
#include "kernel/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace headroom {

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat facts {};
  if (file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
    size_ = static_cast<size_t>(facts.st_size);
    void* place = size_ ? mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
    if (place != MAP_FAILED) start_ = static_cast<const std::byte*>(place);
  }
  const int reason = errno;
  if (file >= 0) close(file);
  if (file < 0 || (size_ && !start_))
    throw Error{path, std::string("cannot be read: ") + std::strerror(reason), "", 127};
  if (!S_ISREG(facts.st_mode))
    throw Error{path, S_ISDIR(facts.st_mode) ? "is a folder" : "is not a file", "", 126};
}

MappedFile::~MappedFile() {
  if (start_) munmap(const_cast<std::byte*>(start_), size_);
}

}  // namespace headroom
