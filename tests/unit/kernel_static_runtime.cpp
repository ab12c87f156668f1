// A static runtime's functions by their symbols and by the toolkit's own text are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernel/mapped_file.h"
#include "kernel/static_runtime.h"
#include "kernel/static_text.h"

using namespace headroom;

namespace {

const std::string fixtures = FIXTURES;

std::map<std::string, uint64_t> functions_in(const std::string& name) {
  const MappedFile file(fixtures + name);
  std::map<std::string, uint64_t> all;
  for (const StaticFunction& function : static_runtime_of(read_elf({file.bytes(), name})).functions)
    all[function.name] = function.address;
  return all;
}

TEST(StaticRuntime, lies_in_a_stripped_program_where_its_symbols_said) {
  std::map<std::string, uint64_t> said = functions_in("/static");
  std::erase_if(said, [](const auto& function) {  // nvcc's own, beside the runtime
    return function.first == "__cudaUnregisterBinaryUtil";
  });
  EXPECT_GE(said.size(), 422u);
  EXPECT_TRUE(std::ranges::all_of(said, [](const auto& each) { return each.second % 16 == 0; }));
  EXPECT_EQ(functions_in("/stripped"), said);
}

TEST(StaticRuntime, is_not_seen_where_it_is_shared_or_absent) {
  for (const char* name : {"/shared", "/relocatable", "/device_runtime", "/plain"})
    EXPECT_TRUE(functions_in(name).empty()) << name;
}

TEST(StaticRuntime, of_a_damaged_archive_is_an_error_or_nothing) {
  const MappedFile program(fixtures + "/stripped"), archive(static_runtime_archives().at(0));
  const Elf elf = read_elf({program.bytes(), "stripped"});
  for (const size_t size :
       {size_t{0}, size_t{8}, size_t{67}, size_t{4000}, archive.bytes().size() / 2})
    try {
      EXPECT_TRUE(functions_by_text(elf, {archive.bytes().first(size), "cut"}).empty()) << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.where, "cut") << size;
    }
}

}  // namespace
