// Decoding a function: its straight lines become basic blocks, its instructions Operations with the
// handlers that execute them and operands that say where the lanes lie. Shared by the files of this
// folder, one a kind of instruction.
//
//   program.cpp   the program: functions reached from the kernel, constants, shared memory
//   overwrites.cpp   stores before which the other warps have their turn
//   thread_form.cpp  how registers depend on the thread's index
//   flow.cpp      straight lines and their ends: branches, barriers, calls; parameters
//   operand.cpp   operands: registers, constants, special registers, addresses of symbols; resizing
//   data.cpp      everything that computes: a row's spelling; the few that need several operations
//   memory.cpp    loads, stores, atomics
//   copy.cpp      asynchronous copies
//   texture.cpp   textures and surfaces
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/decoding.h"
#include "sim/register_allocation.h"
#include "sim/system_calls.h"

namespace headroom::sim {

enum class TextureAction : uint8_t;  // texture_operations.h

struct PendingCall {
  uint32_t basic_block;
  std::string callee;  // empty: through a register
  std::vector<ParameterBlock> arguments, results;
  const ptx::Function* caller;
  uint32_t instruction;
};

// What the decoders of one program share.
struct ProgramDecoder : OperandAreas {
  const ptx::Module& module;
  std::map<std::string, uint64_t> shared_at;  // name (functions: "function/name") -> offset
  std::vector<std::string> reached;           // functions, in order of discovery
  std::vector<PendingCall> calls;
  std::set<std::string> shared_used;
  uint8_t axes;          // along which threads of different warps differ
  bool watched = false;  // tells of what orders accesses (check/marks.h)

  uint32_t function_index(const std::string& name);
};

class FunctionDecoder {
 public:
  FunctionDecoder(ProgramDecoder&, uint32_t index);
  void decode();

 private:
  using Instruction = ptx::Instruction;
  using Operand = ptx::Operand;
  using Kind = ptx::Operand::Kind;

  // flow.cpp
  std::vector<int> leaders() const;
  void end_turn();
  void decode_line(int begin, int end);
  void decode_terminator(const Instruction&);
  void go_round(const Instruction&);
  BasicBlock& open_basic_block();
  void close_basic_block(Terminator, uint32_t instruction);
  void end_branch(const Instruction&);
  void end_barrier(const Instruction&);
  void end_call(const Instruction&);
  void count(const Instruction&);

  // operand.cpp
  uint32_t temporary(int bytes);               // lives until the instruction is decoded
  uint32_t input(const Operand&, int bytes);   // operand ready to read as that width
  uint32_t output(const Operand&, int bytes);  // where to write; if widths differ, queues a resize
  void finish_outputs();                       // emits the queued resizes
  uint32_t register_operand(int reg) const {
    return operand_at(Area::frame, allocation.at[size_t(reg)]);
  }
  int register_bytes(int reg) const {
    return lane_register_bytes(function.registers[size_t(reg)].type);
  }
  // Constant ones: of a global or shared variable, of a function.
  std::optional<uint64_t> symbol_address(const std::string& name) const;
  uint32_t symbol_operand(const Operand&, int bytes);
  void resize(uint32_t to, int to_bytes, uint32_t from, int from_bytes, bool is_signed);
  std::vector<const Operand*> flat(const Instruction&) const;

  // data.cpp
  using Decode = void (FunctionDecoder::*)(const Instruction&);
  static Decode special_decode(const Instruction&);  // null: one row says it
  void decode_instruction(const Instruction&);
  uint32_t guard_operand(const Instruction&);
  void decode_nothing(const Instruction&);
  void decode_fence(const Instruction&);
  bool decode_row(const Instruction&, const std::string& spelling);
  uint32_t carry_flag();
  void decode_mov(const Instruction&);
  void decode_cvta(const Instruction&);
  void decode_isspacep(const Instruction&);
  uint32_t in_constants(uint32_t address);
  void decode_policy(const Instruction&);

  // stack.cpp
  void begin_stack_frame();  // a kernel has taken nothing; a function notes what was taken before
  void decode_stack(const Instruction&);

  // compare.cpp, convert.cpp, video.cpp
  std::vector<uint32_t> compare(const Instruction&, ptx::Type, size_t first);
  uint32_t joined(const Instruction&, uint32_t holds, const Operand& c);
  void decode_setp(const Instruction&);
  void decode_set(const Instruction&);
  void decode_lop3(const Instruction&);
  void decode_cvt(const Instruction&);
  void decode_video(const Instruction&);

