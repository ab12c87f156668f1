// headroom doctor: what was found, what is missing, what that costs, and how to mend it.
#include <unistd.h>

#include <memory>

#include "cli/check_up.h"
#include "cli/command.h"
#include "cli/draw_report.h"
#include "cli/output_file.h"

namespace headroom {

namespace {

constexpr int something_to_mend = 1;

int examine(const std::string& json_path) {
  OutputFile json(json_path, "--json"), report("", "", json_path == "-" ? stderr : stdout);
  const std::vector<CheckUp> checks = check_up();
  write_both(
      json, json_path.empty() ? "" : doctor_json(checks), report,
      draw_report(doctor_document(checks), "", json_path == "-" ? STDERR_FILENO : STDOUT_FILENO),
      {});
  return is_well(checks) ? 0 : something_to_mend;
}

}  // namespace

void add_doctor(CLI::App& app, CommandLine& line) {
  auto json = std::make_shared<std::string>();
  app.add_option("--json", *json, "write it as JSON ('-': standard output)")->type_name("FILE");
  app.callback([json, &line] { line.end.exit_code = examine(*json); });
}

}  // namespace headroom
