// What deserves doubt in a study's table, gathered for the end: each caveat once, with the rows that it
// is about unless these are all.
//
//   caveats.add("naive", timing.caveats);
//   caveats.print();
//
//   caveat: naive, coalesced: the samples drift: …; the GPU warms up …: more warm-up
#pragma once
#include <headroom/timing/caveat.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace study {

class Caveats {
 public:
  void add(const std::string& row, const std::vector<headroom::timing::Caveat>& caveats) {
    ++rows_;
    for (const auto& caveat : caveats) add(row, text(caveat));
  }

  void print() const {
    for (const auto& [caveat, rows] : caveats_) {
      constexpr size_t max_named = 3;
      std::string about;
      for (size_t i = 0; i < rows.size() && i < max_named; ++i) about += (i ? ", " : "") + rows[i];
      if (rows.size() > max_named) {
        about += " and " + std::to_string(rows.size() - max_named) + " more";
      }
      const bool all = rows.size() == rows_;
      std::printf("\ncaveat: %s%s\n", all ? "" : (about + ": ").c_str(), caveat.c_str());
    }
  }

 private:
  void add(const std::string& row, const std::string& caveat) {
    for (auto& [known, rows] : caveats_) {
      if (known == caveat) return rows.push_back(row);
    }
    caveats_.push_back({caveat, {row}});
  }

  size_t rows_ = 0;
  std::vector<std::pair<std::string, std::vector<std::string>>> caveats_;
};

}  // namespace study
