#include "device/options.h"

#include <cstdlib>

#include "base/error.h"

namespace headroom::device {
namespace {

std::string variable(const char* name, const char* absent = "") {
  const char* value = std::getenv(name);
  return value && *value ? value : absent;
}

bool is_on(const char* name) {
  std::string value = variable(name);
  return !value.empty() && value != "0";
}

int read_number(const char* name, const char* absent, const char* what, long least, long most) {
  std::string text = variable(name, absent);
  char* end;
  long count = std::strtol(text.c_str(), &end, 10);
  if (*end || count < least || count > most)
    throw Error{name, "'" + text + "' is no number of " + what,
                "a number from " + std::to_string(least) + " to " + std::to_string(most)};
  return int(count);
}

std::optional<Engine> read_engine() {
  const std::string text = variable("HEADROOM_ENGINE");
  if (text.empty()) return std::nullopt;
  if (const auto engine = engine_of(text)) return *engine;
  throw Error{"HEADROOM_ENGINE", "no engine '" + text + "'", "one of: machine, ptx"};
}

bool read_lockstep() {
  const std::string text = variable("HEADROOM_SCHEDULING", "independent");
  if (text != "independent" && text != "lockstep")
    throw Error{"HEADROOM_SCHEDULING", "no scheduling '" + text + "'",
                "one of: independent, lockstep"};
  return text == "lockstep";
}

Repeated read_repeated() {
  const std::string text = variable("HEADROOM_REPEATED", "skip");
  if (text == "run") return Repeated::run;
  if (text == "check") return Repeated::check;
  if (text == "skip") return Repeated::skip;
  throw Error{"HEADROOM_REPEATED", "no way to treat repeated launches '" + text + "'",
              "one of: skip, run, check"};
}

bool read_predicted_events() {
  const std::string text = variable("HEADROOM_EVENTS", "floors");
  if (text != "floors" && text != "predicted")
    throw Error{"HEADROOM_EVENTS", "no times '" + text + "'", "one of: floors, predicted"};
  return text == "predicted";
}

Options::Check read_check() {
  if (!is_on("HEADROOM_CHECK")) return {};
  const std::string classes = "," + variable("HEADROOM_CHECK") + ",";
  const auto has = [&](const char* name) {
    return classes == ",1," || classes.find(std::string(",") + name + ",") != classes.npos;
  };
  return {true, has("race"), has("uninitialised"), has("bounds"), has("api"), has("leak")};
}

std::optional<uint64_t> read_hang_after() {
  const std::string text = variable("HEADROOM_HANG_AFTER");
  if (text.empty()) return std::nullopt;
  char* end;
  const double rounds = std::strtod(text.c_str(), &end);
  if (*end || !(rounds >= 1 && rounds <= 1e18))
    throw Error{"HEADROOM_HANG_AFTER", "'" + text + "' is no number of rounds",
                "a number such as 1e9"};
  return uint64_t(rounds);
}

}  // namespace

Options read_options() {
  Options options;
  options.record = variable("HEADROOM_RECORD");
  options.machine = variable("HEADROOM_MACHINE", "h200");
  options.image = variable("HEADROOM_IMAGE");
  options.devices = read_number("HEADROOM_DEVICES", "1", "devices", 1, 64);
  options.threads = read_number("HEADROOM_THREADS", "0", "threads", 0, 1024);
  options.engine = read_engine();
  options.source = is_on("HEADROOM_SOURCE");
  options.source_if_any = variable("HEADROOM_SOURCE") == "if_any";
  options.check = read_check();
  options.times_alone = variable("HEADROOM_MODEL", "1") == "times";
  options.predicted_events = read_predicted_events();
  options.lockstep = read_lockstep();
  options.repeats = read_repeated();
  // Lockstep runs a warp's lanes in an order of its own: no time is predicted of it. Nor is one of
  // what is not counted.
  options.model = variable("HEADROOM_MODEL", "1") != "0" && !options.lockstep && !options.check.on;
  options.predicted_events &= options.model;
  options.hang_after = read_hang_after();
  options.actions = is_on("HEADROOM_ACTIONS");
  options.progress = is_on("HEADROOM_PROGRESS");
  options.do_nothing = is_on("HEADROOM_DO_NOTHING");
  return options;
}

}  // namespace headroom::device
