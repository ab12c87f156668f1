// Copies and fills of boxes of rows: which addresses may take which part, and what they cost.
#pragma once
#include "device/rows.h"
#include "device/session.h"

namespace headroom::device {

// Device memory, or the host's that the device may use.
bool is_device_side(const Session&, uint64_t address);

// invalid_value: rows lie in one another, or reach out of what is allocated.
Status check_copy(const Session&, const Rows& to, const Rows& from, const Box&);
Status check_fill(const Session&, const Rows& to, const Box&);

// Done, noted in the record, and added to the clock that events read.
void copy(Session&, const Rows& to, const Rows& from, const Box&);
void fill(Session&, const Rows& to, const Box&, unsigned value, unsigned element);

}  // namespace headroom::device
