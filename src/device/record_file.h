// The file that a process writes its record to, held against what the program may do to it.
//
//   RecordFile file;
//   file.open("/tmp/run.7", 4711);     /tmp/run.7.4711.jsonl, or /tmp/run.7.4711.1.jsonl where the
//                                      process had begun one and then became another program (exec)
//   file.write("{…}\n");               whole lines
//
// A program may close descriptors that are not its own (daemons do) and get our number for a file of
// its own: before each write it is asked whose file that is. Where no room is left, the file keeps
// its whole lines and is called /tmp/run.7.4711.incomplete.jsonl from then on.
#pragma once
#include <sys/types.h>

#include <string>

namespace headroom::device {

class RecordFile {
 public:
  bool open(const std::string& prefix, int process);  // errno says why not
  bool write(const std::string& lines);               // false: no more is written, errno says why
  void close();
  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  bool is_ours() const;  // the descriptor still means the file
  bool write_all(const std::string& lines);
  int descriptor_ = -1;
  std::string path_, incomplete_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  off_t whole_ = 0;  // bytes of whole lines
};

}  // namespace headroom::device
