// The man page headroom(1), in the macros of man(7).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/version.h"
#include "cli/command_tree.h"

namespace headroom {

namespace {

struct Named {
  const char *name, *about;
};

constexpr Named variables[] = {
    {"HEADROOM_TOOLKIT",
     "the CUDA toolkit whose ptxas, nvlink and CUPTI are used; no other place is looked at"},
    {"CUDA_HOME, CUDA_PATH, PATH", "where the toolkit is looked for, in this order"},
    {"HEADROOM_CUPTI", "libcupti, or its folder, for 'headroom run --gpu'"},
    {"HEADROOM_CACHE",
     "the folder of what ptxas said and made; else $XDG_CACHE_HOME/headroom or "
     "~/.cache/headroom"},
    {"HEADROOM_ISA",
     "the emulator's instruction set: avx512, avx2 or portable; else the best that "
     "the processor has"},
    {"HEADROOM_COMPILED",
     "0: the emulator makes no code of its own for a processor with AVX-512; slower, and the same "
     "results; all: of everything at once, not of what runs often"},
    {"COLUMNS", "how wide a report is that goes to no terminal"},
    {"NO_COLOR", "no colours on a terminal"}};

constexpr Named codes[] = {
    {"of the program", "headroom run: the program's own, or what --error-exitcode names"},
    {"0", "all others: it is well"},
    {"1",
     "check: there are findings; compare: a gate is broken; doctor: something is to be mended"},
    {"2", "compare: a gate could not be judged"},
    {"125", "a wrong command line or file, or headroom failed"},
    {"126", "the program cannot be executed; occupancy: the block cannot run"},
    {"127", "the program was not found"}};

// A hyphen that is typed, a backslash, and what would be a request at the beginning of a line.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '-') result += '\\';
    result += c;
    if (c == '\\') result += 'e';
  }
  return (result.starts_with('.') || result.starts_with('\'') ? "\\&" : "") + result;
}

std::string entry(const std::string& name, const std::string& about) {
  return fmt::format(".TP\n{}\n{}\n", name, escaped(about));
}

std::string entry(const OptionWords& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + escaped(name) + "\\fR");
  return entry(fmt::format("{}{}", fmt::join(names, ", "),
                           option.value.empty() ? "" : " \\fI" + escaped(option.value) + "\\fR"),
               option.about);
}

// One line a way to call it.
std::string usage(const CommandTree& command) {
  std::string lines;
  for (size_t at = 0; at < command.usage.size();) {
    const size_t end = std::min(command.usage.find('\n', at), command.usage.size());
    const size_t begin = std::min(command.usage.find_first_not_of(' ', at), end);
    lines += escaped(command.usage.substr(begin, end - begin)) + "\n.br\n";
    at = end + 1;
  }
  return lines.substr(0, lines.rfind(".br\n"));
}

std::string section(const CommandTree& command) {
  std::string text =
      fmt::format(".SS headroom {}\n{}\n.PP\n.nf\n{}.fi\n", fmt::join(command.path, " "),
                  escaped(command.about), usage(command));
  for (const OptionWords& each : command.positionals) text += entry(each);
  for (const OptionWords& each : command.options) text += entry(each);
  for (const CommandTree& child : command.children) text += section(child);
  return text;
}

}  // namespace

std::string draw_man_page(const CommandTree& headroom) {
  std::string text = fmt::format(
      ".TH HEADROOM 1 \"\" \"headroom {}\"\n.SH NAME\nheadroom \\- how far a CUDA kernel is from "
      "what the hardware allows, and why\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}\n"
      "It runs a CUDA program without a GPU, on an emulator, and counts what a profiler counts.\n"
      ".SH OPTIONS\n",
      version(), usage(headroom), escaped(headroom.about));
  for (const OptionWords& each : headroom.options) text += entry(each);
  text += ".SH COMMANDS\n";
  for (const CommandTree& each : headroom.children) text += section(each);
  text += ".SH ENVIRONMENT\n";
  for (const Named& each : variables) text += entry(escaped(each.name), each.about);
  text += ".SH EXIT STATUS\n";
  for (const Named& each : codes) text += entry(each.name, each.about);
  return text;
}

}  // namespace headroom
