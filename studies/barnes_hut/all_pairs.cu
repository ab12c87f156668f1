// No tree: all pairs, by the fastest rung of the nbody study that works on every input. What the
// trees must beat, and from how many bodies on they do.
#include "studies/barnes_hut/device_state.cuh"
#include "studies/nbody/uniform_bodies.cu"  // the rung itself, so that one program holds it

namespace barnes_hut {

template <typename Real>
static __global__ void pack_kernel(View<Real> bodies, nbody::Point<Real>* points) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bodies.n) points[i] = {bodies.x[i], bodies.y[i], bodies.z[i], bodies.mass[i]};
}

namespace {

template <typename Real>
class AllPairs : public Solver {
 public:
  AllPairs(const Bodies& bodies, const Physics& physics)
      : softening_(Real(physics.softening)), state_(bodies), points_(bodies.size()) {}

  void accelerate(Clock& clock) override {
    const View<Real> view = state_.view();
    constexpr int block = nbody::block_size;
    pack_kernel<<<nbody::blocks_over(view.n, block), block>>>(view, points_.data());
    CHECK(cudaGetLastError());
    clock.mark("pack");
    nbody::uniform_bodies.launch(nbody::Problem<Real>{
        view.n, softening_ * softening_, nullptr, view.x, view.y, view.z, view.mass, points_.data(),
        view.acceleration_x, view.acceleration_y, view.acceleration_z});
    CHECK(cudaGetLastError());
    clock.mark("force");
  }
  void advance(double kick, double drift, Clock& clock) override {
    state_.advance(kick, drift);
    clock.mark("advance");
  }
  void check() override { CHECK(cudaDeviceSynchronize()); }
  std::vector<double> accelerations() override { return state_.accelerations(); }
  Bodies state() override { return state_.bodies(); }
  TreeFacts facts() override {
    TreeFacts facts;
    facts.interactions = double(state_.size()) * double(state_.size());
    return facts;
  }

 private:
  Real softening_;
  DeviceState<Real> state_;
  study::DeviceBuffer<nbody::Point<Real>> points_;
};

template <typename Real>
std::unique_ptr<Solver> make(const Bodies& bodies, const Physics& physics) {
  return std::make_unique<AllPairs<Real>>(bodies, physics);
}

}  // namespace

const Method all_pairs{"all_pairs", make<float>, make<double>, false, 8'000'000};

}  // namespace barnes_hut
