// Which keys of a launch stand where in a record's file; the others are its shape.
#pragma once

namespace headroom {

// What came of it.
inline constexpr const char* outcome_keys[] = {"counters",  "floor_seconds", "ordered", "state",
                                               "completed", "findings",      "caveats"};
// Of this launch alone.
inline constexpr const char* own_keys[] = {"index", "seconds"};

}  // namespace headroom
