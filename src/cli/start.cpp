#include "cli/start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/error.h"
#include "base/version.h"
#include "cli/command.h"
#include "run/hand_over.h"
#include "run/process.h"
#include "run/standard_streams.h"

namespace headroom {

namespace {

// CLI11's help with our line of usage: it cannot know what follows "--".
class Help : public CLI::Formatter {
 public:
  explicit Help(std::span<const Command> commands) : commands_(commands) {}
  std::string make_usage(const CLI::App* app, std::string) const override {
    for (const Command& command : commands_)
      if (app->get_name() == command.name)
        return fmt::format("\nUsage: headroom {} {}\n", command.name, command.usage);
    return app->get_parent() ? "" : "\nUsage: headroom COMMAND …\n";
  }

 private:
  std::span<const Command> commands_;
};

std::string names_of(const std::vector<const CLI::App*>& apps) {
  std::vector<std::string> names;
  for (const CLI::App* app : apps) names.push_back(app->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// "headroom run --machine a100 -- python x.py", as it was meant.
std::string with_program_apart(const std::vector<std::string>& words, const std::string& program) {
  std::string line = "headroom";
  bool is_apart = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_apart && i > 0 && words[i] == program) {
      line += " --";
      is_apart = true;
    }
    line += " " + quoted(words[i]);
  }
  return line;
}

// What went wrong in the command line, in the form of every other error.
Error usage_error(const CLI::App& app, const CLI::ParseError& error,
                  const std::vector<std::string>& words) {
  std::string where;
  const CLI::App* used = &app;
  for (; !used->get_subcommands().empty(); used = used->get_subcommands().front())
    where += (used == &app ? "" : " ") + used->get_subcommands().front()->get_name();
  const std::string commands_there = "one of: " + names_of(used->get_subcommands(nullptr));
  const std::string help =
      fmt::format("'headroom {}{}--help' lists what there is", where, where.empty() ? "" : " ");
  const std::string what = error.what();
  const std::vector<std::string> unknown = app.remaining(true);

  if (error.get_name() == "ArgumentMismatch")
    return {where,
            fmt::format("{} {}", what.substr(0, what.find(':')),
                        what.find("At Most") == what.npos ? "takes a value" : "is given twice"),
            help};
  if (error.get_name() == "RequiredError" && unknown.empty() && what == "A subcommand is required")
    return {where, "a command is missing", commands_there};
  if (unknown.empty()) return {where, what, help};
  if (unknown[0].starts_with("-")) return {where, fmt::format("no option '{}'", unknown[0]), help};
  if (where == "run" || where == "check")
    return {where, fmt::format("'{}' is not expected here", unknown[0]),
            "the program stands after '--': " + with_program_apart(words, unknown[0])};
  if (!used->get_subcommands(nullptr).empty())
    return {where, fmt::format("no command '{}'", unknown[0]), commands_there};
  return {where, fmt::format("'{}' is not expected here", unknown[0]), help};
}

// "headroom help run" is "headroom run --help".
std::vector<std::string> asked_for_help(std::vector<std::string> own) {
  own.erase(own.begin());
  own.push_back("--help");
  return own;
}

// Splits at the first "--": what follows belongs to the program that is run, flags included.
std::vector<std::string> own_arguments(int count, char** arguments, CommandLine& line) {
  char** const end = arguments + count;
  char** const cut = std::find(arguments + 1, end, std::string_view("--"));
  if (cut != end) line.program.assign(cut + 1, end);
  std::vector<std::string> own(arguments + 1, cut);
  if (!own.empty() && own[0] == "help") own = asked_for_help(own);
  std::reverse(own.begin(), own.end());  // CLI11 takes them from the back
  return own;
}

int parse_and_do(std::span<const Command> commands, int count, char** arguments) {
  CLI::App app{"How far a CUDA kernel is from what the hardware allows, why, and what to change.",
               "headroom"};
  app.formatter(std::make_shared<Help>(commands));
  app.set_help_flag("-h,--help", "this text");
  app.set_version_flag("-v,--version", fmt::format("headroom {}", version()), "the version");
  app.require_subcommand(0, 1);
  CommandLine line;
  for (const Command& command : commands) {
    CLI::App* declared = app.add_subcommand(command.name, command.about);
    if (command.declare) command.declare(*declared, line);
  }
  std::vector<std::string> own = own_arguments(count, arguments, line);
  const std::vector<std::string> words(own.rbegin(), own.rend());
  for (const Command& command : commands)
    if (!command.declare && !own.empty() && own.back() == command.name)
      hand_over(command.program, {own.rbegin(), own.rend()});
  try {
    app.parse(own);
  } catch (const CLI::Success& wanted) {  // --help and --version
    return flush_output(app.exit(wanted));
  } catch (const CLI::ParseError& error) {
    throw usage_error(app, error, words);
  }
  if (app.get_subcommands().empty()) fmt::print("{}", app.help());
  line.end.exit_code = flush_output(line.end.exit_code);
  return pass_on(line.end);  // nothing of ours is left behind: the program's signal may end us
}

}  // namespace

int start(std::span<const Command> commands, int count, char** arguments) {
  guard_standard_streams();
  try {
    return parse_and_do(commands, count, arguments);
  } catch (const Error& error) {
    complain(error.what());
    return error.exit_code;
  } catch (const std::system_error& error) {
    errno = error.code().value();
    if (ferror(stdout)) return flush_output(125);
    complain(error.what());
    return 125;
  } catch (const std::exception& error) {
    complain(error.what());
    return 125;
  }
}

}  // namespace headroom
