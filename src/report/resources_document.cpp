#include "report/resources_document.h"

#include <fmt/format.h>

#include "report/format.h"

namespace headroom {

namespace {

std::string known(const std::optional<int>& value, std::string_view unit) {
  return value ? fmt::format("{}{}", text::grouped(uint64_t(*value)), unit) : "unknown";
}

bool knows_nothing(const Resources& r) {
  return !r.registers && !r.static_shared && !r.stack && !r.spill_stores && !r.spill_loads;
}

}  // namespace

Document resources_document(const Resources& r, uint64_t dynamic_shared) {
  const std::string dynamic = text::bytes(double(dynamic_shared));
  if (knows_nothing(r))
    return {"",
            {Heading{3, "Resources", "unknown"},
             List{{fmt::format("shared memory {} dynamic a block", dynamic)}}}};
  return {"",
          {Heading{3, "Resources", "from " + r.from},
           List{{fmt::format("registers {} a thread; shared memory {} static + {} dynamic a block",
                             known(r.registers, ""), known(r.static_shared, " B"), dynamic),
                 fmt::format("stack {} a thread; spills {} stored, {} loaded", known(r.stack, " B"),
                             known(r.spill_stores, " B"), known(r.spill_loads, " B"))}}}};
}

}  // namespace headroom
