// Forms by which threads synchronise and communicate: barriers, fences, atomics, votes.
// Source: PTX ISA 9.0, section 9.7.13.  Spellings stand beside the manual's that nvcc or its
// libraries write: vote.ballot.sync, and atomics whose space precedes the scope or whose operation
// precedes semantics and scope.
#include "ptx/forms_pattern.h"
#include "ptx/forms_table.h"

namespace headroom::ptx {
namespace {

constexpr Form rows[] = {
    {"barrier{.cta}.sync{.aligned} a{, b}", "9.7.13.1"},
    {"barrier{.cta}.arrive{.aligned} a, b", "9.7.13.1"},
    {"barrier{.cta}.red.popc{.aligned}.u32 d, a{, b}, {!}c", "9.7.13.1"},
    {"barrier{.cta}.red.andor{.aligned}.pred p, a{, b}, {!}c", "9.7.13.1"},
    {"bar{.cta}.sync a{, b}", "9.7.13.1"},
    {"bar{.cta}.arrive a, b", "9.7.13.1"},
    {"bar{.cta}.red.popc.u32 d, a{, b}, {!}c", "9.7.13.1"},
    {"bar{.cta}.red.andor.pred p, a{, b}, {!}c", "9.7.13.1"},
    {"bar.warp.sync membermask", "9.7.13.2"},
    {"barrier.cluster.arrive{.arrive_sem}{.aligned}", "9.7.13.3"},
    {"barrier.cluster.wait{.acquire}{.aligned}", "9.7.13.3"},
    {"fence.fencesem.scope", "9.7.13.4"},
    {"fence.acquire.sync_restrict::shared::cluster.cluster", "9.7.13.4"},
    {"fence.release.sync_restrict::shared::cta.cluster", "9.7.13.4"},
    {"fence.mbarrier_init.release.cluster", "9.7.13.4"},
    {"fence.proxy.proxykind", "9.7.13.4"},
    {"fence.proxy.async.aspace", "9.7.13.4"},
    {"fence.proxy.tensormap::generic.release.scope", "9.7.13.4"},
    {"fence.proxy.tensormap::generic.acquire.scope [a], size", "9.7.13.4"},
    {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster", "9.7.13.4"},
    {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster", "9.7.13.4"},
    {"membar.membar_level", "9.7.13.4"},
    {"membar.proxy.alias", "9.7.13.4"},

    // The manual's order first; then space first, or the operation first, as libraries write them.
    {"atom{.atomsem}{.scope}{.aspace}.atom_bitop{.hint}.b32_64 d, [a], b{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.add{.hint}.addable d, [a], b{, cache-policy}", "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.minmax{.hint}.comparable d, [a], b{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.incdec{.hint}.u32 d, [a], b{, cache-policy}", "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.exch{.hint}.exchangeable d, [a], b{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.cas{.hint}.swappable d, [a], b, c{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.aspace}.add.noftz{.hint}.halves d, [a], b{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.global}.vecop.noftz{.hint}.vec.halves d, [a], b{, cache-policy}",
     "9.7.13.5"},
    {"atom{.atomsem}{.scope}{.global}.add{.hint}.vec.f32 d, [a], b{, cache-policy}", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.atom_bitop.b32_64 d, [a], b", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.add.addable d, [a], b", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.minmax.comparable d, [a], b", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.incdec.u32 d, [a], b", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.exch.exchangeable d, [a], b", "9.7.13.5"},
    {"atom.aspace{.atomsem}.scope.cas.swappable d, [a], b, c", "9.7.13.5"},
    {"atom{.aspace}.atom_bitop.atomsem{.scope}.b32_64 d, [a], b", "9.7.13.5"},
    {"atom{.aspace}.add.atomsem{.scope}.addable d, [a], b", "9.7.13.5"},
    {"atom{.aspace}.minmax.atomsem{.scope}.comparable d, [a], b", "9.7.13.5"},
    {"atom{.aspace}.incdec.atomsem{.scope}.u32 d, [a], b", "9.7.13.5"},
    {"atom{.aspace}.exch.atomsem{.scope}.exchangeable d, [a], b", "9.7.13.5"},
    {"atom{.aspace}.cas.atomsem{.scope}.swappable d, [a], b, c", "9.7.13.5"},
    {"atom.atom_bitop{.atomsem}{.scope}.aspace.b32_64 d, [a], b", "9.7.13.5"},
    {"atom.add{.atomsem}{.scope}.aspace.addable d, [a], b", "9.7.13.5"},
    {"atom.minmax{.atomsem}{.scope}.aspace.comparable d, [a], b", "9.7.13.5"},
    {"atom.incdec{.atomsem}{.scope}.aspace.u32 d, [a], b", "9.7.13.5"},
    {"atom.exch{.atomsem}{.scope}.aspace.exchangeable d, [a], b", "9.7.13.5"},
    {"atom.cas{.atomsem}{.scope}.aspace.swappable d, [a], b, c", "9.7.13.5"},
    {"red{.redsem}{.scope}{.aspace}.atom_bitop{.hint}.b32_64 [a], b{, cache-policy}", "9.7.13.6"},
    {"red{.redsem}{.scope}{.aspace}.add{.hint}.addable [a], b{, cache-policy}", "9.7.13.6"},
    {"red{.redsem}{.scope}{.aspace}.minmax{.hint}.comparable [a], b{, cache-policy}", "9.7.13.6"},
    {"red{.redsem}{.scope}{.aspace}.incdec{.hint}.u32 [a], b{, cache-policy}", "9.7.13.6"},
    {"red{.redsem}{.scope}{.aspace}.add.noftz{.hint}.halves [a], b{, cache-policy}", "9.7.13.6"},
    {"red{.redsem}{.scope}{.global}.vecop.noftz{.hint}.vec.halves [a], b{, cache-policy}",
     "9.7.13.6"},
    {"red{.redsem}{.scope}{.global}.add{.hint}.vec.f32 [a], b{, cache-policy}", "9.7.13.6"},
    {"red.aspace{.redsem}.scope.atom_bitop.b32_64 [a], b", "9.7.13.6"},
    {"red.aspace{.redsem}.scope.add.addable [a], b", "9.7.13.6"},
    {"red.aspace{.redsem}.scope.minmax.comparable [a], b", "9.7.13.6"},
    {"red.aspace{.redsem}.scope.incdec.u32 [a], b", "9.7.13.6"},
    {"red{.aspace}.atom_bitop.redsem{.scope}.b32_64 [a], b", "9.7.13.6"},
    {"red{.aspace}.add.redsem{.scope}.addable [a], b", "9.7.13.6"},
    {"red{.aspace}.minmax.redsem{.scope}.comparable [a], b", "9.7.13.6"},
    {"red{.aspace}.incdec.redsem{.scope}.u32 [a], b", "9.7.13.6"},
    {"red.atom_bitop{.redsem}{.scope}.aspace.b32_64 [a], b", "9.7.13.6"},
    {"red.add{.redsem}{.scope}.aspace.addable [a], b", "9.7.13.6"},
    {"red.minmax{.redsem}{.scope}.aspace.comparable [a], b", "9.7.13.6"},
    {"red.incdec{.redsem}{.scope}.aspace.u32 [a], b", "9.7.13.6"},
    {"red.async{.relaxed}{.scope}{.shared::cluster}{.mbarrier::complete_tx::bytes}.redop.i32_64 "
     "[a], b, [mbar]",
     "9.7.13.7"},
    {"red.async{.relaxed}{.scope}{.shared::cluster}{.mbarrier::complete_tx::bytes}.atom_bitop.b32 "
     "[a], b, [mbar]",
     "9.7.13.7"},

    {"vote.votemode.pred d, {!}a", "9.7.13.8"},
    {"vote.ballot.b32 d, {!}a", "9.7.13.8"},
    {"vote.sync.votemode.pred d, {!}a, membermask", "9.7.13.9"},
    {"vote.sync.ballot.b32 d, {!}a, membermask", "9.7.13.9"},
    {"vote.votemode.sync.pred d, {!}a, membermask", "9.7.13.9"},
    {"vote.ballot.sync.b32 d, {!}a, membermask", "9.7.13.9"},
    {"match.any.sync.b32_64 d, a, membermask", "9.7.13.10"},
    {"match.all.sync.b32_64 d{|p}, a, membermask", "9.7.13.10"},
    {"match.sync.any.b32_64 d, a, membermask", "9.7.13.10"},
    {"match.sync.all.b32_64 d{|p}, a, membermask", "9.7.13.10"},
    {"activemask.b32 d", "9.7.13.11"},
    {"redux.sync.reduxop.i32 dst, src, membermask", "9.7.13.12"},
    {"redux.sync.atom_bitop.b32 dst, src, membermask", "9.7.13.12"},
    {"redux.sync.minmax{.abs}{.NaN}.f32 dst, src, membermask", "9.7.13.12"},
    {"griddepcontrol.grid_action", "9.7.13.13"},
    {"elect.sync d|p, membermask", "9.7.13.14"},
};
static_assert(unambiguous(rows));
static_assert(owners(rows, "vote.sync.ballot.b32") == 1 &&
              owners(rows, "vote.ballot.sync.b32") == 1);
static_assert(owners(rows, "atom.add.noftz.f16x2") == 1 &&
              owners(rows, "atom.global.cas.b64") == 1);

}  // namespace

std::span<const Form> synchronise_forms() { return rows; }

}  // namespace headroom::ptx
