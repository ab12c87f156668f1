#include <cub/device/device_merge_sort.cuh>
#include <cub/version.cuh>

#include "peers/merge_sort/cub.h"
#include "studies/merge_sort/kinds.h"

namespace merge_sort {
namespace {

template <typename T>
struct Less {
  __host__ __device__ bool operator()(typename T::Key a, typename T::Key b) const {
    return T::less(a, b);
  }
};

template <typename T>
void run(void* room, size_t& bytes, const Request& r) {
  const Records<T> from = records<T>(r.keys_from, r.values_from);
  const Records<T> to = records<T>(r.keys, r.values);
  if constexpr (T::pairs) {
    CHECK(cub::DeviceMergeSort::SortPairsCopy(room, bytes, from.keys, from.values, to.keys,
                                              to.values, r.n, Less<T>()));
  } else {
    CHECK(cub::DeviceMergeSort::SortKeysCopy(room, bytes, from.keys, to.keys, r.n, Less<T>()));
  }
}

void run_of_kind(void* room, size_t& bytes, const Request& r) {
  if (r.kind == Kind::int64) {
    return r.pairs ? run<Types<Int64, true>>(room, bytes, r)
                   : run<Types<Int64, false>>(room, bytes, r);
  }
  return r.pairs ? run<Types<Int32, true>>(room, bytes, r)
                 : run<Types<Int32, false>>(room, bytes, r);
}

size_t room_for(const Request& request) {
  size_t bytes = 0;
  run_of_kind(nullptr, bytes, request);
  return bytes;
}

}  // namespace

Cub::Cub(const Request& request) : room_(room_for(request)) {}

void Cub::sort(const Request& request) const {
  size_t bytes = room_.bytes();
  run_of_kind(room_.data(), bytes, request);
}

std::string Cub::version() {
  return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) +
         "." + std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace merge_sort
