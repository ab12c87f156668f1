// Contexts: a device's primary one, those that a program creates, and the stack of them that a thread has.
// All contexts of a device share its addresses; what was made in one that a program created ends with it.
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "device/context.h"
#include "device/limits.h"
#include "device/say.h"
#include "device/stream.h"
#include "device/wait.h"
#include "driver/driver.h"

namespace headroom::driver {
namespace {

constexpr int most_devices = 64;
constexpr unsigned api_version = 3020;  // of contexts since CUDA 3.2

struct DriverContext {
  int device = 0;
  unsigned flags = 0;
  int retained = 0;  // of a primary one
  std::atomic<bool> is_destroyed =
      false;  // still a handle: it may be made current, and then nothing works
};

struct Contexts {
  std::mutex lock;
  DriverContext primary[most_devices];
  std::unordered_map<const DriverContext*, std::unique_ptr<DriverContext>> created;
  Contexts() {
    for (int i = 0; i < most_devices; ++i) primary[i].device = i;
  }
};
Contexts& contexts() {
  static auto& all = *new Contexts;  // destructors of the program may still ask
  return all;
}

bool is_primary(const DriverContext* context) {
  return context >= contexts().primary && context < contexts().primary + most_devices;
}

DriverContext* primary_of(int device) { return &contexts().primary[device]; }

bool exists(const DriverContext* context) {
  if (is_primary(context)) return true;
  const std::lock_guard guard(contexts().lock);
  return contexts().created.contains(context);
}

thread_local std::vector<DriverContext*> stack;

// Where the runtime API was used and no context set, the primary one of its device is current, as there.
DriverContext* current() {
  if (!stack.empty() && stack.back() && exists(stack.back()) &&
      stack.back()->device == current_device())
    return stack.back();
  return runtime_is_used() || !stack.empty() ? primary_of(current_device()) : nullptr;
}

void follow_top() {
  const DriverContext* const top = stack.empty() ? nullptr : stack.back();
  if (top) current_device() = top->device;
  chosen_context() = {current_device(), top && !is_primary(top) ? top : nullptr};
}

CUcontext handle_of(DriverContext* context) { return reinterpret_cast<CUcontext>(context); }
DriverContext* context_of(CUcontext handle) { return reinterpret_cast<DriverContext*>(handle); }

Status set_top(CUcontext handle) {
  if (handle && !exists(context_of(handle))) return Status::invalid_context;
  if (!stack.empty()) stack.pop_back();
  if (handle) stack.push_back(context_of(handle));
  follow_top();
  return Status::ok;
}

CUresult about_primary(CUdevice device, const std::function<Status(DriverContext&)>& body) {
  return answer(Need::facts, [&](Session& session) {
    return is_device(session, device) ? body(*primary_of(device)) : Status::invalid_device;
  });
}

CUresult create(CUcontext* out, unsigned flags, CUdevice device) {
  return answer(Need::facts, [&](Session& session) {
    if (!out) return Status::invalid_value;
    if (flags & ~unsigned(CU_CTX_FLAGS_MASK)) return Status::invalid_value;
    if (!is_device(session, device)) return Status::invalid_device;
    auto made = std::make_unique<DriverContext>();
    made->device = device;
    made->flags = flags;
    stack.push_back(made.get());
    follow_top();
    const std::lock_guard guard(contexts().lock);
    contexts().created.emplace(stack.back(), std::move(made));
    *out = handle_of(stack.back());
    return Status::ok;
  });
}

}  // namespace

CUcontext context_on(int device) {
  DriverContext* const now = current();
  return handle_of(now && now->device == device ? now : primary_of(device));
}

CUcontext handle_of(const Context& context) {
  return context.created ? reinterpret_cast<CUcontext>(const_cast<void*>(context.created))
                         : handle_of(primary_of(context.device));
}

CUresult in_context(Need need, const std::function<Status(Session&)>& body) {
  const DriverContext* const now = current();
  if (!now) return CUDA_ERROR_INVALID_CONTEXT;
  if (now->is_destroyed) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return answer(need, body);
}
CUresult in_context(const std::function<Status(Session&)>& body) {
  return in_context(Need::device, body);
}
CUresult in_context_of(const void* thing, Need need, const std::function<Status(Session&)>& body) {
  const bool has_its_own = thing && thing != CU_STREAM_LEGACY && thing != CU_STREAM_PER_THREAD;
  return has_its_own && !current() ? answer(need, body) : in_context(need, body);
}

}  // namespace headroom::driver

