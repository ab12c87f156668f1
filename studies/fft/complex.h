// Complex numbers as float2: x is the real part.
#pragma once

namespace fft {

__device__ inline float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ inline float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ inline float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ inline float2 times_minus_i(float2 a) { return {a.y, -a.x}; }

// An inverse transform is the conjugate of the transform of the conjugate: `sign` is -1, else 1.
__device__ inline float2 turned(float2 a, float sign) { return {a.x, a.y * sign}; }

}  // namespace fft
