// See direct.h: one block a chosen body, its threads stride over all others and add up in a tree.
#include <cmath>

#include "studies/barnes_hut/direct.h"
#include "studies/common/buffer.h"

namespace barnes_hut {

using Point = nbody::Point<double>;

struct Pull {
  double x, y, z, sizes, potential;
};

constexpr int direct_block = 256;

static __global__ void direct_kernel(const Point* bodies, int n, double softening2,
                                     const int* chosen, Pull* pulls) {
  __shared__ Pull partial[direct_block];
  const int i = chosen ? chosen[blockIdx.x] : blockIdx.x;
  const Point own = bodies[i];
  Pull sum{};
  for (int j = threadIdx.x; j < n; j += direct_block) {
    const Point other = bodies[j];
    const double dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const double distance2 = dx * dx + dy * dy + dz * dz, softened2 = distance2 + softening2;
    const double potential = other.mass / sqrt(softened2), pull = potential / softened2;
    sum.x += dx * pull, sum.y += dy * pull, sum.z += dz * pull;
    sum.sizes += sqrt(distance2) * pull;
    if (j != i) sum.potential += potential;
  }
  partial[threadIdx.x] = sum;
  for (int half = direct_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const Pull more = partial[threadIdx.x + half];
    Pull& mine = partial[threadIdx.x];
    mine.x += more.x, mine.y += more.y, mine.z += more.z;
    mine.sizes += more.sizes, mine.potential += more.potential;
  }
  if (threadIdx.x == 0) pulls[blockIdx.x] = partial[0];
}

namespace {

std::vector<Pull> pulls_on(const Points& bodies, double softening, const std::vector<int>* chosen) {
  const study::DeviceBuffer<Point> others(bodies);
  const size_t asked = chosen ? chosen->size() : bodies.size();
  const study::DeviceBuffer<int> places(chosen ? *chosen : std::vector<int>(1));
  const study::DeviceBuffer<Pull> found(asked);
  if (asked) {
    direct_kernel<<<unsigned(asked), direct_block>>>(
        others.data(), int(bodies.size()), softening * softening, chosen ? places.data() : nullptr,
        found.data());
  }
  CHECK(cudaGetLastError());
  std::vector<Pull> pulls;
  found.read(pulls);
  return pulls;
}

Pull on_host(const Points& bodies, double softening, int i) {
  Pull sum{};
  for (const auto& other : bodies) {
    const double dx = other.x - bodies[i].x, dy = other.y - bodies[i].y, dz = other.z - bodies[i].z;
    const double softened2 = dx * dx + dy * dy + dz * dz + softening * softening;
    const double pull = other.mass / (softened2 * std::sqrt(softened2));
    sum.x += dx * pull, sum.y += dy * pull, sum.z += dz * pull;
    sum.sizes += pull * std::hypot(dx, dy, dz);
  }
  return sum;
}

}  // namespace

std::vector<Direct> direct_accelerations(const Points& bodies, double softening,
                                         const std::vector<int>& chosen) {
  const std::vector<Pull> pulls = pulls_on(bodies, softening, &chosen);
  const size_t asked = pulls.size();
  constexpr size_t compared = 4;
  for (size_t c = 0; c < asked; c += (asked - 1) / compared + 1) {
    const Pull want = on_host(bodies, softening, chosen[c]);
    const double off = std::hypot(pulls[c].x - want.x, pulls[c].y - want.y, pulls[c].z - want.z);
    const double rounding = (8 * std::sqrt(double(bodies.size())) + 16) * 0x1p-53;
    if (off <= rounding * want.sizes) continue;
    throw Failure("the device's sum over all pairs for body " + std::to_string(chosen[c]) +
                  " is not the host's: do not trust the errors");
  }
  std::vector<Direct> found;
  for (const Pull& pull : pulls) found.push_back({pull.x, pull.y, pull.z, pull.sizes});
  return found;
}

double direct_potential(const Points& bodies, double softening) {
  const std::vector<Pull> pulls = pulls_on(bodies, softening, nullptr);
  double sum = 0;
  for (size_t i = 0; i < pulls.size(); ++i) sum -= bodies[i].mass * pulls[i].potential / 2;
  return sum;
}

}  // namespace barnes_hut
