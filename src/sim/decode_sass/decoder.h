// Decoding machine code: what ptxas made of a kernel becomes the same basic blocks of operations
// that PTX becomes (decode_ptx/), on registers as the hardware has them. A machine instruction is a
// few operations, of rows that PTX has too where there are such, else of machine_rows.cpp.
//
//   IMAD.WIDE.U32 R2, R0, 0x4, R6   !join t, R6, R7;  mad.wide.u32 t, R0, 4, t;  !low R2, t;  !high R3, t
//
//   program.cpp   blocks, banks of constants, registers      operand.cpp   what an operand means
//   flow.cpp      branches, barriers, convergence            integer.cpp, bits.cpp … one kind each
//   calls.cpp     functions compiled apart, of the system    symbols.cpp   addresses, relocations
//   order.cpp     fences and waits, for who watches
//
// A warp's frame: R0 … of 4 bytes a lane, then uniform registers (the same value in all lanes), then
// predicates (a bit a lane; uniform ones all alike), then convergence barriers (a mask a lane). Shared
// addresses are those of the hardware: on sm_90 a block's own memory begins at 0x400, and the upper
// byte is its rank in the cluster. An operation gets them as the executor counts, from 0.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sass/register_port.h"
#include "sim/decoding.h"
#include "sim/machine_code.h"
#include "sim/texture_operations.h"

namespace headroom::sim {

// What signs, absolute values and inversions of an operand mean.
enum class Sort : uint8_t { integer, f32, f64, f16x2 };

class MachineDecoder {
 public:
  MachineDecoder(Program&, const sass::Function&, const MachineOptions&);
  MachineDecoder(const MachineDecoder& kernel, const sass::Function&);  // in the kernel's frame
  void decode();

  using Instruction = sass::Instruction;
  using Operand = sass::Operand;
  using Kind = sass::OperandKind;
  using Decode = void (MachineDecoder::*)(const Instruction&);
  struct Entry {
    std::string_view opcode;
    Decode decode;
  };
  static const std::unordered_map<std::string_view, Decode>& decoders();  // by opcode

 private:
  // One table a file.
  static std::span<const Entry> integer_table();
  static std::span<const Entry> bits_table();
  static std::span<const Entry> float_table();
  static std::span<const Entry> half_table();
  static std::span<const Entry> convert_table();
  static std::span<const Entry> memory_table();
  static std::span<const Entry> atomic_table();
  static std::span<const Entry> warp_table();
  static std::span<const Entry> flow_table();
  static std::span<const Entry> matrix_table();
  static std::span<const Entry> async_table();
  static std::span<const Entry> mbarrier_table();
  static std::span<const Entry> cluster_table();
  static std::span<const Entry> bulk_table();
  static std::span<const Entry> texture_table();
  static std::span<const Entry> order_table();
  static Decode find(std::string_view opcode);

  // program.cpp
  void place_registers();
  void place_banks();
  void decode_section();
  void decode_other_sections();
  void decode_instruction(const Instruction&);
  void guard(const Instruction&, uint32_t operand, size_t first);
  void count(const Instruction&);
  void count_registers(const Instruction&);

  // flow.cpp
  std::vector<bool> leaders() const;
  void open_basic_block();
  void close_basic_block(Terminator, uint64_t target = 0);
  void decode_line(uint32_t first, uint32_t last);
  bool decode_terminator(const Instruction&);
  bool ends_line(const Instruction&) const;  // a block of its own ends with it
  bool starts_line(const Instruction&) const;
  void check_members(const Instruction&);
  void decode_start(const Instruction&);
  uint32_t condition(const Instruction&);  // of a branch: its guard and its predicate operand
  void end_branch(const Instruction&);
  uint32_t diverged(const Operand& mask, uint32_t all);
  void go_round(const Instruction&);
  void end_barrier(const Instruction&);
  void end_indirect(const Instruction&);
  void connect();
  uint64_t address_of(uint64_t offset) const { return code_at + offset; }
  void decode_bssy(const Instruction&);
  void decode_break(const Instruction&);
  void decode_bmov(const Instruction&);
  void decode_lepc(const Instruction&);
  void decode_barrier_result(const Instruction&);
  void decode_nothing(const Instruction&);
  void decode_setmaxreg(const Instruction&);

