// Tables of random content, and what a chain must end with: the same operations on the host, each
// rounded once, so that the GPU's result is equal bit for bit.
//
//   random_words(seed)        operands of the multiplies, in [-1, 1)
//   random_walk<4>(seed)      nodes of 4 words: where the walk goes on, in bytes, and three numbers
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "studies/common/random.h"
#include "studies/registers/registers.h"

namespace registers {

// How a multiply gets b: from a register; a load for every chain; a load for all chains of a thread.
enum class Loads { none, each_its_own, one_for_all };

constexpr int multiply_rows = 128;
// Loads of an iteration of the loop: half of the rows, so that no load repeats another's address
// and none is that of the iteration before.
constexpr int loads_an_iteration = multiply_rows / 2;

template <int chains, Loads loads>
constexpr int loads_a_step = loads == Loads::each_its_own ? chains : 1;
template <int chains, Loads loads>
constexpr int multiplies_an_iteration = loads_an_iteration / loads_a_step<chains, loads>;

// The load of a chain at a step, counted from the first.
template <int chains, Loads loads>
#ifdef __CUDACC__
__host__ __device__
#endif
    constexpr int
    load_at(int step, int chain) {
  return step * loads_a_step<chains, loads> + (loads == Loads::each_its_own ? chain : 0);
}

inline Table random_words(uint64_t seed) {
  Table table(multiply_rows * lanes);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = std::bit_cast<uint32_t>(study::random_float(seed, i));
  return table;
}

template <int words>
Table random_walk(uint64_t seed) {
  std::vector<int> order(walk_rows);
  std::iota(order.begin(), order.end(), 0);
  for (int i = walk_rows - 1; i > 0; --i) {
    std::swap(order[i], order[study::random_bits(seed, i) % (i + 1)]);
  }
  Table table(walk_rows * lanes * words);
  for (int i = 0; i < walk_rows; ++i) {
    for (int lane = 0; lane < lanes; ++lane) {
      uint32_t* node = &table[(order[i] * lanes + lane) * words];
      node[0] = (order[(i + 1) % walk_rows] * lanes + lane) * words * sizeof(uint32_t);
      for (int w = 1; w < words; ++w) {
        node[w] =
            std::bit_cast<uint32_t>(study::random_float(seed + 1, (i * lanes + lane) * 4 + w));
      }
    }
  }
  return table;
}

template <int chains, Loads loads>
Chain multiply_on_host(const Table& table, Start start, int steps) {
  float a = start.at.value;
  for (int s = 0; s < steps; ++s) {
    const int row = load_at<chains, loads>(s, start.chain) % multiply_rows;
    const float b =
        loads == Loads::none ? start.b : std::bit_cast<float>(table[row * lanes + start.lane]);
    a = std::fma(a, b, start.c);
  }
  return {start.at.place, a};
}

template <int words>
Chain walk_on_host(const Table& table, Start start, int steps) {
  Chain chain = start.at;
  for (int s = 0; s < steps; ++s) {
    const uint32_t* node = &table[chain.place / sizeof(uint32_t)];
    chain.place = int(node[0]);
    for (int w = 1; w < words; ++w)
      chain.value = std::fma(std::bit_cast<float>(node[w]), start.b, chain.value);
  }
  return chain;
}

}  // namespace registers
