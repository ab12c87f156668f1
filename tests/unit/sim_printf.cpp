// printf of kernels: what it writes beside what the C library writes, and the bounds it keeps.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "sim/printf.h"

namespace headroom::sim {
namespace {

// Arguments as a compiler lays them out: aligned to their size.
struct List {
  std::vector<std::byte> bytes;
  size_t next = 0;
  template <class T>
  void add(T value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
  }
  PrintfArguments arguments() {
    return {[this](int size) {
              next = (next + size_t(size) - 1) / size_t(size) * size_t(size);
              uint64_t value = 0;
              std::memcpy(&value, bytes.data() + next, size_t(size));
              next += size_t(size);
              return value;
            },
            [](uint64_t address, uint64_t limit) {
              const char* text = reinterpret_cast<const char*>(address);
              return std::string(text, strnlen(text, limit));
            }};
  }
};

template <class... T>
std::string ours(std::string_view format, T... values) {
  List list;
  (list.add(values), ...);
  return format_printf(format, list.arguments()).text;
}

// The C library's, called through a pointer: the formats are made, not written.
template <class... T>
std::string theirs(const std::string& format, T... values) {
  int (*const print)(char*, size_t, const char*, ...) = std::snprintf;
  char text[8192];
  return std::string(text, size_t(print(text, sizeof text, format.c_str(), values...)));
}

std::vector<std::string> specifications(std::string_view kinds) {
  std::vector<std::string> all;
  for (const char* flags : {"", "-", "+", " ", "#", "0", "-+", "+0", " 0", "#0", "-#", "+ "})
    for (const char* width : {"", "1", "5", "12", "40"})
      for (const char* precision : {"", ".", ".0", ".1", ".3", ".17", ".30"})
        for (const char kind : kinds)
          all.push_back(std::string("<%") + flags + width + precision + "@" + kind + ">");
  return all;
}
std::string with(std::string text, const char* length) {
  return text.replace(text.find('@'), 1, length);
}

TEST(Printf, integers_are_written_as_the_c_library_writes_them) {
  size_t tried = 0;
  for (const std::string& spec : specifications("dioxXu")) {
    for (const int value : {0, 1, -1, 255, -128, 65535, 70000, 2147483647, -2147483647 - 1}) {
      for (const char* length : {"", "h", "hh"}) {
        const std::string format = with(spec, length);
        EXPECT_EQ(ours(format, value), theirs(format, value)) << format << ' ' << value;
        ++tried;
      }
    }
    for (const long long value : {0ll, -5ll, 1ll << 40, LLONG_MAX, LLONG_MIN}) {
      for (const char* length : {"l", "ll", "j", "z", "t"}) {
        const std::string format = with(spec, length);
        EXPECT_EQ(ours(format, value), theirs(format, value)) << format << ' ' << value;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 100000u);
}

TEST(Printf, floats_are_written_as_the_c_library_writes_them) {
  for (const std::string& spec : specifications("eEfFgGaA")) {
    const std::string format = with(spec, "");
    for (const double value :
         {0.0, -0.0, 1.0, -1.5, 3.14159265358979, 1e-5, 1e100, 5e-324, 1.7976931348623157e308,
          double{INFINITY}, -double{INFINITY}, double{NAN}})
      EXPECT_EQ(ours(format, value), theirs(format, value)) << format << ' ' << value;
  }
}

TEST(Printf, strings_characters_and_pointers_too) {
  for (const std::string& spec : specifications("s")) {
    const std::string format = with(spec, "");
    for (const char* value : {"", "a", "abcdefgh"})
      EXPECT_EQ(ours(format, value), theirs(format, value)) << format << ' ' << value;
  }
  for (const char* format : {"%c", "%5c", "%-5c|", "%p", "%20p", "%-20p|"})
    for (const uint64_t value : {uint64_t('x'), uint64_t(0), uint64_t('%')}) {
      const bool is_character = std::strchr(format, 'c');
      EXPECT_EQ(is_character ? ours(format, int(value)) : ours(format, value),
                is_character ? theirs(format, int(value))
                             : theirs(format, reinterpret_cast<void*>(value)))
          << format;
    }
  EXPECT_EQ(ours("%s|%.3s", uint64_t(0), uint64_t(0)), "(null)|");
}

TEST(Printf, stars_take_arguments) {
  for (const int width : {0, 3, 9, -9})
    for (const int precision : {0, 2, -1})
      for (const char* format : {"<%*.*d>", "<%0*.*d>", "<%-*.*d>", "<%+*.*x>"})
        EXPECT_EQ(ours(format, width, precision, 42), theirs(format, width, precision, 42))
            << format << width << ' ' << precision;
  EXPECT_EQ(ours("%*d%s", 5, 7, "x"), "    7x") << "the string is aligned to 8 bytes";
}

TEST(Printf, mixed_arguments_find_their_places) {
  EXPECT_EQ(ours("%d %s %c%%%5.1f|%td|%llx\n", -3, "ab", int('c'), 2.25, -5ll, ~0ull),
            theirs("%d %s %c%%%5.1f|%td|%llx\n", -3, "ab", int('c'), 2.25, -5ll, ~0ull));
  List list;
  for (int i = 0; i < 4; ++i) list.add(i);
  EXPECT_EQ(format_printf("%d%d%%%d", list.arguments()).arguments, 3);
}

TEST(Printf, what_is_no_conversion_is_text) {
  int written = 7;
  EXPECT_EQ(ours("[%n]%d", &written, 5), "[%n]5");
  EXPECT_EQ(written, 7);
  EXPECT_EQ(ours("100%"), "100%");
  EXPECT_EQ(ours("%y %-5.3q"), "%y %-5.3q");
  EXPECT_EQ(ours("%1$d", 5), "%1$d");
}

TEST(Printf, no_format_writes_more_than_its_bound) {
  const std::string long_fraction = ours("%.2000000000f|", 1.0);
  EXPECT_EQ(long_fraction.size(), 4096u + 3);
  EXPECT_EQ(ours("%99999999999999999999d", 1).size(), 4096u);
  EXPECT_EQ(ours("%*d", -2147483647 - 1, 1).size(), 4096u);
  EXPECT_EQ(ours("%.*f", 2147483647, 1.0).size(), 4096u + 2);
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "%4000c";
  List list;
  for (int i = 0; i < 20000; ++i) list.add(int('x'));
  EXPECT_EQ(format_printf(many, list.arguments()).text.size(), 1u << 20);
}

TEST(PrintfBuffer, keeps_what_was_printed_last_in_whole_lines) {
  PrintfBuffer buffer;
  buffer.begin(20, true);
  for (int i = 0; i < 100; ++i) buffer.add(uint64_t(i % 3), "line " + std::to_string(i) + "\n");
  EXPECT_EQ(buffer.text(), "line 98\nline 99\n");
  EXPECT_EQ(buffer.overwritten(), 10 * 7 + 90 * 8 - 16u);
}

TEST(PrintfBuffer, keeps_the_same_however_the_blocks_were_shared_out) {
  std::string first;
  for (unsigned threads : {1u, 2u, 3u}) {
    std::vector<PrintfBuffer> each(threads);
    for (PrintfBuffer& buffer : each) buffer.begin(100, false);
    for (uint64_t block = 0; block < 60; ++block)
      for (int line = 0; line < 5; ++line)
        each[block / 4 % threads].add(block, "block " + std::to_string(block) + "\n");
    PrintfBuffer all;
    all.begin(100, false);
    for (PrintfBuffer& buffer : each) all.take(buffer, ~0ull);
    const std::string text = all.text();
    if (threads == 1) first = text;
    EXPECT_EQ(text, first);
    EXPECT_EQ(text.substr(text.size() - 9), "block 59\n");
    EXPECT_EQ(all.overwritten() + text.size(), 60 * 5 * 9 - 10 * 5u);
  }
}

TEST(PrintfBuffer, forgets_blocks_behind_the_one_that_failed) {
  PrintfBuffer one, all;
  one.begin(1000, false);
  all.begin(1000, false);
  one.add(5, "five\n");
  one.add(2, "two\n");
  all.take(one, 4);
  EXPECT_EQ(all.text(), "two\n");
  EXPECT_EQ(all.overwritten(), 0u);
}

}  // namespace
}  // namespace headroom::sim