  // order.cpp
  void mark(Handler, uint64_t extra = 0);  // where the program is watched
  void decode_warp_sync(const Instruction&);
  void decode_fence(const Instruction&);
  void decode_commit(const Instruction&);
  void decode_groups_wait(const Instruction&);
  void decode_warpgroup(const Instruction&);

  // calls.cpp
  void end_call(const Instruction&);
  std::set<System> named_system_calls() const;
  void decode_system_calls();
  void open_system_call(System);
  void go_back();
  bool grows_stack() const;

  // grid.cpp
  uint32_t product(Special, Special, Special);
  uint32_t any_of(Special, Special, Special);
  void decode_grid_handle();
  void decode_grid_sync();

  // operand.cpp. Rows of 4 bytes a lane, pairs of registers as 8, predicates as bits.
  uint32_t temporary(int bytes);
  uint32_t constant(uint64_t bits, int bytes) { return areas.constant(bits, bytes); }
  uint32_t row_of(const Operand&) const;  // register or predicate, as it lies
  uint32_t reg(uint32_t index) const;     // R0 …; RZ is no row
  uint32_t uniform_reg(uint32_t index) const;
  uint32_t barrier_reg(uint32_t index) const;
  uint32_t word(const Operand&, Sort = Sort::integer);  // 4 bytes a lane, signs applied
  uint32_t word_at(const Operand&, uint32_t n);         // the nth register from this one on
  uint32_t pair(const Operand&, Sort = Sort::integer);  // 8 bytes a lane
  uint32_t wide(uint32_t low, uint32_t high);           // two words joined
  // A pair as its two rows lie, one after the other; absent where signs change it.
  std::optional<uint32_t> two_rows(const Operand&);
  // A row of pairs (machine_pair_rows.cpp), where there is one and nothing stands against it: true.
  bool add_pairs(const std::string& spelling, uint32_t out,
                 std::initializer_list<const Operand*> in);
  bool add_pairs(const std::string& spelling, const Operand& out,
                 std::initializer_list<const Operand*> in);
  uint32_t flag(const Operand&);  // a predicate, inverted where it says so
  uint32_t signs(uint32_t at, const Operand&, Sort);
  uint32_t out(const Operand&);  // where a word is written; RZ: nowhere
  uint32_t out_at(const Operand&, uint32_t n);
  uint32_t out_pair(const Operand&);  // written to the two registers at the end
  uint32_t out_flag(const Operand&);
  uint32_t launch_constant(int bank, uint64_t offset, int bytes);
  uint64_t bank_at(int bank, uint64_t offset, uint64_t bytes) const;  // in Machinery::arguments
  void whatever_the_guard();  // the last operation: it prepares what is guarded by itself
  void finish();              // writes pending pairs
  void add(const Row&, const std::vector<uint32_t>& operands, int64_t offset = 0,
           uint64_t extra = 0);
  void add(std::string_view spelling, const std::vector<uint32_t>& operands, int64_t offset = 0,
           uint64_t extra = 0);
  [[noreturn]] void unsupported(const std::string& what) const;
  [[noreturn]] void unsupported() const;  // this instruction's modifiers

  // integer.cpp
  void decode_mov(const Instruction&);
  void decode_sel(const Instruction&);
  void decode_iadd3(const Instruction&);
  void decode_lea(const Instruction&);
  void decode_lop3(const Instruction&);
  void decode_shf(const Instruction&);
  void decode_prmt(const Instruction&);
  void decode_imad(const Instruction&);
  void decode_imad_wide(const Instruction&);
  void decode_imad_high(const Instruction&);
  void decode_isetp(const Instruction&);
  void decode_minmax(const Instruction&);
  void decode_viadd(const Instruction&);
  void decode_viaddmnmx(const Instruction&);
  void decode_vimnmx3(const Instruction&);
  void decode_iabs(const Instruction&);
  void decode_bmsk(const Instruction&);
  void decode_sgxt(const Instruction&);
  void decode_flo(const Instruction&);
  void decode_one_bits(const Instruction&);  // POPC, BREV
  void decode_plop3(const Instruction&);
  void decode_p2r(const Instruction&);
  void decode_r2p(const Instruction&);
  void decode_idp(const Instruction&);
  void decode_vabsdiff(const Instruction&);
  void decode_i2i(const Instruction&);

