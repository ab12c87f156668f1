// Variables of the device by the host name of them: table, in `__device__ int table[16]`, is a host
// address.
#include "runtime/copy.h"
#include "runtime/modules.h"
#include "runtime/stream.h"

using namespace headroom::runtime;
namespace {

cudaError_t with_symbol(const void* symbol,
                        const std::function<cudaError_t(Session&, const Variable&)>& body) {
  return synchronising([&](Session& session) {
    const Variable* variable = registry().variable(symbol);
    return variable ? body(session, *variable) : cudaErrorInvalidSymbol;
  });
}

bool is_inside(const Variable& variable, size_t bytes, size_t offset) {
  return offset <= variable.bytes && bytes <= variable.bytes - offset;
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return with_symbol(symbol, [&](Session& session, const Variable& variable) {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    if (!is_inside(variable, bytes, offset)) return cudaErrorInvalidValue;
    auto* to = reinterpret_cast<char*>(address(session, variable)) + offset;
    return copy(session, to, from, bytes, kind);
  });
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return with_symbol(symbol, [&](Session& session, const Variable& variable) {
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    if (!is_inside(variable, bytes, offset)) return cudaErrorInvalidValue;
    const auto* from = reinterpret_cast<const char*>(address(session, variable)) + offset;
    return copy(session, to, from, bytes, kind);
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
  return with_symbol(symbol, [&](Session& session, const Variable& variable) {
    if (!out) return cudaErrorInvalidValue;
    *out = reinterpret_cast<void*>(address(session, variable));
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* out, const void* symbol) {
  return with_symbol(symbol, [&](Session&, const Variable& variable) {
    if (!out) return cudaErrorInvalidValue;
    *out = variable.bytes;
    return cudaSuccess;
  });
}
}
