// A file that is whole or not there: opened before long work starts, so that a wrong path is known
// at once, and renamed into place when it is written.
//
//   OutputFile file("out.json", "--json");   throws Error{"--json out/x.json", "cannot be written: …"}
//   file.write(text);
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "record/program_end.h"

namespace headroom {

class OutputFile {
 public:
  // "-" is standard output; a device or pipe is written straight. An empty path takes `otherwise`,
  // or drops the text. A reader of those two that has left, and an `otherwise` that was closed
  // before we came, are no errors: nobody waits for the text.
  OutputFile(const std::string& path, const std::string& option, std::FILE* otherwise = nullptr);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const std::string& text);

 private:
  void give_name();
  bool is_missed(int reason) const;
  [[noreturn]] void fail(const std::string& problem) const;
  std::string path_, option_, temporary_;
  std::FILE* stream_ = nullptr;
  bool is_ours_ = false, is_nameless_ = false;
};

// Throws Error where two options name one file, or both name standard output: their texts would
// stand in each other. Devices may be named twice.
//
//   refuse_one_place({{"--json", "-"}, {"--report", "-"}});
struct Destination {
  std::string option, path;
};
void refuse_one_place(const std::vector<Destination>&);

// Throws Error where an option names the program that is run, by whatever link: it would be replaced.
void refuse_program(const std::string& program, const std::vector<Destination>&);

// Writes all of them, the others also where one cannot be written; then throws, with the program's own
// exit code where it failed itself.
struct Written {
  OutputFile& file;
  std::string text;
};
void write_all(const std::vector<Written>&, const ProgramEnd&);

// Writes the JSON, then the report, the report also where the JSON cannot be written; then throws,
// with the program's own exit code where it failed itself.
void write_both(OutputFile& json_file, const std::string& json, OutputFile& report_file,
                const std::string& report, const ProgramEnd&);

}  // namespace headroom
