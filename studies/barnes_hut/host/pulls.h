// The pulls of a list of bodies and cells on some bodies, by the vectors of the host's processor:
//
//   a_i = sum over the list of  m d / (|d|^2 + softening^2)^(3/2)
//
//   List<float> list;                         // x, y, z, mass: arrays of their own
//   list.add(x, y, z, mass);
//   set_pulls(list, softening2, targets);     // pads the list to whole vectors
//
// A body of the list at the place of a target pulls it by 0.
#pragma once
#include <cstddef>
#include <vector>

namespace barnes_hut {

// Grows by doubling, shrinks for free: the walk of a group gives back what its subgroups added.
template <typename Real>
class List {
 public:
  static constexpr size_t lanes = 64 / sizeof(Real);  // of the longest vectors

  List() { reserve(4096); }
  // Room for `more` and for padding.
  void reserve(size_t more) {
    if (size + more + lanes <= x.size()) return;
    const size_t room = 2 * (size + more + lanes);
    for (auto* array : {&x, &y, &z, &mass}) array->resize(room);
  }
  // There must be room.
  void add(Real at_x, Real at_y, Real at_z, Real its_mass) {
    x[size] = at_x, y[size] = at_y, z[size] = at_z, mass[size] = its_mass;
    ++size;
  }
  // Bodies without mass up to a whole number of vectors; they are not counted. Returns with them.
  size_t pad() {
    const size_t padded = (size + lanes - 1) / lanes * lanes;
    for (size_t j = size; j < padded; ++j) x[j] = y[j] = z[j] = mass[j] = 0;
    return padded;
  }

  size_t size = 0;
  std::vector<Real> x, y, z, mass;
};

template <typename Real>
struct Targets {
  const Real *x, *y, *z;
  Real *acceleration_x, *acceleration_y, *acceleration_z;  // are set
  size_t count;
};

void set_pulls(List<float>& list, float softening2, const Targets<float>& targets);
void set_pulls(List<double>& list, double softening2, const Targets<double>& targets);

}  // namespace barnes_hut
