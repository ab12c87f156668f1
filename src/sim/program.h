// The decoded form of a kernel, and the state that runs it: what decode writes and the lanes
// execute.
//
//   add.f32 %f3, %f1, %f2;   ->   Operation{full: add over 32 lanes, operand {of %f3, %f1, %f2}}
//
// A register is 32 lanes, contiguous; a predicate is one bit a lane. Operations are grouped in
// basic blocks, straight lines that are entered once, counted once, and of which only the
// terminator can change who executes next.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"
#include "record/instruction_class.h"
#include "record/pipe.h"
#include "sass/module.h"
#include "sim/check/reach.h"
#include "sim/loaded.h"
#include "sim/matrix.h"

namespace headroom::sim {

inline constexpr int lanes = 32;
inline constexpr uint32_t all_lanes = ~0u;
inline constexpr int address_operand = 6;  // of a memory operation; its data are operands 0 … 5

struct Warp;
struct Operation;
struct Body;
struct AccessPattern;  // how the lanes of an access lie (access_pattern.h)
struct Program;
struct BlockState;
struct AccessSums;  // what compiled code sums up of accesses (access_sums.h)
using Handler = void (*)(Warp&, const Operation&);

// Where an operand lies: a byte offset in the warp's block of memory. While a program is decoded
// the low two bits say in which of its three areas; place_operands() (decode_ptx/program.cpp) then
// makes it one offset from the beginning.
//
//   [ frames of all functions | constants | special registers ]
//
// A function's frame has a fixed place, like a Fortran routine's: what a warp's lanes do in it is
// told apart by columns. A recursive call saves the columns of its lanes (warp.cpp).
enum class Area : uint32_t { frame = 0, constant = 1, special = 2 };
inline constexpr uint32_t max_call_depth = 1000;
inline constexpr uint32_t no_operand = ~0u;
// BasicBlock::reconvergence_point: behind the call of the function
inline constexpr uint32_t at_return = ~0u - 1;
constexpr uint32_t operand_at(Area area, uint32_t offset) { return offset | uint32_t(area); }

enum class Place : uint8_t { global, constant, shared, local, parameter, frame, generic, texture };
enum class Use : uint8_t { load, store, atomic };

struct alignas(64) Operation {
  Handler full;         // all 32 lanes run; where the operation chains, goes on with the next one
  Handler part;         // only Warp::mask runs
  Handler inner;        // behind a guard: what runs for the lanes whose predicate holds
  Handler move;         // memory: moves the data once the places are known
  Handler masked;       // as `part`, of `masked_together` operations
  uint32_t operand[8];  // outputs first, then inputs, in the row's order
  uint32_t guard;       // predicate operand, or no_operand
  bool guard_negated;
  InstructionClass kind;
  uint8_t float_operations;  // floating-point operations per lane
  uint8_t bytes;             // memory: bytes per lane
  // Memory: place, use and width of the address say which function of a body serves the access.
  bool accesses;
  Place place;
  Use use;
  bool wide;
  bool chains;        // `full` ends by jumping to the next operation's
  uint32_t together;  // operations one call of `full` runs: up to the first that does not chain
  uint32_t masked_together;
  uint32_t site;         // memory: index of the access in the program (its memo of patterns)
  uint32_t instruction;  // index into Program::instructions
  int64_t offset;        // memory: constant part of the address; else an immediate of the operation
  uint64_t extra;        // a second immediate
};

// What a basic block does when its operations are done.
enum class Terminator : uint8_t {
  fall_through,
  jump,
  branch,
  indexed,
  indirect,  // machine code: every lane to the instruction whose address it has
  barrier,
  arrive,
  call,
  ret,
  exit,
  trap
};

// Instructions of a basic block, counted when it is entered.
struct Profile {
  uint32_t instructions = 0, branches = 0, barriers = 0;
  std::array<uint32_t, instruction_classes.size()> kinds{};
  std::array<uint32_t, pipes.size()> on_pipes{};
  uint32_t fp32_operations = 0, fp64_operations = 0, fp16_operations = 0;
  uint64_t tensor_operations = 0;            // of a warp
  std::array<uint32_t, 2> register_reads{};  // by bank: sass/register_port.h
  uint32_t registers_reused = 0, register_conflicts = 0;
};

// A parameter block, between the frames of caller and callee; strides are bytes a lane.
struct Copy {
  uint32_t from, to, bytes, from_stride, to_stride;
};

struct CallSite {         // what a call passes and gets back
  uint32_t function = 0;  // index into Program::functions
  std::vector<Copy> arguments, results;
};

struct BasicBlock {
  uint32_t first = 0, last = 0;  // operations [first, last)
  Terminator terminator = Terminator::fall_through;
  bool negated = false;            // branch: taken where the predicate is false
  bool ends_turn = false;          // falls through to a store that others may have to precede
  bool back_edge = false;          // a jump or branch that goes back
  bool spins = false;              // … round a loop that waits for others
  bool waits_for_blocks = false;   // … who may be of other blocks
  bool reads_far = false;          // global memory; marked where blocks wait for one another
  bool fences = false;             // has a fence or sleeps; marked as well
  uint32_t waits_on = no_operand;  // … and the operation that reads what decides
  // … round a loop that may change memory other than by an atomic, though it need not wait itself
  bool changes = false;
  bool is_reconvergence_point = false;  // lanes that parted may come together here
  uint32_t predicate = no_operand;      // branch, ret and exit under a guard
  uint32_t next = 0, target = 0;        // basic blocks
  // where lanes that part at its terminator come together (at_return)
  uint32_t reconvergence_point = no_operand;
  uint32_t members = no_operand;  // starts with a .sync instruction: operand of its member mask
  bool converges = false;         // … or, of machine code, with a BSYNC: of its barrier's lanes
  bool by_teams = false;          // lanes that name other members run it one team after the other
  uint32_t barrier = no_operand, threads = no_operand;  // barrier, arrive: operands
  bool warpgroup = false;        // barrier: the hidden one of four warps, at which wgmma ends
  uint32_t reduce = no_operand;  // bar.red: predicate to combine
  bool reduce_negated = false;
  uint32_t instruction = 0;       // of the terminator
  std::vector<CallSite> callees;  // call: one, or those an address in `predicate` may be of
  std::vector<uint32_t> targets;  // indexed
  Profile profile;
};
// Of machine code: those of a basic block stand in a row, the terminator last.
[[gnu::always_inline]] inline uint32_t first_instruction(const BasicBlock& basic_block) {
  return basic_block.instruction + 1 - basic_block.profile.instructions;
}

struct ParameterBlock {  // a .param variable of a device function, or of a call: a block a lane
  uint32_t at = 0, stride = 0, bytes = 0;
};

struct Columns {  // `count` registers of `bytes` a lane each, one after the other (0: predicates)
  uint32_t at, bytes, count;
};

inline uint64_t bytes_of(const Columns& of) {
  return uint64_t(of.bytes ? of.bytes * uint32_t(lanes) : 4) * of.count;
}

struct DecodedFunction {
  const ptx::Function* source = nullptr;
  uint32_t entry = 0;                      // basic block
  uint32_t frame_at = 0, frame_bytes = 0;  // registers and parameter blocks, in the area of frames
  std::vector<Columns> columns;            // what of it belongs to a lane
  std::vector<Columns> registers;          // by register of the source
  std::vector<Columns> temporaries;        // hold nothing from one instruction to the next
  uint64_t local_bytes = 0;                // per thread
  std::vector<ParameterBlock> parameters, results;  // where they lie in the frame
};

enum class Special : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_shared,
  total_shared,
  aggregated_shared,
  reserved_shared,
  reserved_shared_end,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,  // a predicate
  grid_workspace_high,  // %envreg1 and %envreg2: memory for the barrier of a cooperative grid
  grid_workspace_low,
  // Of machine code: warps of an SM << 8, this one's number << 8, the rank in the cluster as the
  // upper byte of a shared address has it (0 where the launch has none).
  virtual_config,
  virtual_id,
  shared_rank,
  zero,  // zero: gridid, and what this machine has none of
};

