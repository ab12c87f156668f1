// A CuTe example beside a plain sum: the example's own gemm() on small whole numbers, which every format and every order of
// adding keeps exact, compared element by element. The examples themselves time gemm(), and compare nothing.
//
//     nvcc -DEXAMPLE='"…/examples/cute/tutorial/sgemm_sm80.cu"' -DELEMENT=cute::half_t … cute_check.cu
//     $ ./main 256 384 192 TN        m n k, and which of A and B are transposed
//     256 x 384 x 192 TN: PASS
#define main main_of_the_example
#include EXAMPLE
#undef main

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using Element = ELEMENT;

static Element* on_device(const std::vector<Element>& values) {
  Element* there = nullptr;
  cudaMalloc(&there, values.size() * sizeof(Element));
  cudaMemcpy(there, values.data(), values.size() * sizeof(Element), cudaMemcpyHostToDevice);
  return there;
}

int main(int arguments, char** argument) {
  if (arguments != 5) return std::fprintf(stderr, "usage: %s M N K TN|NT\n", argument[0]), 2;
  const size_t m = std::atoi(argument[1]), n = std::atoi(argument[2]), k = std::atoi(argument[3]);
  const bool a_transposed = argument[4][0] == 'T', b_transposed = argument[4][1] == 'T';
  std::mt19937 random(20261121);
  const auto any = [&](size_t count) {
    std::vector<Element> values(count);
    for (Element& value : values) value = Element(float(int(random() % 5) - 2));
    return values;
  };
  const std::vector<Element> a = any(m * k), b = any(n * k);
  std::vector<Element> c(m * n, Element(77.0f));
  Element *a_there = on_device(a), *b_there = on_device(b), *c_there = on_device(c);
  gemm(argument[4][0], argument[4][1], int(m), int(n), int(k), Element(1.0f), a_there,
       int(a_transposed ? k : m), b_there, int(b_transposed ? n : k), Element(0.0f), c_there,
       int(m));
  if (const cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL: %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(c.data(), c_there, c.size() * sizeof(Element), cudaMemcpyDeviceToHost);

  size_t wrong = 0;
  for (size_t column = 0; column < n; ++column) {
    for (size_t row = 0; row < m; ++row) {
      double sum = 0;
      for (size_t l = 0; l < k; ++l)
        sum += double(float(a_transposed ? a[row * k + l] : a[row + l * m])) *
               double(float(b_transposed ? b[l * n + column] : b[l + column * k]));
      wrong += double(float(c[row + column * m])) != sum;
    }
  }
  if (wrong) return std::printf("%zu of %zu elements are wrong: FAIL\n", wrong, m * n), 1;
  std::printf("%zu x %zu x %zu %s: PASS\n", m, n, k, argument[4]);
}
