// The file that a process writes its record to, held against what the program may do to it.
//
//   RecordFile file;
//   file.open("/tmp/run.7", 4711);     /tmp/run.7.4711.jsonl, or /tmp/run.7.4711.1.jsonl where the
//                                      process had begun one and then became another program (exec)
//   file.write("{…}\n");               whole lines
//   file.close();                      cuts it behind the last
//
// Lines are copied into pages that the file and we share: no call of the system for each, and what
// was copied is in the file whatever becomes of the process. A process that ends without close()
// leaves zeros behind the last line. Room is taken beforehand, so that a full disk is an error here
// and not a signal; where a file system gives none, or shares no pages, lines are written one by one. A program may
// close descriptors that are not its own (daemons do) and get our number for a file of its own: before each use it is
// asked whose file that is. Where no room is left, the file keeps its whole lines and is called
// /tmp/run.7.4711.incomplete.jsonl from then on.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <string>

namespace headroom::device {

class RecordFile {
 public:
  RecordFile() = default;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;
  bool open(const std::string& prefix, int process);  // errno says why not
  bool write(const std::string& lines);               // false: no more is written, errno says why
  void close();
  void leave();  // as it is: another process writes it
  bool is_open() const { return descriptor_ >= 0; }
  const std::string& path() const { return path_; }

 private:
  bool is_ours() const;  // the descriptor still means the file
  bool find();           // it again, if the program closed it
  bool enlarge(size_t bytes);
  bool map(size_t room);
  bool write_out(const std::string& lines);
  size_t room_for(size_t bytes);  // takes room from whole_ on; 0: there is none
  void give_up();
  void unmap();
  int descriptor_ = -1;
  std::string path_, incomplete_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  off_t whole_ = 0;        // bytes of whole lines
  char* pages_ = nullptr;  // of the file, from first_ on
  size_t mapped_ = 0;      // bytes of them
  off_t first_ = 0;
};

}  // namespace headroom::device
