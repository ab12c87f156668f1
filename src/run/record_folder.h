// A temporary folder for the records of a program and of the processes it starts; it goes when this
// goes, and also when we are killed: a process of our own waits for that.
//
//   /tmp/headroom.x8Qz1a/run.4711.jsonl, run.4712.jsonl  ->  two Records, the program's own first
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

#include "record/record.h"

namespace headroom {

class RecordFolder {
 public:
  RecordFolder();  // under TMPDIR or /tmp; throws Error when it cannot be made
  ~RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;

  std::string path() const { return path_; }
  std::string prefix() const { return path_ + "/run"; }
  // The record of `process` first, then those of its children by number.
  std::vector<Record> read(int process) const;
  // The traces of a run on a GPU, in the same order.
  std::vector<std::string> traces(int process) const;

 private:
  std::string path_;
  pid_t keeper_ = -1;
  int alive_ = -1;  // the end of a pipe that closes when we are no more
};

}  // namespace headroom