// Functions a kernel calls that no PTX defines (system_calls.h); the last two machine code alone
// (decode_sass/grid.cpp).
enum class System : uint8_t { vprintf, assertfail, malloc, free, grid_handle, grid_sync };
struct SystemCall {
  System which;
  struct Block {
    uint32_t at = 0, stride = 0;
  } result, argument[5];  // parameter blocks of the caller's frame
};

struct SpecialRegister {
  Special special;
  uint32_t offset;  // in the area of special registers
};

// What a loop that waits for others and looks at a clock makes of the time: it tells no round from
// another.
struct ClockedLoop {
  uint32_t header = 0;  // basic block
  std::vector<Columns> columns;
};

struct InstructionAt {  // for messages: of PTX, or of machine code
  const ptx::Function* function = nullptr;
  uint32_t index = 0;
  const sass::Function* code = nullptr;
};

// A bank of constants that machine code reads: where it begins in Machinery::arguments, what the
// program's image has of it, and the variables whose values at the launch lie in it.
struct ConstantBank {
  struct Variable {
    uint64_t address;
    uint32_t offset, bytes;
  };
  int number = 0;
  uint32_t at = 0;
  std::vector<std::byte> content;
  std::vector<Variable> variables;
};

// A constant of a bank that an instruction names as an operand: the same for all lanes and threads
// of a launch.
struct LaunchConstant {
  uint32_t from = 0;      // in Machinery::arguments
  uint32_t constant = 0;  // in the area of constants
  uint32_t bytes = 4;     // 4 or 8 a lane
};

