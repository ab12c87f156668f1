// See names.h.
#include "ptx/names.h"

namespace headroom::ptx {

void Names::open() {
  Scope scope;
  scope.parent = current_;
  current_ = int(scopes_.size());
  scopes_.push_back(std::move(scope));
  ++depth_;
}

void Names::close() {
  scopes_[current_].meanings.clear();  // only labels can still be asked for
  current_ = scopes_[current_].parent;
  --depth_;
}

std::string Names::unique(std::string_view name) {
  std::string candidate(name);
  if (outside_.contains(candidate) || !taken_.insert(candidate).second) {
    int& suffix = suffixes_[std::string(name)];
    do {
      candidate = std::string(name) + "_" + std::to_string(++suffix);
    } while (outside_.contains(candidate) || !taken_.insert(candidate).second);
  }
  return candidate;
}

bool Names::declare(std::string_view name, Meaning meaning) {
  return scopes_[current_].meanings.emplace(name, std::move(meaning)).second;
}

bool Names::declare_label(std::string_view name, std::string unique_name) {
  return scopes_[current_].labels.emplace(name, std::move(unique_name)).second;
}

const Meaning* Names::find(std::string_view name) const {
  for (int scope = current_; scope >= 0; scope = scopes_[scope].parent)
    if (auto found = scopes_[scope].meanings.find(name); found != scopes_[scope].meanings.end())
      return &found->second;
  return nullptr;
}

const std::string* Names::find_label(std::string_view name, int scope) const {
  for (; scope >= 0; scope = scopes_[scope].parent)
    if (auto found = scopes_[scope].labels.find(name); found != scopes_[scope].labels.end())
      return &found->second;
  return nullptr;
}

}  // namespace headroom::ptx
