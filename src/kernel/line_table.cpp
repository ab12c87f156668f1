#include "kernel/line_table.h"

#include <algorithm>

#include "base/toolkit_header.h"
#include "kernel/cubin_symbols.h"

namespace headroom {
namespace {

// Reads on from a place; what is behind the end is an Error of Bytes.
class Cursor {
 public:
  Cursor(const Bytes& bytes, uint64_t at) : bytes_(bytes), at_(at) {}
  uint64_t at() const { return at_; }
  void skip(uint64_t count) { at_ += count; }
  void move_to(uint64_t at) { at_ = at; }
  [[noreturn]] void fail(const char* problem) const { bytes_.fail(at_, problem); }
  template <class T>
  T take() {
    const T value = bytes_.read<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  std::string text() {
    std::string value(bytes_.string_at(at_));
    at_ += value.size() + 1;
    return value;
  }
  uint64_t number() {  // LEB128
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const uint8_t byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t(byte & 127) << shift;
      if (byte < 128) return value;
    }
    fail("a number of the line table has no end");
  }
  int64_t signed_number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 70;) {
      const uint8_t byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t(byte & 127) << shift;
      shift += 7;
      if (byte < 128) return int64_t(shift < 64 && (byte & 64) ? value | ~0ull << shift : value);
    }
    fail("a number of the line table has no end");
  }

 private:
  const Bytes& bytes_;
  uint64_t at_;
};

enum Standard : uint8_t {
  extended,
  copy,
  advance_address,
  advance_line,
  set_file,
  set_column,
  negate_statement,
  basic_block,
  add_constant_address,
  fixed_advance_address
};
enum Extended : uint8_t { end_sequence = 1, set_address = 2, inlined_call = 0x90 };

class Reader {
 public:
  explicit Reader(const Elf& elf)
      : relocations_(CubinSymbols(elf).relocations(elf.section(".debug_line"))) {}

  // A unit; where the next one begins.
  uint64_t unit(const Bytes& section, uint64_t begin) {
    Cursor at(section, begin);
    const uint64_t end = begin + 4 + at.take<uint32_t>();
    const uint16_t version = at.take<uint16_t>();
    const uint32_t header = at.take<uint32_t>();
    const uint64_t program = at.at() + header;
    if (version < 2 || version > 4) return end;
    step_ = at.take<uint8_t>();
    if (version == 4) at.skip(1);
    at.skip(1);
    line_base_ = at.take<int8_t>();
    line_range_ = std::max<uint8_t>(1, at.take<uint8_t>());
    first_special_ = at.take<uint8_t>();
    lengths_.clear();
    for (int i = 1; i < first_special_; ++i) lengths_.push_back(at.take<uint8_t>());
    read_files(at);
    at.move_to(program);
    start();
    while (at.at() < end) run(at, end);
    return end;
  }

  LineTable table;

 private:
  void read_files(Cursor& at) {
    std::vector<std::string> folders{""};
    for (std::string folder = at.text(); !folder.empty(); folder = at.text())
      folders.push_back(folder);
    file_at_.assign(1, 0);
    for (std::string name = at.text(); !name.empty(); name = at.text()) {
      const uint64_t folder = at.number();
      at.number();
      at.number();
      if (name.front() != '/' && folder > 0 && folder < folders.size())
        name = folders[folder] + "/" + name;
      const auto known = std::find(table.files.begin(), table.files.end(), name);
      file_at_.push_back(uint32_t(known - table.files.begin()));
      if (known != table.files.end()) continue;
      table.files.push_back(name);
      of_toolkit_.push_back(is_of_toolkit(name));
    }
  }

  void start() {
    address_ = 0;
    file_ = line_ = 1;
    caller_ = 0;
    places_.clear();
    lines_ = nullptr;
  }

  void row() {
    if (!lines_ || file_ == 0 || file_ >= file_at_.size()) return places_.push_back({});
    sass::SourceLine place{address_, file_at_[file_], uint32_t(line_)};
    if (of_toolkit_[place.file] && caller_ > 0 && caller_ <= places_.size()) {
      const sass::SourceLine& caller = places_[caller_ - 1];
      if (caller.line && !of_toolkit_[caller.file]) place = {address_, caller.file, caller.line};
    }
    places_.push_back(place);
    if (!lines_->empty() && lines_->back().offset == address_) lines_->pop_back();
    lines_->push_back(place);
  }

  void run(Cursor& at, uint64_t end) {
    const uint8_t opcode = at.take<uint8_t>();
    if (opcode >= first_special_) {
      const int adjusted = opcode - first_special_;
      address_ += uint64_t(adjusted / line_range_) * step_;
      line_ += uint64_t(line_base_ + adjusted % line_range_);
      row();
      return;
    }
    switch (opcode) {
      case extended: {
        const uint64_t size = at.number(), begin = at.at();
        if (size > end - begin) at.fail("an operation of the line table ends outside it");
        const uint8_t which = size ? at.take<uint8_t>() : 0;
        if (which == set_address) {
          address_ = at.take<uint64_t>();
          enter(begin + 1);
        } else if (which == inlined_call) {
          caller_ = at.number();
        } else if (which == end_sequence) {
          start();
        }
        at.move_to(begin + size);
        break;
      }
      case copy: row(); break;
      case advance_address: address_ += at.number() * step_; break;
      case advance_line: line_ += uint64_t(at.signed_number()); break;
      case set_file: file_ = at.number(); break;
      case set_column: at.number(); break;
      case negate_statement:
      case basic_block: break;
      case add_constant_address:
        address_ += uint64_t((255 - first_special_) / line_range_) * step_;
        break;
      case fixed_advance_address: address_ += at.take<uint16_t>(); break;
      default:
        for (int i = 0; i < lengths_[size_t(opcode - 1)]; ++i) at.number();
    }
  }

  // The function that the address at this place of the section is relative to.
  void enter(uint64_t place) {
    for (const sass::Relocation& each : relocations_) {
      if (each.offset != place) continue;
      address_ += uint64_t(each.addend.value_or(0));
      std::string_view name = each.symbol;
      if (name.starts_with(".text.")) name.remove_prefix(6);
      lines_ = &table.of_function[std::string(name)];
    }
  }

  std::vector<sass::Relocation> relocations_;
  std::vector<uint32_t> file_at_;
  std::vector<uint8_t> lengths_;
  uint8_t step_ = 1, line_range_ = 1, first_special_ = 10;
  int8_t line_base_ = 0;
  uint64_t address_ = 0, file_ = 1, line_ = 1;
  uint64_t caller_ = 0;                   // the row that called, from 1; 0: the function's own code
  std::vector<sass::SourceLine> places_;  // of the sequence's rows
  std::vector<bool> of_toolkit_;          // by file
  std::vector<sass::SourceLine>* lines_ = nullptr;
};

}  // namespace

LineTable read_line_table(const Elf& elf) {
  const ElfSection* section = elf.section(".debug_line");
  if (!section) return {};
  Reader reader(elf);
  for (uint64_t at = 0; at + 10 <= section->content.size();) at = reader.unit(section->content, at);
  for (auto& [name, lines] : reader.table.of_function)
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return std::move(reader.table);
}

}  // namespace headroom
