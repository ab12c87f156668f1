// What the value of an option may be, and the words for one that is not: the same for all options.
//
//   add_option("--threads", …)->check(whole_number(0, 1024))
//     headroom: run: --threads: 'many' is not a whole number from 0 to 1024
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace headroom {

CLI::Validator whole_number(int64_t least, int64_t most = std::numeric_limits<int>::max());
CLI::Validator number_from(double least, double most = std::numeric_limits<double>::infinity());
CLI::Validator one_of(const std::vector<std::string>&);
// Bytes, as 8192, 8K or 8 KiB; the option's value becomes their number.
CLI::Validator size_in_bytes();
// An empty word is most often a variable of the shell that is not set.
CLI::Validator not_empty();

}  // namespace headroom
