#include "machine/names.h"

#include <cctype>

#include "base/nearest.h"
#include "machine/embedded.h"

namespace headroom {
namespace {

// "NVIDIA GeForce GTX TITAN X" -> {"nvidia", "geforce", "gtx", "titan", "x"}
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      words.back() += char(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty())
      words.emplace_back();
  return words;
}

// "k40c", "k40m": the same chip in another housing.
bool is_housed(const std::string& word, const std::string& machine) {
  return word.size() == machine.size() + 1 && word.starts_with(machine) &&
         std::isalpha(static_cast<unsigned char>(word.back())) &&
         std::isdigit(static_cast<unsigned char>(machine.back()));
}

// Behind which word the name of the machine stands, in one word or in two; 0: nowhere.
size_t end_of(const std::string& machine, const std::vector<std::string>& words) {
  size_t end = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == machine || is_housed(words[i], machine)) end = i + 1;
    if (i > 0 && words[i - 1] + words[i] == machine) end = i + 1;
  }
  return end;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

std::optional<std::string> machine_asked(std::string_view name) {
  const std::string wanted = lower_case(name);
  for (const EmbeddedFile& file : embedded_machines())
    if (file.stem() == wanted) return wanted;
  return std::nullopt;
}

std::optional<std::string> machine_meant(std::string_view name) {
  const std::string wanted = lower_case(name), best = nearest(wanted, machine_names());
  // A word with nothing in common with any name is no slip of the finger.
  return edit_distance(wanted, best) * 2 <= best.size() ? std::optional(best) : std::nullopt;
}

std::optional<std::string> machine_of_gpu(const std::string& gpu,
                                          const std::vector<std::string>& among) {
  const std::vector<std::string> words = words_of(gpu);
  std::optional<std::string> last;
  size_t end = 0;
  for (const std::string& machine : among)
    if (const size_t here = end_of(machine, words); here > end) end = here, last = machine;
  return last;
}

std::string name_for_gpu(const std::string& gpu) {
  if (const auto machine = machine_of_gpu(gpu)) return *machine;
  std::string all;
  for (const std::string& word : words_of(gpu))
    if (word != "nvidia") all += word;
  if (all.starts_with("geforce")) all.erase(0, std::string_view("geforce").size());
  return all.empty() ? "gpu" : all;
}

}  // namespace headroom
