// The code of {fmt}, for everything built here: what we build stands alone and goes into other
// processes, and a distribution's package may hold the library as a shared one only.
//
//   a file of ours     fmt::format("{} of {}", 3, 4)    leaves a call of fmt::vformat
//   this file          holds that vformat
//
// Every file reads {fmt}'s headers as those of a compiled library, and this one also those of its
// sources. Templates that the headers only declare for char are made here.
#include <fmt/format-inl.h>

#include <locale>

FMT_BEGIN_NAMESPACE
namespace detail {

// floats in the fewest digits
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
// {:L}, which every formatter of a number knows
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);

}  // namespace detail
FMT_END_NAMESPACE
