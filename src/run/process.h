// The one place that starts programs: the user's, probes and studies.
//
//   run_process({"/home/me/saxpy", {"saxpy", "1000"}, our_environment()})
//     ->  ProcessEnd{process 4711, exit_code 0}
//   run_process({"…/probes/latency", {"latency", "--gpu", "0"}, our_environment(), Output::read},
//               {.limit = 120, .line = […], .meanwhile = […]})
//     ->  ProcessEnd{…, output "{\"seed\": 5}\n{\"value\": …", seconds 1.4}
//
// A program whose parent is killed (SIGKILL) is killed by the kernel with it. Processes that the
// program itself started are not: nobody tells them.
#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "record/program_end.h"

namespace headroom {

enum class Output : unsigned char {
  as_ours,            // our standard streams
  to_standard_error,  // what it prints goes to standard error, as standard output is ours alone
  read,               // its standard output is read, it has no input
  read_both           // with what it writes to standard error
};

struct Process {
  std::string path;
  std::vector<std::string> command;      // its name first
  std::vector<std::string> environment;  // "NAME=value" each
  Output output = Output::as_ours;
};

// Of a program whose output is read: called ten times a second and at each line.
struct Watching {
  double limit = std::numeric_limits<double>::infinity();  // seconds, then it is killed
  std::function<void(const std::string& line)> line = [](const std::string&) {};
  std::function<void()> meanwhile = [] {};
};

struct ProcessEnd : ProgramEnd {
  std::string output;
  double seconds = 0;
  bool too_long = false;  // killed by us at the limit
  int stopped_by = 0;     // the signal that asked us to stop, SIGINT for one (run/signals.h)
};

// Our own environment, "NAME=value" each.
std::vector<std::string> our_environment();
// The same with one variable set.
void set_variable(std::vector<std::string>& environment, const std::string& name,
                  const std::string& value);

// Starts the program and waits for its end. One whose streams are ours is in our process group, as
// a shell would have it; one whose output is read has a group of its own, which is killed with it.
// Throws Error with code 126 when it cannot be executed.
ProcessEnd run_process(const Process&, const Watching& = {});

// The exit code to leave with; when the program was killed by a signal, dies by the same.
int pass_on(const ProgramEnd&);

}  // namespace headroom
