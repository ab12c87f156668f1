// Axes and bars. A chart draws itself for the width that it has, and again where that changes.

const charts = new Map();  // host -> [draw, width]
function chart(label, draw) {
  const host = element("div.figure", { role: "group", "aria-label": label });
  charts.set(host, [draw, 0]);
  return host;
}
function redraw() {
  for (const [host, known] of charts) {
    if (!host.isConnected) { charts.delete(host); continue; }
    const width = Math.floor(host.clientWidth);
    if (width === known[1] || width < 40) continue;
    known[1] = width;
    host.replaceChildren(known[0](width));
  }
}
function redrawAll() {
  for (const known of charts.values()) known[1] = 0;
  redraw();
}
let waiting = 0;
addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(redraw, 80); });

function picture(width, height, label, ...content) {
  return drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, content);
}
function words(x, y, text, { anchor = "start", strong = false, ...more } = {}) {
  return drawn(strong ? "text.strong" : "text", { x, y, "text-anchor": anchor, ...more }, text);
}
function line(name, x1, y1, x2, y2) { return drawn("line." + name, { x1, y1, x2, y2 }); }

// Round steps from 0 to `most`: the least of 1, 2, 5 · 10ⁿ that takes no more than `count`.
function ticks(most, count) {
  if (!(most > 0)) return [0];
  const decade = 10 ** Math.floor(Math.log10(most / count));
  const step = [1, 2, 5, 10].map((by) => by * decade).find((each) => most / each <= count);
  const result = [];
  for (let i = 0; i * step <= most * 1.0001; ++i) result.push(i * step);
  return result;
}

const charWidth = 6.6;
function fitted(text, room) {
  const most = Math.max(3, Math.floor(room / charWidth));
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}

// Horizontal bars from 0 on one axis: {label, value, text, fill, low, high, title}.
function bars(label, axis, rows, format) {
  return chart(label, (width) => {
    const right = 76, top = 4, step = 24, bottom = 40;
    const left = Math.min(Math.max(90, ...rows.map((row) => row.label.length * charWidth + 14)), width * .42);
    const height = top + rows.length * step + bottom, room = width - left - right;
    const most = Math.max(...rows.map((row) => Math.max(row.value, row.high ?? 0))) || 1;
    const x = (value) => left + room * value / most;
    const foot = top + rows.length * step;
    const marks = ticks(most, Math.max(2, Math.floor(room / 70)));
    return picture(width, height, label,
      marks.map((value) => [line("grid", x(value), top, x(value), foot),
        words(x(value), foot + 15, format(value), { anchor: "middle" })]).flat(),
      line("axis", left, foot + .5, left + room, foot + .5),
      words(left + room / 2, foot + 33, axis, { anchor: "middle" }),
      rows.map((row, i) => {
        const y = top + i * step;
        const group = drawn("g", {},
          row.title ? drawn("title", {}, row.title) : null,
          words(left - 8, y + 16, fitted(row.label, left - 10), { anchor: "end", strong: true }),
          drawn("rect." + row.fill, { x: left, y: y + 5, width: Math.max(.5, x(row.value) - left), height: step - 10, rx: 1 }),
          row.high > row.low ? drawn("path.whisker", {
            d: `M${x(row.low)},${y + 8}v8m0,-4H${x(row.high)}m0,-4v8` }) : null,
          words(Math.max(x(row.value), x(row.high ?? 0)) + 6, y + 16, row.text, { strong: true }));
        return group;
      }));
  });
}