  // float.cpp
  void decode_fadd(const Instruction&);
  void decode_fmul(const Instruction&);
  void scaled_product(const Instruction&, double scale);
  void decode_ffma(const Instruction&);
  void decode_fmnmx(const Instruction&);
  void decode_fsel(const Instruction&);
  void decode_fset(const Instruction&);
  void decode_fsetp(const Instruction&);
  void decode_fchk(const Instruction&);
  void decode_mufu(const Instruction&);
  void decode_dadd(const Instruction&);
  void decode_dmul(const Instruction&);
  void decode_dfma(const Instruction&);
  void decode_dsetp(const Instruction&);
  std::string comparison_of(const Instruction&) const;
  uint32_t compared(const Instruction&, const std::string& type, uint32_t a, uint32_t b);
  uint32_t compared_into(uint32_t holds, const Instruction&, const std::string& type, uint32_t a,
                         uint32_t b);
  uint32_t first_predicate(const Instruction&);
  uint32_t joined(const Instruction&, uint32_t holds, uint32_t other);
  void set_predicates(const Instruction&, uint32_t holds);
  void decode_mufu_half(const Instruction&);
  std::string float_spelling(const Instruction&, const char* name, const char* type) const;

  // half.cpp, convert.cpp
  uint32_t halves(const Operand&);           // two in a word, signs applied
  uint32_t selected_halves(const Operand&);  // … before their signs
  void widen_half(const Instruction&);
  std::array<uint32_t, 2> compared_halves(const Instruction&, const Operand& a, const Operand& b);
  uint32_t number(const Operand&, const std::string& type);  // a lane as wide as the type
  void convert(const std::string& spelling, const std::string& to, const Operand& d, uint32_t from);
  void decode_hadd2(const Instruction&);
  void decode_hmul2(const Instruction&);
  void decode_hfma2(const Instruction&);
  void decode_hmnmx2(const Instruction&);
  void decode_vhmnmx(const Instruction&);
  void decode_hset2(const Instruction&);
  void decode_hsetp2(const Instruction&);
  void decode_f2f(const Instruction&);
  void decode_f2i(const Instruction&);
  void decode_i2f(const Instruction&);
  void decode_i2fp(const Instruction&);
  void decode_frnd(const Instruction&);
  void decode_f2fp(const Instruction&);
  void pack_bytes(const Instruction&, const std::string& type);
  void unpack_bytes(const Instruction&, const std::string& type);
  void decode_i2ip(const Instruction&);
  void decode_f2ip(const Instruction&);

  // memory.cpp
  Address global_address(const Operand&, Place);
  Address shared_address(const Operand&);
  Address local_address(const Operand&);
  uint32_t generic(uint32_t address);  // as the executor counts: shared windows
  void memory_operation(const Address&, Use, int bytes, Handler move,
                        const std::vector<uint32_t>& data);
  void load(const Instruction&, const Address&, const Operand& to);
  void store(const Instruction&, const Address&, const Operand& from);
  void decode_ldg(const Instruction&);
  void decode_stg(const Instruction&);
  void decode_lds(const Instruction&);
  void decode_sts(const Instruction&);
  void decode_ldl(const Instruction&);
  void decode_stl(const Instruction&);
  void decode_ldc(const Instruction&);
  void decode_qspc(const Instruction&);

  // atomic.cpp
  void decode_atomic(const Instruction&);
  void decode_counting(const Instruction&);
  Address atomic_address(const Instruction&);
  uint32_t in_device_memory(const Instruction&, const Address&);
  void only_where(const Instruction&, uint32_t holds);
  uint32_t quad(const Operand&);  // four registers, 16 bytes a lane
  void write_quad(const Operand& to, uint32_t from);

  // warp.cpp
  void decode_s2r(const Instruction&);
  uint32_t special_register(const Operand&, int bytes);
  void decode_shfl(const Instruction&);
  void decode_vote(const Instruction&);
  void decode_match(const Instruction&);
  void decode_redux(const Instruction&);
  void decode_elect(const Instruction&);
  void decode_r2ur(const Instruction&);
  void decode_rpcmov(const Instruction&);

