#include "forms/assemble.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.h"
#include "kernel/assembler.h"
#include "sim/simulate.h"

namespace headroom::golden {
namespace {

// Lines of the text that the assembler has something against; nothing if it dies of it.
std::optional<std::set<int>> complaints(const std::string& text, const std::string& ptxas,
                                        const std::string& target) {
  const std::string path = "/tmp/headroom_forms_" + std::to_string(getpid()) + ".ptx";
  std::ofstream(path) << text;
  FILE* pipe = popen((ptxas + " -arch=" + target + " -o /dev/null " + path + " 2>&1").c_str(), "r");
  std::set<int> lines;
  char buffer[1000];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe)) {
    const std::string said = buffer;
    const size_t at = said.find(", line ");
    if (at != std::string::npos && said.find("error") != std::string::npos)
      lines.insert(std::stoi(said.substr(at + 7)));
  }
  const int status = pipe ? pclose(pipe) : -1;
  unlink(path.c_str());
  if (status != 0 && lines.empty()) return std::nullopt;
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

bool begins_part(const std::string& line) {
  return line.starts_with("//:") || line.starts_with(".visible .entry") ||
         line.starts_with(".func");
}

// The lines from `at`'s kernel or function on, up to the next one; all are emptied, so that others keep their numbers.
void empty_part(std::vector<std::string>& lines, size_t at) {
  size_t begin = at;
  while (begin && !begins_part(lines[begin])) --begin;
  if (begin && lines[begin - 1].starts_with("//:")) --begin;
  if (begin == 0) throw Error{"line " + std::to_string(at + 1), "is not of this architecture"};
  for (size_t end = begin, entries = 0; end < lines.size(); ++end) {
    entries += begins_part(lines[end]) && !lines[end].starts_with("//:");
    if (entries > 1 || (entries == 1 && lines[end].starts_with("//:"))) return;
    lines[end].clear();
  }
}

}  // namespace

Fitted fitted(const std::string& text, int architecture,
              const std::function<bool(const std::string& line)>& droppable) {
  std::vector<Caveat> caveats;
  const Assembler* tool = assembler(caveats);
  if (!tool) throw Error{"ptxas", "there is none"};
  const std::string target = "sm_" + std::to_string(architecture);
  std::vector<std::string> lines = lines_of(text);
  for (std::string& line : lines)
    if (line.starts_with(".target ")) line = ".target " + target;
  Fitted result;
  for (;;) {
    const std::optional<std::set<int>> refused = complaints(joined(lines), tool->path, target);
    if (!refused) throw Error{"ptxas", "gave up without naming a line"};
    if (refused->empty()) break;
    for (int number : *refused) {
      std::string& line = lines.at(size_t(number) - 1);
      if (line.empty()) continue;  // went with its kernel
      const bool alone = droppable(line);
      ++(alone ? result.lines : result.kernels);
      if (alone)
        line.clear();
      else
        empty_part(lines, size_t(number) - 1);
    }
  }
  result.text = joined(lines);
  return result;
}

std::vector<Candidate> assembled(const std::vector<Candidate>& all, const std::string& ptxas,
                                 const std::string& target) {
  std::vector<Candidate> left = all;
  while (!left.empty()) {
    const std::string text = text_of(left);
    const std::optional<std::set<int>> complained_of = complaints(text, ptxas, target);
    if (!complained_of) {
      if (left.size() == 1) return {};
      const auto middle = left.begin() + std::ptrdiff_t(left.size() / 2);
      std::vector<Candidate> both = assembled({left.begin(), middle}, ptxas, target);
      for (const Candidate& c : assembled({middle, left.end()}, ptxas, target)) both.push_back(c);
      return both;
    }
    const std::set<int>& bad = *complained_of;
    if (bad.empty()) return left;
    // A candidate's text ends with the line that begins with its instruction; what comes before it is its own too.
    std::vector<Candidate> next;
    std::istringstream lines(text);
    std::string line;
    size_t n = 0;
    bool fine = true;
    for (int number = 1; std::getline(lines, line); ++number) {
      const bool complained = bad.count(number) != 0;
      if (n < left.size() && line.starts_with("  " + left[n].instruction)) {
        if (fine && !complained) next.push_back(left[n]);
        ++n;
        fine = true;
      } else if (complained) {
        fine = false;
      }
    }
    if (next.size() == left.size())
      throw Error{left[0].spelling, "ptxas complains about what is no candidate",
                  "line " + std::to_string(*bad.begin())};
    left = next;
  }
  return left;
}

bool decodes(const Candidate& candidate) {
  sim::Memory memory(1 << 24);  // of its own: the variables of many modules would fill any
  try {
    const sim::LoadedModule module = sim::load_module(
        std::make_shared<ptx::Module>(ptx::parse(text_of({candidate}), "candidate")), memory);
    sim::decode(module, candidate.spelling.substr(0, candidate.spelling.find('.')) + "_0");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace headroom::golden
