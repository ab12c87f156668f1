// The code of {fmt}, for everything built here: what we build stands alone and goes into other
// processes, and a distribution's package may hold the library as a shared one only.
//
//   a file of ours     fmt::format("{} of {}", 3, 4)    leaves a call of fmt::vformat
//   this file          holds that vformat
//
// Every other file reads {fmt}'s headers as those of a compiled library. Here they bring the code
// along, as inline functions, which a compiler leaves out of an object where nothing uses them: so
// everything that is called from elsewhere is used here, by its address. Another function that the
// linker misses becomes another row.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include <cstdio>
#include <locale>
#include <string>

namespace headroom {

struct UsedOfFormat {
  // fmt::format and fmt::print
  std::string (*vformat)(fmt::string_view, fmt::format_args) = fmt::vformat;
  void (*print)(fmt::string_view, fmt::format_args) = fmt::vprint;
  void (*print_to)(std::FILE*, fmt::string_view, fmt::format_args) = fmt::vprint;
  // {:?} of text, and floats in the fewest digits
  bool (*is_printable)(uint32_t) = fmt::detail::is_printable;
  decltype(&fmt::detail::dragonbox::to_decimal<float>) digits_of_float =
      fmt::detail::dragonbox::to_decimal<float>;
  decltype(&fmt::detail::dragonbox::to_decimal<double>) digits_of_double =
      fmt::detail::dragonbox::to_decimal<double>;
  // {:L}, which every formatter of a number knows
  decltype(&fmt::detail::thousands_sep_impl<char>) thousands =
      fmt::detail::thousands_sep_impl<char>;
  decltype(&fmt::detail::decimal_point_impl<char>) point = fmt::detail::decimal_point_impl<char>;
  std::locale (fmt::detail::locale_ref::*locale)() const =
      &fmt::detail::locale_ref::get<std::locale>;
  // what ends badly; the first brings the class of the exception along
  void (*throw_error)(const char*) = fmt::detail::throw_format_error;
  void (*assert_fail)(const char*, int, const char*) = fmt::detail::assert_fail;
};

// Known outside of this file, so that no compiler may think it unused.
extern const UsedOfFormat used_of_format;
const UsedOfFormat used_of_format;

}  // namespace headroom
