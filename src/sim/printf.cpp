#include "sim/printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace headroom::sim {
namespace {

constexpr int most_characters = 4096;  // a width or a precision
constexpr size_t most_of_a_call = 1 << 20;

// %[flags][width][.precision][length]conversion
struct Specification {
  std::string flags;
  int width = -1, precision = -1;  // -1: none
  std::string_view length;
  char kind = 0;

  // With its own length modifier: what snprintf is to be given.
  std::string spelled(const char* as) const {
    std::string out = "%" + flags;
    if (width >= 0) out += std::to_string(width);
    if (precision >= 0) out += "." + std::to_string(precision);
    return out + as;
  }
};

int bounded(int64_t value) { return int(std::min<int64_t>(value, most_characters)); }

class Reader {
 public:
  Reader(std::string_view format, const PrintfArguments& arguments)
      : format_(format), arguments_(arguments) {}

  Formatted run() {
    while (at_ < format_.size() && out_.text.size() < most_of_a_call) {
      const size_t percent = std::min(format_.find('%', at_), format_.size());
      out_.text += format_.substr(at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) convert();
    }
    if (out_.text.size() > most_of_a_call) out_.text.resize(most_of_a_call);
    return std::move(out_);
  }

 private:
  bool is(std::string_view any) const {
    return at_ < format_.size() && any.find(format_[at_]) != any.npos;
  }

  uint64_t take(int bytes) {
    ++out_.arguments;
    return arguments_.take(bytes);
  }

  // Digits, a star, or nothing: -1. A negative star is `below`.
  int number(int64_t& below) {
    if (is("*")) {
      ++at_;
      const int64_t value = int32_t(take(4));
      if (value < 0) below = -value;
      return value < 0 ? -1 : bounded(value);
    }
    if (!is("0123456789")) return -1;
    int64_t value = 0;
    for (; is("0123456789"); ++at_)
      value = std::min<int64_t>(value * 10 + format_[at_] - '0', 1 << 20);
    return bounded(value);
  }

  Specification read() {
    Specification c;
    for (; is("-+ #0'"); ++at_)
      if (c.flags.find(format_[at_]) == c.flags.npos) c.flags += format_[at_];
    int64_t below = 0;
    c.width = number(below);
    if (below) {
      c.flags += '-';
      c.width = bounded(below);
    }
    if (is(".")) {
      ++at_;
      int64_t negative = 0;
      c.precision = number(negative);
      if (c.precision < 0 && !negative) c.precision = 0;
    }
    for (const std::string_view length : {"hh", "h", "ll", "l", "j", "z", "t", "L", "q"}) {
      if (!format_.substr(at_).starts_with(length)) continue;
      c.length = length;
      at_ += length.size();
      break;
    }
    if (at_ < format_.size()) c.kind = format_[at_++];
    return c;
  }

  template <class T>
  void write(const std::string& spec, T value) {
    char few[256];
    const int length = std::snprintf(few, sizeof few, spec.c_str(), value);
    if (length < 0) return;
    if (size_t(length) < sizeof few) {
      out_.text.append(few, size_t(length));
      return;
    }
    std::string many(size_t(length) + 1, 0);
    std::snprintf(many.data(), many.size(), spec.c_str(), value);
    out_.text.append(many, 0, size_t(length));
  }

  void write_string(const Specification& c) {
    const uint64_t address = take(8), limit = c.precision < 0 ? ~0ull : uint64_t(c.precision);
    if (address)
      write(c.spelled("s"), arguments_.text(address, limit).c_str());
    else
      write(c.spelled("s"), limit < 6 ? "" : "(null)");
  }

  void convert() {
    const size_t begin = at_++;
    const Specification c = read();
    const bool wide = !c.length.empty() && c.length[0] != 'h';
    switch (c.kind) {
      case '%': out_.text += '%'; return;
      case 'd':
      case 'i': {
        const uint64_t bits = take(wide ? 8 : 4);
        const int64_t value = c.length == "hh"  ? int8_t(bits)
                              : c.length == "h" ? int16_t(bits)
                              : wide            ? int64_t(bits)
                                                : int32_t(bits);
        return write(c.spelled("lld"), static_cast<long long>(value));
      }
      case 'o':
      case 'u':
      case 'x':
      case 'X': {
        const uint64_t bits = take(wide ? 8 : 4);
        const uint64_t value = c.length == "hh"  ? uint8_t(bits)
                               : c.length == "h" ? uint16_t(bits)
                               : wide            ? bits
                                                 : uint32_t(bits);
        const char as[] = {'l', 'l', c.kind, 0};
        return write(c.spelled(as), static_cast<unsigned long long>(value));
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const char as[] = {c.kind, 0};
        return write(c.spelled(as), std::bit_cast<double>(take(8)));
      }
      case 'c': return write(c.spelled("c"), int(take(4)));
      case 's': return write_string(c);
      case 'p': return write(c.spelled("p"), reinterpret_cast<const void*>(take(8)));
      case 'n': take(8); break;  // what follows must find its own argument
      default: break;
    }
    out_.text += format_.substr(begin, at_ - begin);
  }

  std::string_view format_;
  const PrintfArguments& arguments_;
  size_t at_ = 0;
  Formatted out_;
};

}  // namespace

Formatted format_printf(std::string_view format, const PrintfArguments& arguments) {
  return Reader(format, arguments).run();
}

void PrintfBuffer::begin(uint64_t capacity, bool ordered) {
  *this = {};
  capacity_ = std::max<uint64_t>(capacity, 1);
  ordered_ = ordered;
}

void PrintfBuffer::add(uint64_t block, std::string_view text) {
  if (parts_.empty() || parts_.back().block != block ||
      parts_.back().text.size() + text.size() > capacity_)
    parts_.push_back({block, {}});
  parts_.back().text += text;
  held_ += text.size();
  written_ += text.size();
  if (held_ > 2 * capacity_) drop_oldest();
}

void PrintfBuffer::take(PrintfBuffer& other, uint64_t last_block) {
  for (Printed& part : other.parts_) {
    if (part.block > last_block) continue;
    held_ += part.text.size();
    parts_.push_back(std::move(part));
  }
  written_ += other.written_;
  // What blocks printed that do not count is not overwritten either.
  if (last_block != ~0ull) written_ = held_;
  other.begin(capacity_, ordered_);
}

void PrintfBuffer::drop_oldest() {
  const auto by_block = [](const Printed& a, const Printed& b) { return a.block < b.block; };
  if (!ordered_) std::stable_sort(parts_.begin(), parts_.end(), by_block);
  size_t whole = 0;
  for (; held_ - parts_[whole].text.size() >= capacity_; ++whole)
    held_ -= parts_[whole].text.size();
  parts_.erase(parts_.begin(), parts_.begin() + std::ptrdiff_t(whole));
  if (held_ <= capacity_) return;
  std::string& first = parts_.front().text;
  const size_t cut = size_t(held_ - capacity_), line = first.find('\n', cut - 1);
  const size_t away = line == first.npos ? cut : line + 1;
  first.erase(0, away);
  held_ -= away;
}

std::string PrintfBuffer::text() {
  if (held_ > capacity_) drop_oldest();
  const auto by_block = [](const Printed& a, const Printed& b) { return a.block < b.block; };
  if (!ordered_) std::stable_sort(parts_.begin(), parts_.end(), by_block);
  std::string out;
  for (const Printed& part : parts_) out += part.text;
  return out;
}

}  // namespace headroom::sim
