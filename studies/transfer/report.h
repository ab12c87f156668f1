// The study's results as tables of text and as JSON, from the same values.
#pragma once
#include <string>

#include "studies/transfer/results.h"

namespace transfer {

struct About {
  std::string device, driver, runtime, link, date,
      command;  // link: "32.0 GT/s PCIe x16", or nothing
};

// A row of functions and a line through its times, for every way that was swept.
struct WayLine {
  Way way;
  Line line;
};
std::vector<WayLine> lines(const Results&);

// The smallest size from which on `faster` is faster than plain copies of pageable memory; 0: at none.
size_t pays_from(const std::vector<PinningRow>&, Seconds PinningRow::Times::*faster);

void print(const Settings&, const About&, const Results&);               // report_text.cu
bool write_json(const std::string& path, const Settings&, const About&,  // report_json.cu
                const Results&);

}  // namespace transfer
