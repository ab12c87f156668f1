// The names of a function while it is parsed: scopes nest, a name may be declared again in an inner
// or a later scope, and labels may be used before they are declared. What comes out is unique in
// the function:
//
//   .reg .b32 t; { .reg .b32 t; } { .reg .b32 t; }   ->   t, t_1, t_2
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headroom::ptx {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

struct Meaning {
  enum class Kind { reg, vector, variable };
  Kind kind = Kind::reg;
  int index = 0;     // of the first register
  int count = 1;     // registers of a vector
  std::string name;  // the unique name of a variable
};

class Names {
 public:
  explicit Names(const TextSet& outside) : outside_(outside) { scopes_.push_back({}); }

  int scope() const { return current_; }
  int depth() const { return depth_; }
  void open();
  void close();

  // A name no other thing of the function or the module has: this one if it is free, else with a
  // suffix.
  std::string unique(std::string_view name);
  void take(std::string_view name) { taken_.emplace(name); }
  // False if the current scope has declared it before.
  bool declare(std::string_view name, Meaning);
  bool declare_label(std::string_view name, std::string unique_name);
  // Seen from the current scope; null if not declared.
  const Meaning* find(std::string_view name) const;
  // Seen from any scope, at the end of the function.
  const std::string* find_label(std::string_view name, int scope) const;

 private:
  struct Scope {
    int parent = -1;
    TextMap<Meaning> meanings;
    TextMap<std::string> labels;
  };
  const TextSet& outside_;
  std::vector<Scope> scopes_;
  TextSet taken_;
  TextMap<int> suffixes_;
  int current_ = 0, depth_ = 0;
};

}  // namespace headroom::ptx
