// Snapshots as text, a body a line:
//
//   # bodies 2, time 0.5, gravity 1
//   x,y,z,vx,vy,vz,mass
//   0.25,0,0,0,1,0,0.5
//   -0.25,0,0,0,-1,0,0.5
//
// Read with any order of the columns that the line of names gives, and other columns passed over;
// without that line in this order. What begins with # is a remark, of which only the one above is
// understood: with it, a file that was cut is told from a whole one. Numbers are written with as
// many digits as give the same bits again.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "studies/barnes_hut/snapshots/files.h"
#include "studies/barnes_hut/snapshots/formats.h"

namespace barnes_hut {

namespace {

constexpr const char* names[] = {"x", "y", "z", "vx", "vy", "vz", "mass"};
constexpr size_t columns = std::size(names);
constexpr const char* remark_pattern = "# bodies %llu, time %lf, gravity %lf";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(',', begin), line.size());
    std::string_view field = line.substr(begin, end - begin);
    while (!field.empty() && std::isspace(uint8_t(field.front()))) field.remove_prefix(1);
    while (!field.empty() && std::isspace(uint8_t(field.back()))) field.remove_suffix(1);
    fields.push_back(field);
    begin = end + 1;
  }
  return fields;
}

std::optional<double> number_of(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string quoted(std::string_view word) {
  constexpr size_t most = 24;
  std::string shown;
  for (const char letter : word.substr(0, most))
    shown += std::isprint(uint8_t(letter)) ? letter : '?';
  return "'" + shown + (word.size() > most ? "…'" : "'");
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), text_(contents_of(path)) {}

  Snapshot read() {
    std::string_view rest = text_;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);  // some editors' mark of UTF-8
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      ++line_;
      take(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (promised_ && (snapshot_.bodies.size() != *promised_ || text_.back() != '\n')) {
      refuse(path_, "was cut: it promises " + std::to_string(*promised_) + " bodies, and has " +
                        std::to_string(snapshot_.bodies.size()));
    }
    if (!snapshot_.gravity) snapshot_.gravity = 1;
    return std::move(snapshot_);
  }

 private:
  void take(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == line.npos) return;
    if (line.front() == '#') return take_remark(std::string(line));
    const auto fields = fields_of(line);
    if (places_.empty()) {
      const bool numbers = number_of(fields.front()).has_value();
      numbers ? expect_in_order(fields.size()) : take_names(fields);
      if (!numbers) return;
    }
    if (fields.size() != width_) {
      wrong("has " + std::to_string(fields.size()) + " columns, where there should be " +
            std::to_string(width_));
    }
    if (snapshot_.bodies.size() == max_bodies) {
      wrong("too many: " + std::to_string(max_bodies) + " bodies are the most");
    }
    double values[columns];
    for (size_t c = 0; c < columns; ++c) values[c] = value_of(fields, c);
    snapshot_.bodies.push_back(
        {values[0], values[1], values[2], values[6], values[3], values[4], values[5]});
  }

  void take_remark(const std::string& line) {
    unsigned long long bodies;
    double time, gravity;
    if (std::sscanf(line.c_str(), remark_pattern, &bodies, &time, &gravity) != 3) return;
    promised_ = bodies, snapshot_.time = time, snapshot_.gravity = gravity;
  }
  void expect_in_order(size_t width) {
    width_ = columns;
    for (size_t c = 0; c < columns; ++c) places_.push_back(c);
    if (width != columns) {
      wrong("has " + std::to_string(width) + " columns: without a line of names there must be 7, " +
            "x,y,z,vx,vy,vz,mass");
    }
  }
  void take_names(const std::vector<std::string_view>& fields) {
    width_ = fields.size();
    for (const char* name : names) {
      const auto found = std::find(fields.begin(), fields.end(), name);
      if (found == fields.end()) {
        wrong("begins neither with a number nor does it name a column " + std::string(name) + ": " +
              quoted(fields.front()));
      }
      places_.push_back(size_t(found - fields.begin()));
    }
  }
  double value_of(const std::vector<std::string_view>& fields, size_t column) const {
    const std::string_view word = fields[places_[column]];
    const auto value = number_of(word);
    if (value) return *value;
    wrong("column " + std::to_string(places_[column] + 1) + " (" + names[column] +
          ") is no number: " + quoted(word));
  }
  [[noreturn]] void wrong(const std::string& problem) const {
    refuse(path_, "line " + std::to_string(line_) + " " + problem);
  }

  std::string path_, text_;
  size_t line_ = 0, width_ = 0;
  std::vector<size_t> places_;  // of x, y, z, … in a line; empty before the first
  std::optional<uint64_t> promised_;
  Snapshot snapshot_;
};

bool recognises(const Beginning& beginning) {
  return std::all_of(beginning.bytes.begin(), beginning.bytes.end(), [](char letter) {
    return uint8_t(letter) >= 0x20 || letter == '\n' || letter == '\r' || letter == '\t';
  });
}

Snapshot read(const std::string& path) { return Reader(path).read(); }

void add(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
}

void write(const std::string& path, const Snapshot& snapshot) {
  std::string text = "# bodies " + std::to_string(snapshot.bodies.size()) + ", time ";
  add(text, snapshot.time);
  text += ", gravity ";
  add(text, snapshot.gravity.value_or(1));
  text += "\nx,y,z,vx,vy,vz,mass\n";
  for (const auto& body : snapshot.bodies) {
    for (const double value :
         {body.x, body.y, body.z, body.velocity_x, body.velocity_y, body.velocity_z, body.mass}) {
      add(text, value);
      text += ',';
    }
    text.back() = '\n';
  }
  write_contents(path, text);
}

}  // namespace

const Format csv_format{"CSV", ".csv", recognises, read, write};

}  // namespace barnes_hut
