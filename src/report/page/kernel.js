// All about one kernel.

// A range says what makes it; one whose ends print alike is none.
const spread = ({ low, high }) => (micro(low) === micro(high) ? "the same whatever L2 holds before"
  : `the line spans ${micro(low)} … ${micro(high)} µs, by what L2 holds before and by unlike blocks`) + ", the model's own error aside";

function timePart(kernel) {
  const detail = kernel.detail, prediction = detail.prediction;
  const rows = detail.floors.filter(([, seconds]) => seconds > 0).map(([title, seconds, estimated, certain, equation], i) => ({
    label: (i === detail.limiter ? "→ " : "") + title, value: seconds, text: (estimated ? "~" : "") + micro(seconds),
    fill: certain ? (i === detail.limiter ? "orange" : "sky") : "outline", title: equation }));
  if (prediction) rows.unshift({ label: "predicted", value: prediction.seconds, text: (kernel["by PTX"] ? "~" : "") + micro(prediction.seconds),
    low: prediction.low, high: prediction.high, fill: "blue", title: prediction.basis });
  if (!rows.length) return part("Time", "", element("p.note", {}, "No floor is known."));
  const zero = detail.floors.filter(([, seconds]) => seconds === 0).map(([title]) => title);
  return part("Time of a launch", "predicted, and the least that each resource needs",
    bars("Predicted time and floors of a launch", "µs", rows, (seconds) => digits(seconds * 1e6)),
    element("details", {}, element("summary", {}, "how each is computed"), element("ul", {},
      prediction ? element("li", {}, `predicted: by a model of one SM: ${prediction.basis}; ${spread(prediction)}`) : null,
      detail.floors.map(([title, , estimated, certain, equation]) => element("li", {},
        `${title}: ${equation}${estimated ? " (estimate from PTX)" : ""}`)))),
    element("p.note", {}, "→ the largest floor. Outlined: holds only under the condition that its equation names." +
      (rows.some((row) => row.text.startsWith("~")) ? " ~ an estimate from PTX." : "") +
      (zero.length ? ` Nothing to do for ${zero.join(", ")}.` : "") +
      (detail.unknown.length ? ` No floor for ${detail.unknown.join(", ")}: the machine's fact is not known.` : "")));
}

function waitPart(kernel) {
  const waits = kernel.detail.waits;
  if (!waits) return part("What warps wait for", "", element("p.note", {}, "No time was predicted of this kernel."));
  const rows = waits.slice(0, 8).map(([title, meaning, cycles, share]) => ({
    label: title, value: share, text: percent(share), fill: "blue", title: `${meaning}: ${digits(cycles)} cycles an instruction` }));
  const p = kernel.detail.prediction;
  return part("What warps wait for", `${digits(p.ipc)} instructions a cycle on an SM`,
    bars("Shares of a warp's time", "share of a warp's time", rows, percent),
    element("details", {}, element("summary", {}, "what the words mean"), element("ul", {},
      waits.map(([title, meaning, cycles, , name]) => element("li", {}, `${title} (${name}): a warp ${meaning}; ${digits(cycles)} cycles for each instruction`)))),
    p["in flight"] > 0 ? element("p.note", {}, `Global loads in flight on an SM: ${bytes(p["in flight"])}; its share of DRAM's bandwidth needs ${bytes(p.needed)}.`) : null,
    p["needed warps"] > 0 && p.warps > 0 ? element("p.note", {}, `${Math.ceil(p["needed warps"])} warps would fill the issue slots of an SM, ${p.warps} are resident.`) : null);
}

function advicePart(kernel) {
  const advice = kernel.detail.advice;
  if (!advice) return null;
  return part("Advice", "what the model saves without each obstacle, alone",
    advice.length ? element("ul.advice", {}, advice.map(([gain, what, next, file, number]) => element("li", {},
      element("span.gain", {}, `−${micro(gain)} µs`),
      element("span", {}, what, file ? [" ", element("span.place", {}, `${baseName(file)}:${number}`)] : [], element("span.next.soft", {}, next)))))
      : element("p", {}, kernel.detail.nothing));
}

