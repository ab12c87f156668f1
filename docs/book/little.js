// Two sliders on Little's curve: warps on an SM, and independent instructions of each thread. Without script the drawing stays.
//
//   <div class="little" data-latency="4" data-lanes="128" data-most="2048" data-points="[[chains, threads, % of peak], …]">drawing</div>
"use strict";

const inSvg = (name, attributes, words) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (words !== undefined) made.textContent = words;
  return made;
};

function slider(label, most, value, changed) {
  const input = Object.assign(document.createElement("input"), { type: "range", min: 1, max: most, value });
  const row = document.createElement("label"), said = document.createElement("span");
  row.append(said, input);
  const update = () => { said.textContent = label(Number(input.value)); changed(); };
  input.addEventListener("input", update);
  return { row, update, value: () => Number(input.value) };
}

function little(host) {
  const { latency, lanes, most } = Object.fromEntries(Object.entries(host.dataset).map(([key, value]) => [key, Number(value)]));
  const points = JSON.parse(host.dataset.points), needed = latency * lanes;
  const left = 46, top = 12, across = 540, down = 250, widest = 1024;
  const x = (threads) => left + across * Math.min(threads, widest) / widest, y = (share) => top + down * (1 - share / 100);
  const svg = inSvg("svg", { viewBox: `0 0 ${left + across + 20} ${top + down + 44}`, role: "img", class: "little-picture" });
  const said = document.createElement("p");

  function draw() {
    const threads = 32 * warps.value(), chains = independent.value();
    const share = 100 * Math.min(1, threads * chains / needed);
    svg.replaceChildren();
    for (let mark = 0; mark <= 100; mark += 25)
      svg.append(inSvg("line", { class: "grid", x1: left, x2: left + across, y1: y(mark), y2: y(mark) }),
        inSvg("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, mark));
    for (let mark = 0; mark <= widest; mark += 256) svg.append(inSvg("text", { x: x(mark), y: top + down + 16, "text-anchor": "middle" }, mark));
    svg.append(inSvg("text", { x: left + across / 2, y: top + down + 36, "text-anchor": "middle" }, "threads on one SM; upwards: % of the FP32 peak"));
    const knee = Math.min(widest, needed / chains);
    svg.append(inSvg("path", { class: "law", d: `M${x(0)},${y(0)}L${x(knee)},${y(100 * knee * chains / needed)}L${x(widest)},${y(Math.min(100, 100 * widest * chains / needed))}` }));
    for (const [c, t, p] of points) if (c === chains) svg.append(inSvg("circle", { class: "measured", cx: x(t), cy: y(p), r: 4 }));
    svg.append(inSvg("circle", { class: "here", cx: x(threads), cy: y(share), r: 7 }));
    const there = points.find(([c, t]) => c === chains && t === threads);
    said.textContent = `${threads} threads × ${chains} = ${threads * chains} of ${needed} in flight: the law allows ${share.toFixed(0)} % of the peak` +
      ` at ${(100 * threads / most).toFixed(0)} % occupancy` + (there ? `; measured: ${there[2]} %.` : points.some(([c]) => c === chains)
        ? "; not measured at this number of threads." : "; not measured with so many chains.");
    svg.setAttribute("aria-label", said.textContent);
  }
  const warps = slider((value) => `${value} warps on the SM (${32 * value} threads)`, widest / 32, 4, () => draw());
  const independent = slider((value) => `${value} independent multiply-adds a thread`, 8, 1, () => draw());
  host.replaceChildren(warps.row, independent.row, svg, said);
  warps.update();
  independent.update();
}

document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".little").forEach(little));