// Which function serves an access or a guarded operation depends on who looks on: the operations of
// a program with those of an execution body (engine.h), made when a launch first needs them. Basic blocks
// are compiled once they have run about as long as compiling them takes.
class BoundOperations {
 public:
  struct Operations {
    const Operation* first;
    uint64_t look;  // in so many basic blocks it is worth to ask again
  };
  // What a host thread ran of a launch.
  struct Ran {
    uint64_t basic_blocks = 0;          // entered since it asked last
    const uint64_t* entries = nullptr;  // of each, so far; null: nobody counts them
    unsigned host_threads = 1;          // that run as much beside one another
  };
  Operations to(const Body&, const Program&, const Ran&) const;
  // A launch is over, in which so many more ran.
  void note(const Body&, const Program&, uint64_t ran, const uint64_t* entries) const;

 private:
  struct Bound {
    std::deque<std::vector<Operation>> operations;  // the last: what is compiled now
    std::vector<std::shared_ptr<const void>> code;  // compiled/compile.h
    uint64_t ran = 0, look = 0;
    std::vector<uint64_t> entries;  // of launches that are over
    std::vector<bool> compiled;     // by basic block
    bool done = false;              // all of them
  };
  Bound& bound_to(const Body&, const Program&, bool counted) const;
  static std::vector<uint32_t> worth(Bound&, const Ran&);
  static void compile(Bound&, const Body&, const Program&, const std::vector<uint32_t>& asked);

  mutable std::mutex guard_;
  mutable std::map<const Body*, Bound> bound_;
};

