// The tables that the study can make of some bodies, one a file.
//
//   study::Table table(kernels_table.columns);
//   failures += kernels_table.single_precision(chosen, bodies, table);    // adds rows
//
// A figure that a solver does not know stays empty.
#pragma once
#include <string>
#include <vector>

#include "studies/barnes_hut/barnes_hut.h"
#include "studies/common/table.h"

namespace barnes_hut {

struct Settings;

struct TableKind {
  const char* option;  // what asks for it
  std::vector<std::string> columns;
  // Both return how many of their rows are wrong.
  int (*single_precision)(const Settings& chosen, const Bodies& bodies, study::Table& table);
  int (*double_precision)(const Settings& chosen, const Bodies& bodies, study::Table& table);
  bool by_method = true;  // has rows of the methods that are asked for
};

extern const TableKind steps_table, kernels_table, tree_table, rounds_table, switches_table;
extern const TableKind evolution_table;  // of --steps, which has a value

// The first is what is made unless an option asks for another.
constexpr const TableKind* table_kinds[] = {&steps_table, &kernels_table, &tree_table,
                                            &rounds_table, &switches_table};

}  // namespace barnes_hut