  // cluster.cpp
  void decode_cluster_arrive(const Instruction&);
  void decode_mapa(const Instruction&);
  void decode_getctarank(const Instruction&);

  // memory.cpp
  void decode_load(const Instruction&);
  void decode_store(const Instruction&);
  void decode_atomic(const Instruction&);
  Address address(const Operand&, Place);
  Place place_of(const Instruction&, const Operand&) const;
  void memory_operation(const Address&, Use, int bytes, Handler move,
                        const std::vector<uint32_t>& data);

  // matrix.cpp
  void decode_mma(const Instruction&);
  void decode_rows(const Instruction&);
  void decode_wmma(const Instruction&);
  void decode_wgmma(const Instruction&);
  MatrixOperation warpgroup_product(const Instruction&) const;
  MatrixOperation matrix_named(const Instruction&) const;
  void list_fragment(const Operand&, int registers, Number, bool written);
  void matrix_access_operation(const std::string& name, MatrixAccess, uint32_t list);
  MatrixAccess matrix_address(const Instruction&, const Operand&);
  // copy.cpp
  void decode_copy(const Instruction&);
  void decode_async_copy(const Instruction&);
  void load_less(const Instruction&, Address from, const Operand& less, int bytes, uint32_t data);

  // bulk.cpp
  void decode_bulk_copy(const Instruction&);
  void bulk_operation(Handler, const std::vector<uint32_t>& operands, int64_t reduction,
                      Handler move, int bytes, uint32_t mark);
  uint32_t address64(const Operand&, Place);  // an address with its offset, 64 bits wide

  // cluster_memory.cpp
  void decode_tensor_map(const Instruction&);
  void decode_remote_store(const Instruction&);

  // mbarrier.cpp
  void decode_mbarrier(const Instruction&);
  void barrier_operation(Handler, const Operand& where, uint32_t result, uint32_t value,
                         uint64_t flags = 0);
  // texture.cpp
  void decode_texture(const Instruction&);
  void decode_surface(const Instruction&);
  void decode_texture_query(const Instruction&);
  uint32_t texture_handle(const Operand& address);
  void texture_operation(const Instruction&, TextureAction, const std::vector<uint32_t>& channels,
                         const Operand& address, uint64_t extra, int64_t offset, int bytes);

  void add(const Row&, const std::vector<uint32_t>& operands, int64_t offset = 0,
           uint64_t extra = 0);
  void add(std::string_view spelling, const std::vector<uint32_t>& operands, int64_t offset = 0,
           uint64_t extra = 0);
  [[noreturn]] void unsupported(const Instruction&, const std::string& what,
                                const std::string& hint = "") const;

  ProgramDecoder& shared;
  Program& program;
  const uint32_t index;
  const ptx::Function& function;
  RegisterAllocation allocation;
  const uint32_t frame_at;  // where its frame begins in the area of frames
  uint32_t frame_bytes = 0;
  std::unordered_map<std::string, ParameterBlock> parameters;  // .param blocks in the frame
  std::unordered_map<std::string, uint64_t> locals;  // .local variables: offset in the activation
  std::unordered_map<std::string, uint64_t> kernel_parameters;  // offset in the launch's arguments
  std::unordered_map<int, uint32_t> basic_block_at;             // by leader
  struct Fixup {
    uint32_t basic_block;
    int target;
    int which;
  };  // which: -1 target, else index into targets
  std::vector<Fixup> fixups;
  std::map<int, std::vector<uint32_t>> temporaries;  // by width
  std::map<int, size_t> temporaries_used;
  struct Resize {
    uint32_t to;
    int to_bytes;
    uint32_t from;
    int from_bytes;
    bool is_signed;
  };
  std::vector<Resize> resizes;
  std::optional<uint32_t> carry;         // operand of CC.CF, if used
  std::optional<uint32_t> stack_before;  // of a function with alloca: where its return goes back to
  std::set<int> overwriting;             // stores before which others have their turn
  const Instruction* current = nullptr;
  uint32_t current_index = 0;  // in Program::instructions
};

// Class and floating-point operations of an instruction.
InstructionClass class_of(const ptx::Instruction&);
int float_operations_of(const ptx::Instruction&);
uint64_t tensor_operations_of(const ptx::Instruction&);  // of a warp: 2·m·n·k
int vector_length(const ptx::Instruction&);              // 4 for .v4; 1 without

}  // namespace headroom::sim
