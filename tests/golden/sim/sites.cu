// A kernel whose instructions a person can count: of a warp each lane reads a sector of its own,
// writes to one bank of shared memory, goes round a loop once more than the lane before it, and the
// first `some` lanes write the sum once more than the others.
extern "C" __global__ void sites(const int* in, int* out, int some) {
  volatile __shared__ int tile[32 * 32];
  const int lane = threadIdx.x;
  tile[lane * 32] = in[lane * 8];
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k <= lane; ++k) sum += tile[k * 32];
  if (lane < some) out[lane] = sum;
  out[lane + 32] = sum;
}
