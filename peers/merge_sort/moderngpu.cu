#include "peers/merge_sort/moderngpu.h"
#include "studies/common/check.h"
#include "studies/merge_sort/kinds.h"

#ifdef MODERNGPU
#include <moderngpu/kernel_mergesort.hxx>

#include "peers/common/moderngpu.h"

namespace merge_sort {

const bool Moderngpu::is_here = true;

struct Moderngpu::Context : peers::ModerngpuContext {};

namespace {

template <typename T>
struct Less {
  __host__ __device__ bool operator()(typename T::Key a, typename T::Key b) const {
    return T::less(a, b);
  }
};

}  // namespace

void Moderngpu::prepare(const Request& request) const {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    const auto copy = [&](void* to, const void* from) {
      CHECK(cudaMemcpyAsync(to, from, size_t(request.n) * sizeof(typename T::Key),
                            cudaMemcpyDeviceToDevice));
    };
    copy(request.keys, request.keys_from);
    if constexpr (T::pairs) copy(request.values, request.values_from);
  });
}

void Moderngpu::sort(const Request& request) const {
  for_kind(request.kind, request.pairs, [&](auto types) {
    using T = decltype(types);
    const Records<T> to = records<T>(request.keys, request.values);
    if constexpr (T::pairs) {
      mgpu::mergesort(to.keys, to.values, request.n, Less<T>(), *context_);
    } else {
      mgpu::mergesort(to.keys, request.n, Less<T>(), *context_);
    }
  });
}

#else

namespace merge_sort {

const bool Moderngpu::is_here = false;

struct Moderngpu::Context {};

void Moderngpu::prepare(const Request&) const {}
void Moderngpu::sort(const Request&) const {}

#endif

Moderngpu::Moderngpu() : context_(std::make_unique<Context>()) {}
Moderngpu::~Moderngpu() = default;

}  // namespace merge_sort
