// The kernel's source, warmer where its warps are more; behind each line its machine instructions.

const instructionsAtOnce = 400;

function sourcePart(kernel, seeAccess) {
  const source = kernel.detail.source, stalled = kernel.detail.stalled ?? [];
  if (!source) return stalledPart(kernel, stalled);
  const names = source.counts.split(" "), at = (name) => names.indexOf(name);
  const count = (counts, name) => counts[at(name)] ?? 0;
  const predicted = source.lines.some((row) => row[7]);
  const columns = [
    ["instr.", "of all that the kernel's warps executed", (counts) => (count(counts, "executed") ? compact(count(counts, "executed")) : "")],
    ["lanes", "active in a warp, the mean", (counts) => (count(counts, "executed") ? digits(count(counts, "threads") / count(counts, "executed")) : "")],
    ["sectors\n/ request", "of global and local memory", (counts) => (count(counts, "requests") ? digits(count(counts, "sectors") / count(counts, "requests")) : "")],
    ["passes\n/ access", "wavefronts of shared memory", (counts) => (count(counts, "shared_requests") && count(counts, "wavefronts")
      ? digits(count(counts, "wavefronts") / count(counts, "shared_requests")) : "")],
  ].filter(([, , cell]) => source.lines.some((row) => cell(row[5])));
  const width = (predicted ? 5 : 3) + columns.length;
  const body = element("tbody");
  let file = -1, last = 0;
  for (const row of source.lines) {
    const [of, number, text, part, , counts, instructions] = row;
    if (of !== file) {
      file = of;
      body.append(element("tr.file", {}, element("td", { colspan: width }, of === null ? "no source line" : source.files[of])));
    } else if (of !== null && number > last + 1 && last) {
      body.append(element("tr", { "aria-hidden": "true" }, element("td.number", {}, "⋮"), element("td", { colspan: width - 1 })));
    }
    last = number;
    const example = instructions.find((i) => source.accesses[i]);
    const tr = element("tr.line", {},
      element("td.number", {}, element("button", { type: "button", "aria-expanded": "false", title: "show machine instructions",
        onclick: (event) => { event.stopPropagation(); toggle(); } }, of === null ? "–" : number)),
      element("td", { style: `background:rgb(var(--heat) / ${(.75 * Math.sqrt(part)).toFixed(3)})` }, part >= .0005 ? percent(part) : ""),
      waitCells(row[7]),
      columns.map(([, , cell], i) => element("td" + (i < 2 ? ".wide" : ""), {}, (i > 1 || columns.length < 3) && example !== undefined && cell(counts)
        ? element("button.see", { type: "button", title: "draw this access", onclick: (event) => { event.stopPropagation(); seeAccess(dearest(instructions)); } }, cell(counts))
        : cell(counts))),
      element("td.text", { title: text }, text || ""));
    let shown = [];
    const toggle = () => {
      const open = shown.length === 0;
      tr.querySelector("button").setAttribute("aria-expanded", String(open));
      for (const each of shown) each.remove();
      shown = open ? instructions.slice(0, instructionsAtOnce).map((i) => {
        const [address, words, its, waits] = source.code[i];
        return element("tr.machine", {}, element("td.number", {}, "0x" + address.toString(16).padStart(4, "0")), element("td"), waitCells(waits),
          columns.map(([, , cell], n) => element("td" + (n < 2 ? ".wide" : ""), {}, source.accesses[i] && n > 1 && cell(its)
            ? element("button.see", { type: "button", title: "draw this access", onclick: () => seeAccess(i) }, cell(its)) : cell(its))),
          element("td.text", { title: words }, words));
      }) : [];
      tr.after(...shown);
    };
    tr.addEventListener("click", toggle);
    body.append(tr);
  }
  function waitCells(waits) {
    if (!predicted) return [];
    const told = waits && waits[0] >= .0005;
    return [element("td", told ? { style: `background:rgb(var(--heat) / ${(.75 * Math.sqrt(waits[0])).toFixed(3)})`, title: `mostly ${waits[1]}` } : {},
      told ? percent(waits[0]) : ""), element("td.wide.left", {}, told ? waits[1] : "")];
  }
  function dearest(instructions) {
    const cost = (i) => (source.accesses[i].space === "shared" ? source.accesses[i].wavefronts : source.accesses[i].sectors);
    return instructions.filter((i) => source.accesses[i]).sort((a, b) => cost(b) - cost(a))[0];
  }
  const head = (title, why, className = "") => element("th" + className, { scope: "col", title: why },
    title.split("\n").flatMap((text, n) => (n ? [element("br"), text] : [text])));
  const unknown = source.lines.every((row) => row[0] === null);
  return part("Source", source.launches > 1 ? `machine instructions by line, summed over ${grouped(source.launches)} launches` : "machine instructions by line",
    element("div.scroll", {}, element("table.source", {}, element("thead", {}, element("tr", {},
      head("line", "a line opens to its machine instructions"), head("executed", "share of all warp instructions"),
      predicted ? [head("stalls", "share of the cycles in which warps wait, as predicted"), head("most", "what they wait for there most", ".wide.left")] : [],
      columns.map(([title, why], i) => head(title, why, i < 2 ? ".wide" : "")), head("", "", ".left"))), body)),
    unknown ? element("p.note", {}, "The code does not tell source lines: compile the program with -lineinfo.") : null,
    source.unread.map((path) => element("p.note", {}, `${path} could not be read: its lines stand without their text.`)));
}

// Without counts by instruction: where warps spend their time, by the model.
function stalledPart(kernel, stalled) {
  const why = kernel["by PTX"] ? "Its PTX ran: counts by source line are of machine code." : "The program was run without counts by source line.";
  if (!stalled.length) return null;
  return part("Source lines", "where warps spend their time, by the model",
    table([["line", "left", (row) => `${baseName(row[0])}:${row[1]}`], ["share", "", (row) => percent(row[2])], ["mostly", "left", (row) => row[3]]], stalled),
    element("p.note", {}, why));
}
