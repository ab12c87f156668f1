// Sizes of a sweep, and whether all of it was right.
#include "studies/transfer/results.h"

namespace transfer {

std::vector<size_t> sizes_up_to(const Settings& chosen, size_t most) {
  std::vector<size_t> sizes;
  for (size_t bytes = chosen.least; bytes < most; bytes *= chosen.factor) sizes.push_back(bytes);
  if (most >= chosen.least) sizes.push_back(most);
  return sizes;
}

size_t Results::wrong() const {
  size_t count = 0;
  for (const Row& row : rows) count += row.wrong;
  for (const PinningRow& row : pinning) count += row.wrong;
  for (const OverlapRow& row : overlap) count += row.wrong;
  for (const SteadyRow& row : steady) count += row.wrong;
  return count;
}

}  // namespace transfer