function memoryPart(kernel) {
  const { memory, shared } = kernel.detail;
  if (!memory.length && !shared.length) return null;
  return part("Memory", "32-byte sectors between L1 and L2; passes through the banks of shared memory",
    memory.length ? table([["", "left", (row) => row[0]], ["requests", "", (row) => grouped(row[1])], ["sectors", "", (row) => grouped(row[2])],
      ["sectors / request", "", (row) => digits(row[3])], ["ideal", "", (row) => (row[4] === null ? "–" : digits(row[4]))],
      ["bytes used", "", (row) => (row[5] === null ? "–" : percent(row[5]))]], memory) : null,
    shared.length ? table([["shared memory", "left", (row) => row[0]], ["instructions", "", (row) => grouped(row[1])],
      ["passes", "", (row) => (row[2] === null ? "not known" : grouped(row[2]))], ["for conflicts", "", (row) => (row[3] === null ? "not known" : grouped(row[3]))]], shared) : null);
}

function mixPart(kernel) {
  const mix = kernel.detail.mix, all = mix.reduce((sum, [, count]) => sum + count, 0);
  if (!all) return null;
  const rows = [...mix].sort((a, b) => b[1] - a[1]).map(([title, count]) => ({
    label: title, value: count / all, text: percent(count / all), fill: "sky", title: `${grouped(count)} warp instructions` }));
  return part("Instructions", `${compact(all)} ${kernel["by PTX"] ? "of PTX" : "of machine code"}, a warp at a time; ${digits(kernel.detail.lanes)} of 32 lanes active`,
    bars("Kinds of instructions", "share of warp instructions", rows, percent));
}

function facts(kernel) {
  const d = kernel.detail, all = [`${grouped(kernel.launches)} ${kernel.launches === 1 ? "launch" : "launches"}`,
    `grid ${shape(kernel.grid)} × block ${shape(kernel.block)}`];
  if (d.cluster) all.push(`clusters of ${shape(d.cluster)}`);
  all.push(`${kernel["by PTX"] ? "PTX" : "machine code"} of ${d.image || "?"}`, `${kernel.registers ?? "?"} registers a thread`,
    `shared memory ${d["static shared"] ?? "?"} B static + ${grouped(d["dynamic shared"])} B dynamic`);
  all.push(d["spill stores"] === null ? "spills not known" : d["spill stores"] + d["spill loads"] ? `spills ${d["spill stores"]} B stored, ${d["spill loads"]} B loaded` : "no spills");
  if (d.state !== "ran") all.push(d.state.replaceAll("_", " "));
  return all.join(" · ");
}

function kernelPart(kernel, choose, chose) {
  const step = (by, text) => element("button", { type: "button", onclick: () => choose(kernel.at + by, true),
    disabled: kernels[kernel.at + by] ? null : "" }, text);
  const head = [element("div.controls", {}, step(-1, "← before"), step(1, "next →"),
    element("span.soft", {}, `kernel ${grouped(kernel.at + 1)} of ${grouped(kernels.length)}, by time`)),
  element("h2", { tabindex: -1 }, kernel.signature)];
  if (!kernel.detail) return { nodes: [head, element("p", {}, `This page keeps the details of the ${grouped(data.details.length)} kernels that take longest. ` +
    "Those of others: headroom run --kernel REGEX.")], start() {} };
  const access = accessPart(kernel, chose);
  const caveats = kernel.detail.caveats;
  return {
    nodes: [head, element("p.soft", {}, facts(kernel)),
      advicePart(kernel),
      element("div.columns", {}, timePart(kernel), waitPart(kernel)),
      occupancyPart(kernel),
      element("div.columns", {}, memoryPart(kernel), mixPart(kernel)),
      sourcePart(kernel, (i) => access.show(i)),
      access.node,
      caveats.length ? part("Caveats", "", element("ul", {}, caveats.map(({ what, cause, advice }) =>
        element("li", {}, what, cause || advice ? element("span.soft", {}, [cause, advice].filter(Boolean).map((each) => "; " + each).join("")) : null)))) : null],
    start(i) { access.start?.(i); },
  };
}
