// The tunings of all architectures in one type, and who uses which row. C++20, no CUDA needed.
//
//   using Tuning = LaunchBox<Row<80, 128, 7, 4>, Row<90, 256, 11, 2>>;
//
//   Tuning::find(86)      Choice{86, row 80, …}     nearest earlier row, for every architecture
//   Tuning::find(75)      std::nullopt              older than the first row
//   Tuning::At<86>        Row<80, 128, 7, 4>        the same at compile time; At<75> does not compile
//   Tuning::here          in device code            the row of the architecture it is compiled for
//
// Architectures compare as numbers: sm_90a is 90, and sm_120 has the row of sm_100 if that is the
// last one. Nothing is kept of the architectures that existed when a table was written.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "headroom/launch_box/choice.h"
#include "headroom/launch_box/row.h"

namespace headroom {

// The architectures of rows, and which of them is the nearest earlier one.
template <int... keys>
struct Architectures {
  static constexpr int count = sizeof...(keys);

  static constexpr bool ascending() {
    int before = 0;
    return ((keys > std::exchange(before, keys)) && ...);
  }

  // -1: there is none.
  static constexpr int index_for(int architecture) { return ((keys <= architecture) + ... + -1); }
};

// The row type that code of an architecture uses, in a std::type_identity.
template <int architecture, TuningRow... Rows>
constexpr auto row_at() {
  constexpr int index = Architectures<Rows::architecture...>::index_for(architecture);
  static_assert(index >= 0,
                "headroom: the architecture is older than the first row of this launch box: add a "
                "row for it, or do not compile for it");
  if constexpr (index >= 0) {
    return std::type_identity<std::tuple_element_t<index, std::tuple<Rows...>>>{};
  }
}

template <TuningRow... Rows>
class LaunchBox {
  using Keys = Architectures<Rows::architecture...>;
  static_assert(Keys::count > 0, "headroom: a launch box needs a row");
  static_assert(Keys::ascending(), "headroom: rows ascend by architecture, one row each");

  template <int index>
  using RowNumber = std::tuple_element_t<index, std::tuple<Rows...>>;

 public:
  static constexpr int first_architecture = RowNumber<0>::architecture;

  // The row type that code of an architecture uses.
  template <int architecture>
  using At = typename decltype(row_at<architecture, Rows...>())::type;

  // The same for an architecture known at run time, as values.
  static constexpr std::optional<Choice> find(int architecture) {
    if (Keys::index_for(architecture) < 0) return std::nullopt;
    return visit(architecture, [&](auto row) {
      return Choice{architecture, row.architecture, row.NT, row.VT, row.OCC};
    });
  }

  // Calls `use` with a value of the row type that code of an architecture uses, for parameters and
  // types of one's own. Throws std::out_of_range for one that is older than the first row.
  template <typename Use>
  static constexpr auto visit(int architecture, Use&& use) {
    const int index = Keys::index_for(architecture);
    if (index < 0) {
      throw std::out_of_range("launch box: there is no row for " + architecture_name(architecture) +
                              ": the first is that of " + architecture_name(first_architecture));
    }
    return visit_from<0>(index, use);
  }

  // Calls `use` with a value of every row type, in order.
  template <typename Use>
  static constexpr void for_each(Use&& use) {
    (use(Rows{}), ...);
  }

#ifdef __CUDACC__
  // What device code sees: the row, the architecture it is compiled for, and values a block.
  // A type of its own, so that only device code that asks for it needs a row.
#ifdef __CUDA_ARCH__
  struct OfThisCode : At<__CUDA_ARCH__ / 10> {
    static constexpr int compiled_for = __CUDA_ARCH__ / 10;
    static constexpr int NV = OfThisCode::NT * OfThisCode::VT;
  };
  using here = OfThisCode;
#else
  // The host's compiler reads kernels too, to know their names. Their bodies do not reach it; what
  // it meets elsewhere is host code that would launch with the numbers of a row of nobody.
  struct OfThisCode : RowNumber<0> {
    static constexpr int compiled_for = 0;
    static constexpr int NV = OfThisCode::NT * OfThisCode::VT;
  };
  using here [[gnu::unavailable(
      "only device code has an architecture: host code asks headroom::configure")]] = OfThisCode;
#endif
#endif

 private:
  template <int index, typename Use>
  static constexpr auto visit_from(int wanted, Use& use) {
    if constexpr (index + 1 < Keys::count) {
      if (wanted != index) return visit_from<index + 1>(wanted, use);
    }
    return use(RowNumber<index>{});
  }
};

}  // namespace headroom
