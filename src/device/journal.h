// The record of this process (record/record.h), written as it happens so that a crash loses nothing.
//
//   HEADROOM_RECORD=/tmp/run.7, process 4711  ->  /tmp/run.7.4711.jsonl
//
// The file appears with the first line. A forked child that goes on using CUDA starts a file of its
// own.
#pragma once
#include <deque>
#include <string>

#include "device/record_file.h"
#include "record/writer.h"

namespace headroom::device {

class Journal {
 public:
  Journal(std::string prefix, std::string machine);
  // Before it runs: a kernel that never returns is known by this line.
  void begin(const LaunchRecord&);
  void ran(const LaunchRecord&);     // before its time is predicted, which may take long
  void launch(const LaunchRecord&);  // its end, with its counters
  void transfer(const HostAction&);
  void wait(const HostAction&);  // of the host
  // Launches, copies and fills of this process until now.
  uint64_t work() const { return work_; }
  void unsupported(const std::string& name);
  void finding(const Finding&);  // of a call; what is told already is counted
  void event_time(bool predicted) {
    ++record_.event_times;
    record_.predicted_events = predicted;
  }
  void timing_loop() { ++record_.timing_loops; }
  void repeat() { ++record_.repeated; }
  void open();                                      // writes the header if this process has not
  void end();                                       // the last line, if there was a first
  void write_actions() { writes_actions_ = true; }  // copies, fills and waits, each
  bool writes_actions() const { return writes_actions_; }
  // From here on launches are kept in memory too, for who reads them in this process (library/).
  void keep() { keeps_ = true; }
  const std::deque<LaunchRecord>& kept() const { return kept_; }

 private:
  void write(const std::string& lines);
  std::string prefix_;
  Record record_;
  RecordWriter writer_;
  RecordFile file_;
  size_t launches_ = 0;
  uint64_t work_ = 0;
  bool keeps_ = false, writes_actions_ = false;
  std::deque<LaunchRecord> kept_;
};

}  // namespace headroom::device