  // matrix.cpp, warpgroup.cpp
  MatrixOperation product_of(const Instruction&) const;
  void list_fragment(const Operand& first, int registers, Number);
  void list_result(const Operand& first, int registers, Number);
  void matrix_rows(const Instruction&, const Operand& address, const Operand& fragment);
  uint32_t matrix_descriptor(uint32_t index);
  void decode_mma(const Instruction&);
  void decode_ldsm(const Instruction&);
  void decode_stsm(const Instruction&);
  void decode_movm(const Instruction&);
  void decode_gmma(const Instruction&);

  // async.cpp
  void decode_ldgsts(const Instruction&);
  void load_less(Address from, uint32_t brings, bool fills, int bytes, uint32_t data);

  // mbarrier.cpp
  void barrier_operation(Handler, const Operand& where, uint32_t result, uint32_t value,
                         uint64_t flags = 0);
  void decode_syncs(const Instruction&);
  void begin_barrier(const std::vector<Operand>&);
  void decode_arrive(const Instruction&);
  void decode_copies_arrive(const Instruction&);

  // cluster.cpp: addresses in shared memory of any block of the cluster
  static constexpr int64_t own_shared_at = 0x400;
  uint32_t cluster_word(uint32_t address);
  uint32_t cluster_pair(uint32_t address);  // as 8 bytes
  Address cluster_address(const Operand&);
  void decode_cluster_arrive(const Instruction&);
  void decode_remote_store(const Instruction&);
  Handler reduction_in_shared(const Instruction&, bool is_wide) const;

  // bulk.cpp
  void refuse_changed_maps() const;
  static std::string_view reduction_name(const Instruction&);
  uint32_t half_of(uint32_t word, bool upper);
  void bulk_operation(Handler, const std::vector<uint32_t>& operands, int64_t reduction);
  void decode_bulk(const Instruction&);
  void reduce_in_bulk(const Instruction&);
  void decode_tensor_copy(const Instruction&);
  void im2col_offsets(uint32_t packed, int count, std::vector<uint32_t>& list);

  // unset.cpp
  std::vector<Columns> unset_registers() const;

  // overwrites.cpp
  void find_overwrites();
  bool overwrites(const Instruction&) const;
  void end_turn();

  // waiting_loops.cpp
  std::vector<Columns> register_columns() const;
  void mark_loops();

  // texture.cpp
  uint32_t texture_object(const Instruction&);  // its handle, 8 bytes a lane
  void texture_operation(TextureAction, std::vector<uint32_t> channels, uint32_t object,
                         const std::vector<uint32_t>& coordinates, uint64_t extra, int64_t offset,
                         int bytes);
  void decode_texture(const Instruction&);
  void decode_question(const Instruction&);
  void decode_surface(const Instruction&);
  void surface_reduction(const Instruction&, const Operand& values,
                         const std::vector<uint32_t>& coordinates, uint64_t extra);

  Program& program;
  OperandAreas areas;
  const sass::Function& function;
  const MachineOptions& options;
  uint64_t code_at = 0;
  uint32_t frame_bytes = 0, registers = 0, uniforms_at = 0, predicates_at = 0, barriers_at = 0;
  uint32_t rpc_at = 0;  // where code uses it
  const Instruction* current = nullptr;
  uint32_t current_index = 0;
  sass::RegisterPort port;  // what the reuse cache keeps within a straight line
  bool overwrites_shared = false, overwrites_global = false;  // stores of these spaces may
  bool uniform = false;  // the instruction at hand is of the uniform datapath
  std::map<int, std::vector<uint32_t>> temporaries;
  std::map<int, size_t> temporaries_used;
  struct Pair {
    Operand to;
    uint32_t from;
  };
  std::vector<Pair> pairs;
  std::vector<uint32_t> block_of;  // by instruction: the basic block that begins with it
  struct Jump {
    uint32_t basic_block;
    uint64_t target;  // offset
  };
  std::vector<Jump> jumps;
  std::optional<uint32_t> reduced_barrier;  // of the last BAR.RED: its number
  std::string reduction;
  std::map<std::pair<uint64_t, int>, uint32_t> launch_constant_at;
  std::map<uint64_t, uint32_t> pair_constant_at;  // two rows: offset in the area of constants
};

}  // namespace headroom::sim
