// What a host program sees of device code: parameters, bounds, variables. Compiled, never run.
struct Mixed {
  char a[5];
  short b;
  double c;
};
struct Large {
  int values[2000];
};
__device__ int counter = 7;
__device__ int* pointer = &counter;
__constant__ float table[3] = {1, 2, 3};
__constant__ int late;
__device__ float zeros[100];

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    mixed(char a, Mixed s, float* out, unsigned char z) {
  out[threadIdx.x] = table[threadIdx.x % 3] + a + float(s.c) + z + zeros[threadIdx.x] + late;
  pointer[0] = 9;
}
__global__ void large(Large l, int i, int* p) { p[0] = l.values[i]; }
__global__ void nothing() {}

// Addresses of kernels, as libcudadevrt has tables of them.
__device__ void (*kernels[2])() = {nothing, nothing};
__global__ void pick(unsigned long long* out, int n) { *out = (unsigned long long)kernels[n]; }
struct alignas(64) Map {
  unsigned char bytes[128];
};
__global__ void aligned(int i, const __grid_constant__ Map map, char c, int* p) {
  p[0] = map.bytes[i] + c;
}
