// See special.h.
#include "ptx/special.h"

#include <algorithm>

namespace headroom::ptx {
namespace {

constexpr std::string_view of_three_dimensions[] = {
    // %tid, %tid.x … %tid.w
    "%tid",       "%ntid",       "%ctaid",         "%nctaid",
    "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid",
};
constexpr std::string_view numbered[] = {"%pm", "%envreg", "%reserved_smem_offset_"};
constexpr std::string_view plain[] = {
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%is_explicit_cluster",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock_hi",
    "%clock64",
    "%globaltimer",
    "%globaltimer_lo",
    "%globaltimer_hi",
    "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end",
    "%reserved_smem_offset_cap",
    "%total_smem_size",
    "%aggr_smem_size",
    "%dynamic_smem_size",
    "%current_graph_exec",
};

}  // namespace

bool is_special(std::string_view name) {
  auto among = [&](auto& list, std::string_view text) {
    return std::find(std::begin(list), std::end(list), text) != std::end(list);
  };
  if (among(plain, name)) return true;
  if (size_t point = name.find('.'); point != std::string_view::npos) {
    std::string_view part = name.substr(point);
    return (part == ".x" || part == ".y" || part == ".z" || part == ".w") &&
           among(of_three_dimensions, name.substr(0, point));
  }
  if (among(of_three_dimensions, name)) return true;
  if (name.ends_with("_64")) name.remove_suffix(3);
  for (std::string_view stem : numbered) {
    std::string_view digits = name.starts_with(stem) ? name.substr(stem.size()) : "";
    if (!digits.empty() && digits.size() <= 2 &&
        digits.find_first_not_of("0123456789") == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace headroom::ptx