struct Program {
  LoadedModule module;
  std::string kernel;
  ProgramFacts facts;
  uint64_t dynamic_shared_at = 0;  // where `extern` shared variables begin
  std::vector<Operation> operations;
  std::vector<BasicBlock> basic_blocks;
  std::vector<DecodedFunction> functions;  // [0] is the kernel
  std::vector<std::byte> constants;
  uint32_t constants_at = 0, specials_at = 0, warp_bytes = 0;  // the warp's block
  std::vector<SpecialRegister> specials;
  uint32_t special_bytes = 0;
  std::vector<InstructionAt> instructions;
  std::vector<Columns> unset;  // registers that may be read before they are written
  std::vector<ClockedLoop> clocked_loops;
  std::vector<SystemCall> system_calls;
  std::unordered_map<uint64_t, uint32_t> function_at;  // address -> index into functions
  // Operands of operations with more than eight, one list after the other; Operation::extra says
  // where it begins, as Operation::offset which of the matrices it is.
  std::vector<uint32_t> operand_list;
  std::vector<MatrixOperation> matrices;
  std::vector<MatrixAccess> matrix_accesses;
  uint32_t sites = 0;  // memory instructions
  std::vector<Caveat> caveats;
  check::Reaches reaches;  // of a program decoded to be watched
  BoundOperations bound;

  // Of machine code alone.
  std::vector<uint32_t> polled;  // instructions: loads of shared memory that must be volatile, as a
                                 // loop does nothing but wait for what they see
  std::shared_ptr<const sass::Module> code;
  // The kernel's code and that of functions compiled apart, with the addresses of this program.
  std::vector<std::shared_ptr<const sass::Function>> sections;
  std::vector<ConstantBank> banks;
  std::vector<LaunchConstant> launch_constants;
  std::unordered_map<uint64_t, uint32_t> block_at;  // address of its first instruction -> index
};

// --- state
// -------------------------------------------------------------------------------------------------

// Lanes of a warp that share a program counter.
struct Group {
  // waiting: at a barrier of the block; warp_sync: a .sync instruction for the lanes it names;
  // reconverging: where lanes that parted come together
  enum State : uint8_t { ready, waiting, warp_sync, reconverging } state = ready;
  uint32_t basic_block = 0, mask = 0;
  uint32_t frame = 0;              // index into Warp::frames
  uint32_t order = 0;              // of the split it comes from: the latest goes first
  uint32_t spins = 0;              // of its patience: what loops have used since it was picked
  uint32_t barrier = 0;            // waiting: which
  uint32_t waits_at = no_operand;  // waiting: the basic block that ends with it
  bool forced = false;             // goes on though lanes it names are elsewhere
  uint32_t converging =
      no_operand;  // the basic block of the BSYNC that it has executed and waits at
};

// Lanes that parted at a branch come together at a basic block of their frame, as at the
// convergence barriers of the hardware: those who come first wait for the others.
struct ConvergenceBarrier {
  uint32_t basic_block = 0, frame = 0, lanes = 0;
  uint32_t order = 0;  // of the group that split
};

struct Frame {
  uint32_t function = 0, parent = 0, depth = 0;
  uint32_t call_basic_block = 0;  // of the call, in the caller
  uint32_t call_site = 0;         // which of its callees
  uint32_t live = 0;              // lanes still inside
  uint64_t local_base = 0;        // local address of this activation's variables
  std::vector<std::byte> saved;   // recursion: the function's frame as the caller's lanes left it
};

// Its members are written once, elsewhere: code compiled for a better processor than this one only
// throws it.
struct Fault {
  Fault(std::string_view kind, std::string_view what, int cuda_error,
        std::optional<uint64_t> address, uint32_t instruction, int lane);
  Fault(const Fault&);
  ~Fault();
  std::string kind, what;
  int cuda_error = 0;
  std::optional<uint64_t> address;  // where it is about one
  uint32_t instruction = 0;
  int lane = 0;
};

// The places of one memory instruction, filled by the address operation and used by the move.
struct HostAddresses {
  // Of every lane; of inactive ones the first active one's.
  alignas(64) uint64_t host[lanes];
  // All but scattered: host[0] and how the lanes lie from there say it all. rows: words, of each eight lanes
  // side by side (blocks that are 8 or 16 threads wide); steps: of each eight one.
  enum Layout : uint8_t { contiguous, uniform, window, rows, steps, spread, scattered } layout;
  const AccessPattern* pattern;
};

