// A matrix transposed: three kernels, and the function that a program calls.
#pragma once

// out[x][y] = in[y][x]; both n × n, row by row, on the device. n is a multiple of 32.
__global__ void naive(float* out, const float* in, int n);
__global__ void tiled(float* out, const float* in, int n);
__global__ void padded(float* out, const float* in, int n);

void transpose(float* out, const float* in, int n);
