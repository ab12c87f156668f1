// Variables of the device by the host name of them: table, in `__device__ int table[16]`, is a host
// address.
#include "cudart/symbol.h"

#include "cudart/copy.h"
#include "cudart/enqueue.h"
#include "device/modules.h"

namespace headroom::cudart {
namespace {

// Where the bytes of the symbol lie, in a copy that has the device on the side `wanted`.
cudaError_t place(Session& session, const void* symbol, size_t bytes, size_t offset,
                  cudaMemcpyKind kind, cudaMemcpyKind wanted, void*& out) {
  const Variable* variable = registry().variable(symbol);
  if (!variable) return cudaErrorInvalidSymbol;
  if (kind != wanted && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  uint64_t begin = 0;
  const Status status = address(session, *variable, offset, bytes, begin);
  out = reinterpret_cast<void*>(begin);
  return code_of(status);
}

}  // namespace

MakeWork to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                   cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    void* to = nullptr;
    cudaError_t error = place(session, symbol, bytes, offset, kind, cudaMemcpyHostToDevice, to);
    return error ? error : copy_work(copy_of(to, from, bytes, kind))(session, work);
  };
}

MakeWork from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                     cudaMemcpyKind kind) {
  return [=](Session& session, Work& work) {
    void* from = nullptr;
    cudaError_t error = place(session, symbol, bytes, offset, kind, cudaMemcpyDeviceToHost, from);
    return error ? error : copy_work(copy_of(to, from, bytes, kind))(session, work);
  };
}

}  // namespace headroom::cudart

using namespace headroom::cudart;
namespace {

cudaError_t with_symbol(const void* symbol,
                        const std::function<cudaError_t(Session&, const Variable&)>& body,
                        const char* function = __builtin_FUNCTION()) {
  return synchronising(
      [&](Session& session) {
        const Variable* variable = registry().variable(symbol);
        return variable ? body(session, *variable) : cudaErrorInvalidSymbol;
      },
      function);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return at_once("cudaMemcpyToSymbol", to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return at_once("cudaMemcpyFromSymbol", from_symbol(to, symbol, bytes, offset, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, to_symbol(symbol, from, bytes, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return enqueue(stream, from_symbol(to, symbol, bytes, offset, kind));
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
