// What a tree is like, and how many of its nodes an activity of each kernel touches: a body, a cell,
// or the walk of a warp.
//
//   method       precision  bodies  what                least  mean  most
//   six_kernels  single       1024  depth                              11
//   six_kernels  single       1024  touched: summarise      2   4.2     9
#include "studies/barnes_hut/tables/trial.h"

namespace barnes_hut {

namespace {

template <typename Real>
int rows(const Settings& chosen, const Bodies& bodies, study::Table& table) {
  for_each_method(chosen, bodies, table, [&](const Method& method) {
    const TreeFacts facts = begun<Real>(method, bodies, chosen.physics)->facts();
    if (facts.cells == 0) {
      table.note(method.name, "has no tree");
      return;
    }
    const auto row = [&](const std::string& what, study::Cell least, study::Cell mean,
                         study::Cell most) {
      table.row({method.name, precision_of<Real>, count(bodies.size()), what, std::move(least),
                 std::move(mean), std::move(most)});
    };
    const study::Cell& nothing = study::nothing;
    row("cells", nothing, study::number(double(facts.cells), 0), nothing);
    row("depth", nothing, nothing, study::number(facts.depth, 0));
    row("children of a cell", nothing, known(facts.children_per_cell, 2), nothing);
    for (const Touched& touched : facts.touched) {
      row("touched: " + touched.kernel, study::number(touched.least, 0),
          study::number(touched.mean, 1), study::number(touched.most, 0));
    }
  });
  return 0;
}

}  // namespace

const TableKind tree_table{"--tree",
                           {"method", "precision", "bodies", "what", "least", "mean", "most"},
                           rows<float>,
                           rows<double>};

}  // namespace barnes_hut
