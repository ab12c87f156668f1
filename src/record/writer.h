// The lines of a record's file, in which nothing is said twice: what a launch is and what came of it
// are written when they first appear, and from then on by their number.
//
//   {"schema": "headroom-record/2", "process": 4711, "program": ["./saxpy"], "machine": "h200",
//    "counters": ["warp_instructions", …]}
//   {"shape": {"kernel": "saxpy(…)", "grid": [4096,1,1], …}}               shape 0
//   {"begin": 0}                                                          before it runs
//   {"outcome": {"counters": [98304, …], "completed": true, …}}           outcome 0
//   {"launch": [0, 0, 0.00071]}                    shape, outcome, seconds of the executor
//   {"begin": 0}
//   {"ran": [0, 0, 0.00069]}                       before its time is predicted, if it is
//   {"outcome": {…, "prediction": {…}}}                                   outcome 1
//   {"launch": [0, 1, 0.00069]}
//   {"end": {"launches": 2, "transfers": …}}
//
// Where copies and waits are asked for:
//
//   {"action": ["host_to_device", 0, 13, 16384, 2.95e-7, 0]}     device, stream, bytes, seconds
//   {"action": ["wait_for_event", 0, 0, 0, 0, 4]}                after four launches and copies
//
// Where instructions were counted, an outcome has them, of a kernel's listing that came before it:
//
//   {"listing": {"files": […], "instructions": […]}}                      listing 0
//   {"outcome": {…, "source": {"listing": 0, "executed": [2048, …], …}}}
//
// Launches are numbered in their order. Neither side keeps more than `most_kept` shapes or outcomes:
// after so many the numbers begin again at 0.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>

#include "record/record.h"

namespace headroom {

inline constexpr size_t most_kept = 256;

class RecordWriter {
 public:
  // Each gives whole lines, every one with its newline.
  static std::string header(const Record&);
  std::string begin(const LaunchRecord&);
  std::string ran(const LaunchRecord&);     // as it is before its time is predicted
  std::string launch(const LaunchRecord&);  // the one that began last, if one did
  static std::string action(const HostAction&);
  static std::string end(const Record&, size_t launches);

 private:
  // What was introduced, by its text; and the last launches that had it, as most have what one of
  // these had, and to compare them is quicker than to write the text again.
  struct Numbers {
    std::unordered_map<std::string, size_t> by_text;
    std::vector<std::pair<LaunchRecord, size_t>> recent;
    size_t next_recent = 0;
  };
  using Same = bool (*)(const LaunchRecord&, const LaunchRecord&);
  static std::optional<size_t> recent(const Numbers&, const LaunchRecord&, Same);
  static void remember(Numbers&, const LaunchRecord&, size_t number);
  // Its number; what introduces it, if it is new, is added to `lines`.
  static size_t number(Numbers&, const char* kind, std::string text, std::string& lines);
  size_t shape(const LaunchRecord&, std::string& lines);
  size_t outcome(const LaunchRecord&, std::string& lines);
  size_t number(const std::shared_ptr<const MachineListing>&, std::string& lines);
  std::string over(const char* kind, const LaunchRecord&);
  Numbers shapes_, outcomes_;
  std::map<std::shared_ptr<const MachineListing>, size_t> listings_;
  std::optional<size_t> begun_;
};

}  // namespace headroom
