#include "model/source_page.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/read_file.h"

namespace headroom {
namespace {

constexpr double hot_share = 0.1;  // lines with less are hot only where none has as much

double quotient(uint64_t part, uint64_t whole) { return whole ? double(part) / double(whole) : 0; }

// A file's lines without the white space behind them.
std::vector<std::string> lines_of_file(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    std::ranges::replace(line, '\t', ' ');
    line.erase(line.find_last_not_of(" \r") + 1);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

// Nothing where it cannot be read, or is no text of a program.
std::optional<std::vector<std::string>> read_lines(const std::string& path) try {
  constexpr size_t most = 64 << 20;
  const auto text = read_file(path, most);
  if (!text || text->find('\0') != text->npos) return std::nullopt;
  return lines_of_file(*text);
} catch (const Error&) {
  return std::nullopt;
}

void set_text(SourceLine& line, const std::string& whole) {
  line.indent = std::min(whole.find_first_not_of(' '), whole.size());
  line.text = whole.substr(line.indent);
}

void take_texts(SourcePage& page) {
  std::map<std::string, std::optional<std::vector<std::string>>> files;
  for (SourceLine& line : page.lines) {
    if (line.file.empty()) continue;
    const auto [file, is_new] = files.try_emplace(line.file);
    if (is_new) {
      file->second = read_lines(line.file);
      if (!file->second) page.unread.push_back(line.file);
    }
    if (file->second && line.line >= 1 && line.line <= file->second->size())
      set_text(line, (*file->second)[line.line - 1]);
  }
}

void mark_hot(std::vector<SourceLine>& lines) {
  const auto hottest = std::ranges::max_element(lines, {}, &SourceLine::share);
  if (hottest == lines.end() || hottest->share == 0) return;
  const double least = std::min(hot_share, hottest->share);
  for (SourceLine& line : lines) line.hot = line.share >= least;
}

bool same_code(const MachineListing& a, const MachineListing& b) {
  return &a == &b || std::ranges::equal(a.instructions, b.instructions, {},
                                        &MachineInstruction::text, &MachineInstruction::text);
}

double waited(const StallCycles& cycles) {
  return std::accumulate(cycles.begin(), cycles.end(), 0.0) - cycles[size_t(Stall::selected)];
}

void keep_dearest(std::vector<AccessExample>& mine, const std::vector<AccessExample>& more) {
  for (const AccessExample& each : more) {
    const auto place =
        std::ranges::lower_bound(mine, each.instruction, {}, &AccessExample::instruction);
    if (place == mine.end() || place->instruction != each.instruction)
      mine.insert(place, each);
    else if (each.cost() > place->cost())
      *place = each;
  }
}

}  // namespace

std::vector<SourceLine> source_lines(const SourceCounts& counted) {
  const MachineListing& listing = *counted.listing;
  std::map<uint32_t, size_t> order{};  // of files
  std::map<std::pair<size_t, uint32_t>, SourceLine> lines;
  InstructionCounts all{};
  for (size_t i = 0; i < listing.instructions.size(); ++i) {
    const MachineInstruction& instruction = listing.instructions[i];
    const bool known = instruction.file != no_source_file;
    const size_t file =
        known ? order.try_emplace(instruction.file, order.size()).first->second : SIZE_MAX;
    SourceLine& line = lines[{file, instruction.line}];
    if (known) line.file = listing.files[instruction.file];
    line.line = instruction.line;
    line.instructions.push_back(i);
    add(line.sum, counted.counts[i]);
    if (!counted.stalls.empty()) add(line.stalls, counted.stalls[i]);
    add(all, counted.counts[i]);
  }
  std::vector<SourceLine> result;
  for (auto& [place, line] : lines) {
    line.share = quotient(line.sum.executed, all.executed);
    result.push_back(std::move(line));
  }
  mark_hot(result);
  return result;
}

std::optional<SourcePage> source_page(const Explanation& report, const KernelGroup& kernel) {
  SourceCounts sum;
  SourcePage page;
  for (const size_t index : kernel.launches) {
    const auto& counted = report.launches[index].record.source;
    if (!counted) continue;
    if (!sum.listing) {
      sum.listing = counted->listing;
      sum.counts.resize(counted->counts.size());
    }
    if (!same_code(*sum.listing, *counted->listing)) continue;  // of another module, as named
    for (size_t i = 0; i < sum.counts.size(); ++i) add(sum.counts[i], counted->counts[i]);
    if (!counted->stalls.empty()) sum.stalls.resize(sum.counts.size());
    for (size_t i = 0; i < counted->stalls.size(); ++i) add(sum.stalls[i], counted->stalls[i]);
    keep_dearest(page.examples, counted->examples);
    ++page.launches;
  }
  if (!sum.listing) return std::nullopt;
  page.lines = source_lines(sum);
  for (const InstructionCounts& each : sum.counts) add(page.sum, each);
  for (const StallCycles& each : sum.stalls) add(page.all_stalls, each);
  page.stalls = std::move(sum.stalls);
  page.counters = kernel.counters;
  page.listing = sum.listing;
  page.counts = std::move(sum.counts);
  take_texts(page);
  return page;
}

std::optional<Stalled> stalled(const StallCycles& here, const StallCycles& all) {
  const double cycles = waited(here);
  if (!(cycles > 0)) return std::nullopt;
  StallCycles waits = here;
  waits[size_t(Stall::selected)] = 0;
  return Stalled{Stall(std::ranges::max_element(waits) - waits.begin()), cycles / waited(all)};
}

double mean_active_lanes(const InstructionCounts& c) { return quotient(c.threads, c.executed); }
double mean_lanes_on(const InstructionCounts& c) { return quotient(c.threads_on, c.executed); }
double sectors_per_request(const InstructionCounts& c) { return quotient(c.sectors, c.requests); }
uint64_t all_requests(const InstructionCounts& c) { return c.requests + c.shared_requests; }

}  // namespace headroom
