// The pairs: which problem kNN_a has and where it is planted. The line ends in "// planted"; it
// belongs to the kernel that it names or else to the last kernel above it. A problem of "none" has no
// twin: its kernel kNN_a has nothing to gain.
#pragma once
#include "tests/advice/advice.cuh"

namespace advice {

void k01(Bench&), k02(Bench&), k03(Bench&), k04(Bench&), k05(Bench&), k06(Bench&);
void k07(Bench&), k08(Bench&), k09(Bench&), k10(Bench&), k11(Bench&), k12(Bench&);
void k13(Bench&), k14(Bench&), k15(Bench&), k16(Bench&), k17(Bench&), k18(Bench&);
void k19(Bench&), k20(Bench&), k21(Bench&), k22(Bench&), k23(Bench&), k24(Bench&);
void k25(Bench&), k26(Bench&), k27(Bench&), k28(Bench&), k29(Bench&), k30(Bench&);
void k31(Bench&), k32(Bench&), k33(Bench&), k34(Bench&), k35(Bench&), k36(Bench&);
void k37(Bench&), k38(Bench&), k39(Bench&), k40(Bench&), k41(Bench&), k42(Bench&);
void k43(Bench&), k44(Bench&), k45(Bench&), k46(Bench&), k47(Bench&), k48(Bench&);
void k49(Bench&), k50(Bench&), k51(Bench&), k52(Bench&), k53(Bench&);
void k54(Bench&), k55(Bench&), k56(Bench&), k57(Bench&);
void k58(Bench&), k59(Bench&), k60(Bench&), k61(Bench&);

struct Pair {
  const char* name;
  const char* problem;
  const char* file;  // in tests/advice
  const char* words;
  void (*run)(Bench&);
};

inline const Pair pairs[] = {
    {"k01", "uncoalesced", "rows.cu", "lanes load from a line of their own each", k01},
    {"k02", "uncoalesced_store", "rows.cu", "lanes store to a line of their own each", k02},
    {"k03", "excess_sectors_aos", "rows.cu", "one member of eight of a structure is used", k03},
    {"k04", "bank_conflicts_32", "shared.cu", "a transposed tile is read in one bank", k04},
    {"k05", "bank_conflicts_8", "shared.cu", "lanes are eight words apart in shared memory", k05},
    {"k06", "divergence", "flow.cu", "neighbouring lanes take different branches", k06},
    {"k07", "barriers", "flow.cu", "warps wait for each other, with no data in common", k07},
    {"k08", "spills", "registers.cu", "launch bounds leave too few registers", k08},
    {"k09", "dynamic_indexing", "registers.cu", "an array is indexed by a loop that stays", k09},
    {"k10", "low_occupancy_shared", "launches.cu", "shared memory is asked for, not used", k10},
    {"k11", "few_warps", "launches.cu", "two warps an SM wait for memory", k11},
    {"k12", "dependent_fma", "chains.cu", "every operation waits for the one before", k12},
    {"k13", "pointer_chase", "chains.cu", "every address waits for a load", k13},
    {"k14", "contended_atomics_one_address", "atomics.cu", "all threads add to one word", k14},
    {"k15", "shared_atomics_contended", "atomics.cu", "most lanes add to one shared word", k15},
    {"k16", "global_atomics_returning", "atomics.cu", "all threads ask 16 words for tickets", k16},
    {"k17", "tail", "launches.cu", "one block more than fit at a time", k17},
    {"k18", "few_blocks", "launches.cu", "16 blocks for 132 SMs", k18},
    {"k19", "double_constants", "arithmetic.cu", "double literals among floats", k19},
    {"k20", "integer_division", "arithmetic.cu", "division by a number known at launch", k20},
    {"k21", "special_functions", "arithmetic.cu", "exact sine and exponential", k21},
    {"k22", "small_blocks", "launches.cu", "very many blocks of one warp", k22},
    {"k23", "redundant_global_reload", "reuse.cu", "a sum is kept in global memory", k23},
    {"k24", "scalar_accesses", "reuse.cu", "single bytes are loaded and stored", k24},
    {"k25", "none", "sound.cu", "copy", k25},
    {"k26", "none", "sound.cu", "multiply-adds of four chains", k26},
    {"k27", "none", "sound.cu", "matrix product by tiles", k27},
    {"k28", "none", "sound.cu", "sum of each block", k28},
    {"k29", "none", "sound.cu", "a x + y", k29},
    {"k30", "none", "sound.cu", "stencil of five points", k30},
    {"k31", "rounded_roots", "numbers.cu", "roots and quotients are rounded correctly", k31},
    {"k32", "wide_division", "numbers.cu", "division of 64 bits by a power of two", k32},
    {"k33", "double_division", "numbers.cu", "double literals in a quotient", k33},
    {"k34", "columns", "layout.cu", "threads of a warp go down a column", k34},
    {"k35", "bank_conflicts_16", "layout.cu", "lanes are sixteen words apart in shared memory",
     k35},
    {"k36", "global_histogram", "layout.cu", "all blocks count in global memory", k36},
    {"k37", "every_second", "strides.cu", "every second number of a sector is used", k37},
    {"k38", "bank_conflicts_4", "strides.cu", "lanes are four words apart in shared memory", k38},
    {"k39", "column_stores", "strides.cu", "a transposition stores columns", k39},
    {"k40", "unequal_loops", "rounds.cu", "lanes of a warp do unlike many rounds", k40},
    {"k41", "redundant_barriers", "rounds.cu", "blocks wait where warps would do", k41},
    {"k42", "one_chain", "rounds.cu", "one polynomial after the other", k42},
    {"k43", "four_blocks", "grids.cu", "four blocks walk over all numbers", k43},
    {"k44", "tiny_launch", "grids.cu", "a launch adds 32 numbers an SM", k44},
    {"k45", "low_occupancy_blocks", "grids.cu", "blocks of a warp wait for memory", k45},
    {"k46", "contended_float_atomics", "values.cu", "all threads add floats to eight words", k46},
    {"k47", "remainder", "values.cu", "a remainder by a number known at launch", k47},
    {"k48", "counts_in_local", "values.cu", "data index an array of the thread", k48},
    {"k49", "one_result", "values.cu", "a result a thread from shared memory", k49},
    {"k50", "double_means", "values.cu", "double literals in a mean", k50},
    {"k51", "unequal_lists", "unequal.cu", "a list a block, of which one is long", k51},
    {"k52", "scalar_halves", "unequal.cu", "a half a thread, one at a time", k52},
    {"k53", "row_a_thread", "unequal.cu", "a thread goes along its own row", k53},
    {"k54", "constants_by_lane", "unequal.cu", "lanes look up a table of constants", k54},
    {"k55", "idle_lanes", "flow.cu", "three of four lanes return at once", k55},
    {"k56", "warp_sums", "lanes.cu", "a warp adds up one short row after the other", k56},
    {"k57", "bytes_to_floats", "reuse.cu", "single bytes are loaded, and become floats", k57},
    {"k58", "halves_in_shared", "lanes.cu", "a block adds up by halves in shared memory", k58},
    {"k59", "factors_in_global", "reuse.cu", "all lanes load the same factors", k59},
    {"k60", "swapped_sum", "swaps.cu", "all threads add by compare-and-swap", k60},
    {"k61", "swapped_most", "swaps.cu", "all threads find the most by compare-and-swap", k61},
};

}  // namespace advice