using namespace headroom::driver;
extern "C" {

CUresult cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice device) {
  return create(out, flags, device);
}
CUresult cuCtxCreate(CUcontext* out, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return create(out, flags, device);
}

CUresult cuCtxDestroy(CUcontext handle) {
  DriverContext* const context = context_of(handle);
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (!exists(context) || is_primary(context)) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->is_destroyed.exchange(true)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (!stack.empty() && stack.back() == context) stack.pop_back();
  follow_top();
  return answer(Need::facts, [&](Session& session) {
    end_context(session, {context->device, context});
    return Status::ok;
  });
}

CUresult cuCtxPushCurrent(CUcontext handle) {
  if (!handle) return CUDA_ERROR_INVALID_VALUE;
  if (!exists(context_of(handle))) return CUDA_ERROR_INVALID_CONTEXT;
  stack.push_back(context_of(handle));
  follow_top();
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* out) {
  DriverContext* const now = current();  // the runtime API leaves the primary one on the stack
  if (stack.empty() && !now) return CUDA_ERROR_INVALID_CONTEXT;
  if (out) *out = handle_of(stack.empty() ? now : stack.back());
  if (stack.empty())
    runtime_is_used() = false;
  else
    stack.pop_back();
  follow_top();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle) { return code_of(set_top(handle)); }

CUresult cuCtxGetCurrent(CUcontext* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = handle_of(current());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
  *device = current_device();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  if (!handle) return cuCtxGetDevice(device);
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (!exists(context_of(handle))) {
    say(headroom::Error{
        "cuCtxGetDevice_v2", "there is no such context",
        "an older Numba takes CUDA 13's function for that of CUDA 12, which has one parameter "
        "less: pip install -U numba numba-cuda"});
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  *device = context_of(handle)->device;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned* flags) {
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (!current()) return CUDA_ERROR_INVALID_CONTEXT;
  *flags = current()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  DriverContext* const context = handle ? context_of(handle) : current();
  if (!context || !exists(context)) return CUDA_ERROR_INVALID_CONTEXT;
  *id = reinterpret_cast<unsigned long long>(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  if (handle ? !exists(context_of(handle)) : !current()) return CUDA_ERROR_INVALID_CONTEXT;
  *out = api_version;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* lowest, int* highest) {
  if (lowest) *lowest = lowest_priority;
  if (highest) *highest = highest_priority;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context([&](Session& session) {
    if (!value || limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return Status::invalid_value;
    *value = limit_of(session, current_device(), Limit(limit));
    return Status::ok;
  });
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context([&](Session& session) {
    if (limit > CU_LIMIT_PERSISTING_L2_CACHE_SIZE) return Status::invalid_value;
    session.limits[current_device()][int(limit)] = value;
    return Status::ok;
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* out) {
  if (!out) return CUDA_ERROR_INVALID_VALUE;
  *out = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }

CUresult cuCtxSynchronize() {
  return in_context(Need::wait,
                    [](Session& session) { return wait_for_device(session, "cuCtxSynchronize"); });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  return about_primary(device, [&](DriverContext& primary) {
    if (!out) return Status::invalid_value;
    ++primary.retained;
    *out = handle_of(&primary);
    return Status::ok;
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return about_primary(device, [&](DriverContext& primary) {
    if (!primary.retained) return Status::invalid_context;
    --primary.retained;
    return Status::ok;
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return about_primary(device, [&](DriverContext& primary) {
    primary.flags = flags;
    return Status::ok;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return about_primary(device, [&](DriverContext& primary) {
    if (!flags || !active) return Status::invalid_value;
    *flags = primary.flags;
    *active = primary.retained || runtime_is_used();
    return Status::ok;
  });
}
}