// Where compiled code counts the lanes for which guarded operations run; null: nobody asks.
struct GuardedLanes {
  uint64_t* by_operation = nullptr;      // an index of Machinery::operations
  uint64_t* float_operations = nullptr;  // their sum, by InstructionClass up to fp16
};

inline constexpr uint32_t nowhere = ~0u;

struct Warp {
  std::byte* base = nullptr;              // its block: frames, constants, special registers
  uint32_t mask = 0;                      // lanes that run now
  alignas(64) uint32_t lane_mask[lanes];  // the same, one word a lane: 0 or ~0
  HostAddresses addresses;
  void* observer = nullptr;  // the body it runs in knows its type
  GuardedLanes guarded;
  const AccessSums* accesses = nullptr;
  // What compiled code may do without run_warp (compiled/flow.h): all lanes run and are together, nobody looks at each basic
  // block, and fewer than `look` have been entered.
  bool chains = false;
  uint32_t chained = nowhere;  // the basic block whose first operations it has run behind others
  uint64_t look = 0;
  BlockState* block = nullptr;
  uint32_t index = 0;  // in the block
  uint32_t live = 0;   // lanes not exited
  std::vector<Group> groups;
  uint32_t current = 0;
  std::vector<ConvergenceBarrier> convergence_barriers;
  uint32_t splits = 0;     // so far
  uint64_t waits = 0;      // rounds of waiting loops since it last did much else
  uint64_t worked = 0;     // … basic blocks of turns since the last of these
  bool spun = false;       // did nothing else in its last turn
  bool unstable = false;   // in this one a loop or an atomic may have changed memory
  uint64_t apart = 0;      // basic blocks of turns used up since all its lanes were together
  uint32_t rounds = 0;     // in this turn, of loops that wait for other blocks
  bool fenced = false;     // its turn ended before the fence that comes next
  bool impatient = false;  // lanes that waited for lanes that spin had to be let go
  std::vector<Frame> frames;
  std::byte* local = nullptr;  // local memory: local_bytes a lane, from lane to lane local_stride
  uint64_t local_bytes = 0, local_stride = 0;
  uint64_t basic_blocks_entered = 0, entered_before = 0;  // … before this turn
  mutable uint64_t instructions = 0;                      // where an observer counts them
};

inline constexpr uint64_t clocks_of_basic_block = 8;
inline uint64_t clocks_of_turn(const Warp& warp) {
  return (warp.basic_blocks_entered - warp.entered_before) * clocks_of_basic_block;
}

// Calls body(lane) for every lane that runs now.
template <class Body>
void each_lane(const Warp& warp, Body&& body) {
  for (uint32_t left = warp.mask; left; left &= left - 1) body(std::countr_zero(left));
}

inline constexpr uint32_t named_barriers = 16;

struct Barrier {
  uint32_t arrived = 0;   // threads
  uint32_t expected = 0;  // 0: all live threads of the block
  // Lanes that arrived: where a count is expected, warps count whole.
  std::array<uint32_t, 32> by_warp{};
  uint32_t count = 0;  // bar.red: threads whose predicate holds
  uint32_t total = 0;
  uint32_t result_count = 0, result_total = 0;
};

struct Machinery;  // what a launch lends to its warps (machinery.h)
struct Cluster;    // blocks that see each other's shared memory (cluster.h)

struct BlockState {
  Machinery* machinery = nullptr;
  Cluster* cluster = nullptr;
  uint32_t rank = 0;    // in it
  uint64_t linear = 0;  // in the order blocks start
  unsigned x = 0, y = 0, z = 0;
  uint32_t sm = 0;
  int traced = -1;  // which of the traced blocks it is; -1: none
  std::byte* shared = nullptr;
  std::vector<Warp> warps;
  // 16 named ones, then a hidden one for each warpgroup.
  std::array<Barrier, named_barriers + 8> barriers{};
  uint32_t met = 0;   // of these, where anybody has arrived: the others are as they were made
  uint32_t live = 0;  // threads not exited
  uint32_t turn = 0;
  bool started = false;
};

}  // namespace headroom::sim
