// Fresh random input for programs that compare with std::: a new seed each run, printed when something fails; the first
// argument repeats one.
//
//   Random random(argc, argv);
//   std::vector<int> keys = random.values<int>(1000);        // the type's whole range
//   std::vector<int> few = random.values<int>(1000, 0, 9);   // from 0 to 9
#pragma once
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

struct Random {
  explicit Random(int argc, char** argv)
      : seed(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : std::random_device()()),
        engine(seed) {}

  template <class T>
  std::vector<T> values(size_t n, T least = std::numeric_limits<T>::min(),
                        T most = std::numeric_limits<T>::max()) {
    std::uniform_int_distribution<T> any(least, most);
    std::vector<T> out(n);
    for (T& value : out) value = any(engine);
    return out;
  }

  unsigned long seed;
  std::mt19937 engine;
};

// Where blocks end or begin, and a million.
inline const std::vector<size_t> sizes = {0, 1, 31, 32, 33, 255, 4096, 10007, 1000000};
