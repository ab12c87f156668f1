// All kernels of the run: a table to sort, filter and choose from.

const rowsAtOnce = 100;
const meter = (share) => element("span.meter", { "aria-hidden": "true" }, element("i", { style: `width:${100 * share}%` }));
const timeCell = (seconds, estimated) => (seconds === null ? "–" : (estimated ? "~" : "") + micro(seconds));
const span = ([from, to]) => `${micro(from)} … ${micro(to)} µs`;
const isWide = (range) => range !== null && range[1] > 2 * range[0];
// ≤: the longest of unlike launches; ?: what is not known of it makes more than twice of it.
const predictedCell = (k) => element("span", { title: [k.unlike ? `the longest of launches of ${span(k.unlike)}` : "",
  isWide(k.range) ? `by what L2 holds before and by unlike blocks: ${span(k.range)}` : ""].filter(Boolean).join("; ") || null },
(k.unlike ? "≤ " : "") + timeCell(k.predicted, k["by PTX"]) + (isWide(k.range) ? "?" : ""));
const size = (dim) => dim[0] * dim[1] * dim[2];

// [title, key to sort by, cell, class of the column]
const tableColumns = [
  ["kernel", (k) => k.short, (k) => element("a", { href: "#k" + k.at, title: k.signature }, k.short), "left"],
  ["launches", (k) => k.launches, (k) => grouped(k.launches)],
  ["grid × block", (k) => size(k.grid) * size(k.block), (k) => `${shape(k.grid)} × ${shape(k.block)}`, "left wide"],
  ["registers", (k) => k.registers ?? -1, (k) => k.registers ?? "?", "wide"],
  ["occupancy", (k) => k.occupancy ?? -1, (k) => (k.occupancy === null ? "–" : percent(k.occupancy))],
  ["largest floor\nµs", (k) => k.floor ?? -1, (k) => timeCell(k.floor, k["by PTX"])],
  ["predicted\nµs", (k) => k.predicted ?? -1, predictedCell],
  ["all launches\nµs", (k) => k.time, (k) => timeCell(k.time, k["by PTX"])],
  ["share", (k) => k.time, (k) => (allTime ? [percent(k.time / allTime), meter(k.time / allTime)] : "–")],
  ["bound by,\nor waits for", (k) => k["bound by"], (k) => k["bound by"], "left"],
];

function kernelTable(choose) {
  const state = { by: 7, down: true, wanted: "", shown: rowsAtOnce };
  const body = element("tbody"), more = element("button.more", { type: "button" }), count = element("span.soft");
  const heads = tableColumns.map(([title, , , classes], i) => element("th", { scope: "col", class: classes },
    element("button", { type: "button", onclick: () => {
      state.down = state.by === i ? !state.down : typeof tableColumns[i][1](kernels[0]) === "number";
      state.by = i;
      show();
    } }, title.split("\n").flatMap((text, n) => (n ? [element("br"), text] : [text])))));
  let here = -1;
  function show() {
    const key = tableColumns[state.by][1], sign = state.down ? -1 : 1;
    const matching = kernels.filter((k) => k.signature.toLowerCase().includes(state.wanted));
    matching.sort((a, b) => {
      const x = key(a), y = key(b);
      return sign * (x < y ? -1 : x > y ? 1 : 0) || a.at - b.at;
    });
    heads.forEach((head, i) => (i === state.by
      ? head.setAttribute("aria-sort", state.down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    body.replaceChildren(...matching.slice(0, state.shown).map((kernel) => element("tr",
      { class: kernel.at === here ? "here" : null, "data-at": kernel.at, onclick: () => choose(kernel.at) },
      tableColumns.map(([, , cell, classes]) => element("td", { class: classes }, cell(kernel))))));
    more.hidden = matching.length <= state.shown;
    more.textContent = `show all ${grouped(matching.length)}`;
    count.textContent = matching.length === kernels.length ? "" : `${grouped(matching.length)} of ${grouped(kernels.length)}`;
  }
  more.addEventListener("click", () => { state.shown = Infinity; show(); });
  const filter = element("input", { type: "search", placeholder: "filter by name", "aria-label": "filter kernels by name",
    oninput: (event) => { state.wanted = event.target.value.toLowerCase(); show(); } });
  show();
  return {
    node: [kernels.length > 8 ? element("div.controls", {}, filter, count) : null,
      element("div.scroll", {}, element("table.kernels", {}, element("thead", {}, element("tr", {}, heads)), body)), more],
    mark(at) {
      here = at;
      for (const row of body.children) row.classList.toggle("here", Number(row.dataset.at) === at);
    },
  };
}
