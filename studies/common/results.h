// A study's table on its way to readers and into a file: when the study is done, or marked as incomplete
// when something ends it before.
//
//   Results results(title, json, [&] { return table; }, [&] { measure.print_caveats(); });
//   table.row(…);                      as many as there are
//   return results.finish(right);      the exit code
//
//   sgemm, NVIDIA H200                 {"title": "sgemm, NVIDIA H200", "complete": false, "rows": [
//
//   rung   GFLOP/s
//   naive    512.2
//
//   incomplete: interrupted
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "studies/common/ending.h"
#include "studies/common/table.h"

namespace study {

class Results {
 public:
  // `table` is as far as it has come, `below` prints what belongs under it. An empty `json`: no file.
  Results(std::string title, std::string json, std::function<Table()> table,
          std::function<void()> below)
      : title_(std::move(title)),
        json_(std::move(json)),
        table_(std::move(table)),
        below_(std::move(below)),
        ending_([this](const char* why) { say_so_far(why); }) {}

  int finish(bool right) {
    ending_.over();
    const Table table = table_();
    print(table);
    if (!table.rows()) {
      std::fflush(stdout);
      std::fputs("nothing of this can run here\n", stderr);
      return 2;
    }
    std::printf("\n%s\n", right ? "PASS" : "FAIL");
    if (!write(table, true)) return 2;
    return right ? 0 : 1;
  }

  // Where the study itself has seen the signal and ended what it was at; the exit code.
  int interrupted() {
    ending_.over();
    say_so_far("interrupted");
    return interrupted_code;
  }

 private:
  void print(const Table& table) const {
    std::printf("%s\n\n", title_.c_str());
    table.print();
    below_();
  }
  bool write(const Table& table, bool complete) const {
    if (json_.empty() || table.write_json(json_, title_, complete)) return true;
    std::fflush(stdout);
    std::fprintf(stderr, "cannot write %s\n", json_.c_str());
    return false;
  }
  void say_so_far(const char* why) const {
    const Table table = table_();
    if (!table.rows()) return;
    print(table);
    std::printf("\nincomplete: %s\n", why);
    write(table, false);
  }

  std::string title_, json_;
  std::function<Table()> table_;
  std::function<void()> below_;
  Ending ending_;
};

}  // namespace study
