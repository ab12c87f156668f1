#include "sim/decode_ptx/overwrites.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sim/decode_ptx/thread_form.h"
#include "sim/loaded.h"

namespace headroom::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

constexpr int64_t least_row = 32;

// The address of a plain load or store of memory that others may write; null: it is none.
const Operand* place(const Instruction& i) {
  const bool of_thread = i.has(".param") || i.has(".local") || i.has(".const") || i.has(".nc");
  if (of_thread || (i.opcode != "ld" && i.opcode != "st")) return nullptr;
  const auto found = std::ranges::find(i.operands, Operand::Kind::address, &Operand::kind);
  return found == i.operands.end() ? nullptr : &*found;
}

std::string name_of(const Operand& place) {
  return place.reg >= 0 ? std::to_string(place.reg) : place.name;
}

int64_t bytes_of(const Instruction& i) {
  const int64_t count = i.has(".v2") ? 2 : i.has(".v4") ? 4 : i.has(".v8") ? 8 : 1;
  return count * ptx::size_of(i.type());
}

struct TouchedPlace {  // around one address, by all that use it
  int64_t low = INT64_MAX, high = INT64_MIN;
  bool is_read = false;
};

std::map<std::string, TouchedPlace> touched_places(const ptx::Function& function) {
  std::map<std::string, TouchedPlace> places;
  for (const Instruction& i : function.body) {
    const Operand* at = place(i);
    if (!at) continue;
    TouchedPlace& touched = places[name_of(*at)];
    touched.low = std::min(touched.low, at->offset);
    touched.high = std::max(touched.high, at->offset + bytes_of(i));
    touched.is_read |= i.opcode == "ld";
  }
  return places;
}

bool is_own(const ThreadForm& form, uint8_t axes, int64_t bytes) {
  if (form.kind != ThreadForm::Kind::affine) return false;
  int64_t last = 0;  // the known step before, by size
  int open = 0;
  std::vector<int64_t> steps;
  for (int axis = 0; axis < 3; ++axis) {
    const Multiple& step = form.of_thread[size_t(axis)];
    if ((axes >> axis & 1) == 0) continue;
    if (step.is_zero()) return false;
    open += !step.is_known;
    if (step.is_known) steps.push_back(std::abs(step.value));
  }
  std::ranges::sort(steps);
  for (const int64_t step : steps) {
    if (step < (last ? least_row * last : bytes)) return false;
    last = step;
  }
  return open == 0 || (open == 1 && (!steps.empty() || bytes <= 16));
}

}  // namespace

uint8_t axes_between_warps(const Dim3& block) {
  if (block.count() <= 32) return 0;
  return uint8_t((block.x > 1 ? axis_x : 0) | (block.y > 1 ? axis_y : 0) |
                 (block.z > 1 ? axis_z : 0));
}

std::set<int> overwriting_stores(const ptx::Function& function, uint8_t axes) {
  if (axes == 0) return {};
  const std::map<std::string, TouchedPlace> places = touched_places(function);
  std::vector<ThreadForm> forms;  // found when the first store asks
  std::set<int> stores;
  for (int i = 0; i < int(function.body.size()); ++i) {
    const Instruction& store = function.body[size_t(i)];
    const Operand* at = store.opcode == "st" ? place(store) : nullptr;
    if (!at) continue;
    const TouchedPlace& touched = places.at(name_of(*at));
    if (!touched.is_read) continue;
    if (at->reg >= 0) {
      if (forms.empty()) forms = thread_forms(function);
      if (is_own(forms[size_t(at->reg)], axes, touched.high - touched.low)) continue;
    }
    stores.insert(i);
  }
  return stores;
}

}  // namespace headroom::sim
