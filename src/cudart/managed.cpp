// Advice about managed memory, and prefetches (device/advice.h).
#include <algorithm>
#include <cstring>

#include "cudart/enqueue.h"
#include "device/advice.h"

namespace headroom::cudart {
namespace {

template <class Change>
void each(Allocation& allocation, const void* pointer, size_t bytes, Change change) {
  device::each(*allocation.advice, uint64_t(pointer), bytes, allocation.begin + allocation.bytes,
               change);
}

cudaError_t check(const Session& session, const cudaMemLocation& where) {
  if (where.type == cudaMemLocationTypeHost) return cudaSuccess;
  if (where.type == cudaMemLocationTypeDevice)
    return where.id >= 0 && where.id < session.options.devices ? cudaSuccess
                                                               : cudaErrorInvalidDevice;
  if (where.type != cudaMemLocationTypeHostNuma && where.type != cudaMemLocationTypeHostNumaCurrent)
    return cudaErrorInvalidValue;
  throw Failure{Status::not_supported,
                Error{"managed memory", "places by NUMA node are not supported yet",
                      "name the host (cudaMemLocationTypeHost)"}};
}

Location location_of(const cudaMemLocation& where) {
  if (where.type == cudaMemLocationTypeHost) return {Location::Kind::host};
  return {Location::Kind::device, where.id};
}

int id_of(const Location& where) {
  return where.kind == Location::Kind::device ? where.id
         : where.kind == Location::Kind::host ? cudaCpuDeviceId
                                              : cudaInvalidDeviceId;
}

cudaMemLocationType type_of(const Location& where) {
  return where.kind == Location::Kind::device ? cudaMemLocationTypeDevice
         : where.kind == Location::Kind::host ? cudaMemLocationTypeHost
                                              : cudaMemLocationTypeInvalid;
}

cudaError_t advise(Session& session, const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                   const cudaMemLocation& where) {
  Allocation* allocation = managed_memory(session, pointer, bytes);
  if (!allocation || advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return cudaErrorInvalidValue;
  const bool placed = advice == cudaMemAdviseSetPreferredLocation ||
                      advice == cudaMemAdviseSetAccessedBy ||
                      advice == cudaMemAdviseUnsetAccessedBy;
  if (placed)
    if (cudaError_t error = check(session, where)) return error;
  each(*allocation, pointer, bytes, [&](Said& said) {
    switch (advice) {
      case cudaMemAdviseSetReadMostly: said.read_mostly = true; break;
      case cudaMemAdviseUnsetReadMostly: said.read_mostly = false; break;
      case cudaMemAdviseSetPreferredLocation: said.preferred = location_of(where); break;
      case cudaMemAdviseUnsetPreferredLocation: said.preferred = {}; break;
      case cudaMemAdviseSetAccessedBy: said.accessed_by.insert(id_of(location_of(where))); break;
      case cudaMemAdviseUnsetAccessedBy: said.accessed_by.erase(id_of(location_of(where))); break;
    }
  });
  return cudaSuccess;
}

cudaError_t prefetch(Session& session, const void* pointer, size_t bytes,
                     const cudaMemLocation& where) {
  if (!managed_memory(session, pointer, bytes)) return cudaErrorInvalidValue;
  if (cudaError_t error = check(session, where)) return error;
  return code_of(device::prefetch(session, pointer, bytes, location_of(where)));
}

cudaError_t read(Session& session, void* out, size_t size, cudaMemRangeAttribute attribute,
                 const void* pointer, size_t bytes) {
  Allocation* allocation = managed_memory(session, pointer, bytes);
  if (!out || size < 4 || size % 4 || !allocation) return cudaErrorInvalidValue;
  const Said said = device::common(*allocation->advice, uint64_t(pointer), bytes,
                                   allocation->begin + allocation->bytes);
  std::vector<int> values;
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly: values = {said.read_mostly}; break;
    case cudaMemRangeAttributePreferredLocation: values = {id_of(said.preferred)}; break;
    case cudaMemRangeAttributeAccessedBy:
      values.assign(said.accessed_by.begin(), said.accessed_by.end());
      values.resize(size / 4, cudaInvalidDeviceId);
      break;
    case cudaMemRangeAttributeLastPrefetchLocation: values = {id_of(said.prefetched)}; break;
    case cudaMemRangeAttributePreferredLocationType: values = {type_of(said.preferred)}; break;
    case cudaMemRangeAttributePreferredLocationId: values = {said.preferred.id}; break;
    case cudaMemRangeAttributeLastPrefetchLocationType: values = {type_of(said.prefetched)}; break;
    case cudaMemRangeAttributeLastPrefetchLocationId: values = {said.prefetched.id}; break;
    default: return cudaErrorInvalidValue;
  }
  std::memcpy(out, values.data(), std::min(size, values.size() * 4));
  return cudaSuccess;
}

}  // namespace
}  // namespace headroom::cudart

using namespace headroom::cudart;
extern "C" {

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation where) {
  return call([&](Session& session) { return advise(session, pointer, bytes, advice, where); });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation where,
                                 unsigned flags, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    return flags ? cudaErrorInvalidValue : prefetch(session, pointer, bytes, where);
  });
}

// Each place holds for the ranges from its index to the next place's.
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                      cudaMemLocation* places, size_t* first, size_t place_count,
                                      unsigned long long flags, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    if (!pointers || !sizes || !count || !places || !first || !place_count || flags || first[0])
      return cudaErrorInvalidValue;
    for (size_t i = 0, place = 0; i < count; ++i) {
      if (place + 1 < place_count && first[place + 1] <= i) ++place;
      if (cudaError_t error = prefetch(session, pointers[i], sizes[i], places[place])) return error;
    }
    return cudaSuccess;
  });
}

// What a discarded range holds is anybody's guess: here, what it held.
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream) {
  return enqueue(stream, [&](Session& session, Work&) {
    if (!pointers || !sizes || !count || flags) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (!managed_memory(session, pointers[i], sizes[i])) return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                cudaMemLocation* places, size_t* first,
                                                size_t place_count, unsigned long long flags,
                                                cudaStream_t stream) {
  return cudaMemPrefetchBatchAsync(pointers, sizes, count, places, first, place_count, flags,
                                   stream);
}

cudaError_t cudaMemRangeGetAttribute(void* out, size_t size, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return call(
      [&](Session& session) { return read(session, out, size, attribute, pointer, bytes); });
}

cudaError_t cudaMemRangeGetAttributes(void** out, size_t* sizes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* pointer, size_t bytes) {
  return call([&](Session& session) {
    if (!out || !sizes || !attributes || !count) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (cudaError_t error = read(session, out[i], sizes[i], attributes[i], pointer, bytes))
        return error;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t bytes,
                                     unsigned flags) {
  return enqueue(stream, [&](Session& session, Work&) {
    const Allocation* allocation = managed_memory(session, pointer, 1);
    const bool whole = allocation && allocation->begin == uint64_t(pointer) &&
                       (!bytes || bytes == allocation->bytes);
    const bool single = flags == cudaMemAttachSingle;
    if (!whole || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && !single))
      return cudaErrorInvalidValue;
    return single && find_stream(session, stream)->legacy ? cudaErrorInvalidValue : cudaSuccess;
  });
}
}
