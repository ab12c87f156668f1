// The parts of the table of forms, one function a file of rows.
#pragma once
#include <span>

#include "ptx/forms.h"

namespace headroom::ptx {

std::span<const Form> integer_forms();
std::span<const Form> float_forms();
std::span<const Form> compare_forms();
std::span<const Form> move_forms();
std::span<const Form> convert_forms();
std::span<const Form> async_forms();
std::span<const Form> texture_forms();
std::span<const Form> control_forms();
std::span<const Form> synchronise_forms();
std::span<const Form> mbarrier_forms();
std::span<const Form> matrix_forms();
std::span<const Form> video_forms();

}  // namespace headroom::ptx
