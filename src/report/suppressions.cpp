#include "report/suppressions.h"

#include <fnmatch.h>

#include <sstream>

#include "record/record.h"
#include "report/format.h"

namespace headroom {

namespace {

bool like(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool is_at(const std::string& pattern, const std::string& source) {
  return like(pattern, source) || like("*/" + pattern, source);
}

}  // namespace

std::vector<Suppression> read_suppressions(const std::string& text, const std::string& name) {
  std::vector<Suppression> rules;
  std::istringstream lines(text);
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    constexpr std::string_view byte_order_mark =
        "\xef\xbb\xbf";  // some editors begin UTF-8 with it
    if (number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    std::istringstream words(line.substr(0, line.find('#')));
    Suppression rule;
    std::string more;
    if (!(words >> rule.kind)) continue;
    const std::string place = name + ":" + std::to_string(number);
    if (!(words >> rule.kernel >> rule.source) || words >> more)
      throw Error{place, "a rule has three words: kind, kernel, file:line",
                  "as in: race_global relax* bfs.cu:41"};
    rule.told = place + ": " + rule.kind + " " + rule.kernel + " " + rule.source;
    rules.push_back(std::move(rule));
  }
  return rules;
}

bool matches(const Suppression& rule, const Finding& finding) {
  if (!like(rule.kind, finding.kind)) return false;
  if (!like(rule.kernel, finding.kernel) && !like(rule.kernel, text::name_in_text(finding.kernel)))
    return false;
  return is_at(rule.source, finding.source) ||
         (finding.other && is_at(rule.source, finding.other->source));
}

}  // namespace headroom
