// All kernels under the roofs of the machine: FLOP/s over FLOP per byte, both axes logarithmic.

const decades = (low, high) => {
  const result = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e) result.push(10 ** e);
  return result;
};
const power = (value) => {
  const e = Math.round(Math.log10(value));
  return e >= -2 && e <= 3 ? String(Number(value.toPrecision(1))) : `10${[...String(e)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("")}`;
};

const mostPoints = 500;

function roofline(choose) {
  const known = kernels.filter((k) => k.rate > 0 && k.intensity > 0).sort((a, b) => b.time - a.time);
  const points = known.slice(0, mostPoints);
  const memory = data.machine.roofs.filter((roof) => roof.memory);
  const compute = data.machine.roofs.filter((roof) => !roof.memory).sort((a, b) => b.rate - a.rate);
  if (!points.length) return { node: [element("p.note", {},
    "No kernel has floating-point operations and a known time: there is nothing to place under the roofs.")], mark() {} };
  const tops = compute.map((roof) => roof.rate);
  const ridge = memory.length && tops.length ? Math.max(...tops) / memory[0].rate : 100;
  const xs = decades(Math.min(...points.map((k) => k.intensity), .1), Math.max(...points.map((k) => k.intensity), ridge * 1.5));
  const yHigh = Math.max(...points.map((k) => k.rate), ...tops, 1e9);
  const yLow = Math.max(Math.min(...points.map((k) => k.rate)) / 2, yHigh / 1e7);
  const ys = decades(yLow, yHigh);
  let here = -1;
  const host = chart("Roofline of all kernels", (width) => {
    const left = 58, right = 14, top = 12, bottom = 46, height = Math.max(300, Math.min(440, width * .5));
    const across = width - left - right, down = height - top - bottom;
    const scale = (value, range) => Math.log(value / range[0]) / Math.log(range[range.length - 1] / range[0]);
    const x = (value) => left + across * scale(value, xs);
    const y = (value) => top + down * (1 - Math.max(0, scale(value, ys)));
    const first = xs[0], last = xs[xs.length - 1];
    const drawnRoofs = [];
    for (const roof of memory) {
      const end = Math.min(last, (Math.max(...tops, 1) || 1) / roof.rate), from = Math.max(first, ys[0] / roof.rate);
      drawnRoofs.push(drawn("path.roof", { d: `M${x(from)},${y(from * roof.rate)}L${x(end)},${y(end * roof.rate)}` }));
      const at = Math.sqrt(from * end), angle = -Math.atan2(y(from * roof.rate) - y(end * roof.rate), x(end) - x(from)) * 180 / Math.PI;
      drawnRoofs.push(words(x(at), y(at * roof.rate) - 7, `${roof.title} ${compact(roof.rate / 1e9)} GB/s`.replace(/(\d)\u202fk GB/, "$1 TB"),
        { anchor: "middle", strong: true, transform: `rotate(${angle} ${x(at)} ${y(at * roof.rate) - 7})` }));
    }
    const labels = [];
    let lastLabel = -Infinity;
    for (const roof of compute) {
      const from = memory.length ? Math.max(first, roof.rate / memory[0].rate) : first;
      if (from >= last) continue;
      drawnRoofs.push(line("roof", x(from), y(roof.rate), x(last), y(roof.rate)));
      const at = y(roof.rate) - 5;
      if (at - lastLabel < 14) continue;
      lastLabel = at;
      const text = `${roof.title} ${compact(roof.rate)}FLOP/s`, wide = text.length * charWidth;
      drawnRoofs.push(words(x(last), at, text, { anchor: "end", strong: true }));
      labels.push({ from: x(last) - wide, wide, cy: at - 4 });
    }
    const marks = points.map((k) => {
      const cx = x(k.intensity), cy = y(k.rate), r = 4 + 9 * Math.sqrt(allTime ? k.time / allTime : 0);
      const text = fitted(k.short, 150), wide = text.length * charWidth;
      const rightward = cx + r + 4 + wide < width - right, from = rightward ? cx + r + 4 : cx - r - 4 - wide;
      if (labels.length < 14 && labels.every((l) => Math.abs(l.cy - cy) > 13 || from > l.from + l.wide + 4 || from + wide + 4 < l.from))
        labels.push({ from, wide, cy, text });
      return drawn("circle.point" + (k.at === here ? ".here" : "") + (k.predicted === null ? ".floor" : ""), {
        cx, cy, r, tabindex: 0, role: "link", "data-at": k.at,
        "aria-label": `${k.short}: ${digits(k.intensity)} FLOP a byte, ${compact(k.rate)}FLOP/s`,
        onclick: () => choose(k.at), onkeydown: (event) => { if (event.key === "Enter") choose(k.at); } },
      drawn("title", {}, `${k.short}\n${digits(k.intensity)} FLOP/B, ${compact(k.rate)}FLOP/s`));
    });
    return picture(width, height, "Roofline: FLOP/s over FLOP per byte, logarithmic axes",
      xs.map((value) => [line("grid", x(value), top, x(value), top + down),
        words(x(value), top + down + 16, power(value), { anchor: "middle" })]).flat(),
      ys.map((value) => [line("grid", left, y(value), left + across, y(value)),
        words(left - 6, y(value) + 4, power(value / 1e9), { anchor: "end" })]).flat(),
      line("axis", left, top + down, left + across, top + down), line("axis", left, top, left, top + down),
      words(left + across / 2, height - 8, "arithmetic intensity, FLOP per distinct byte of device memory", { anchor: "middle" }),
      words(0, 0, "GFLOP/s", { transform: `translate(12 ${top + down / 2}) rotate(-90)`, anchor: "middle" }),
      drawnRoofs, marks, labels.filter((l) => l.text).map((l) => words(l.from, l.cy + 4, l.text, { strong: true })));
  });
  const silent = kernels.length - known.length;
  return {
    node: [host, element("p.note", {}, "A circle's area is the kernel's share of the time; hollow ones have no predicted time and stand at their largest floor. " +
      "Above the slanted line: what the kernel touches stays in the L2 cache." +
      (points.length < known.length ? ` Drawn are the ${grouped(points.length)} of ${grouped(known.length)} that take longest.` : "") +
      (silent ? ` ${grouped(silent)} without floating-point operations or a known time are not drawn.` : ""))],
    mark(at) {
      here = at;
      for (const point of host.querySelectorAll(".point")) point.classList.toggle("here", Number(point.dataset.at) === at);
    },
  };
}
