#include "driver/unsupported.h"

#include "device/say.h"
#include "driver/driver.h"

namespace headroom::driver {

int unsupported(const char* name) {
  return answer(Need::facts, [&](Session& session) {
    say(std::string(name) + " is not supported yet: the program gets CUDA_ERROR_NOT_SUPPORTED");
    session.journal.unsupported(name);
    return Status::not_supported;
  });
}

}  // namespace headroom::driver
