// What all parts of the page use: the data, elements, and numbers as a report writes them.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const kernels = data.kernels.map((row, at) => {
  const kernel = { at, detail: data.details[at] };
  data.columns.forEach((column, i) => { kernel[column] = row[i]; });
  kernel.short = data.short[kernel.name];
  kernel.signature = data.names[kernel.name];
  kernel.time = kernel["all predicted"] ?? kernel["all floors"] ?? 0;
  return kernel;
});
const allTime = kernels.reduce((sum, kernel) => sum + kernel.time, 0);

// element("td.left", {title: "…"}, "text", child, …)
function element(what, attributes, ...children) {
  const [name, ...classes] = what.split(".");
  return fill(document.createElement(name), classes, attributes, children);
}
function drawn(what, attributes, ...children) {
  const [name, ...classes] = what.split(".");
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), classes, attributes, children);
}
function fill(made, classes, attributes, children) {
  if (classes.length) made.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) made.append(child);
  return made;
}

// Three digits, groups of three with a thin space.
const thin = "\u202f";
function digits(value) {
  if (value === 0) return "0";
  const whole = Math.abs(value);
  if (whole >= 99.95) return grouped(Math.round(value));
  const text = value.toPrecision(3);
  return text.includes("e") ? String(Number(text)) : text;
}
function grouped(value) {
  const text = String(Math.round(value));
  return text.length <= 4 ? text : text.replace(/\B(?=(\d{3})+$)/g, thin);
}
function compact(value) {
  const prefixes = ["", "k", "M", "G", "T", "P"];
  let at = 0;
  while (Math.abs(value) >= 999.5 && at + 1 < prefixes.length) { value /= 1000; ++at; }
  return at ? `${Number(value.toPrecision(3))}${thin}${prefixes[at]}` : String(Number(value.toPrecision(3)));
}
function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  while (value >= 1024 && at + 1 < units.length) { value /= 1024; ++at; }
  return `${Number(value.toPrecision(3))} ${units[at]}`;
}
const micro = (seconds) => digits(seconds * 1e6);
const percent = (share) => (share > 0 && share < .0005 ? "< 0.1 %" : `${100 * share < 9.95 ? (share ? (100 * share).toFixed(1) : 0) : Math.round(100 * share)} %`);
const shape = (dim) => (dim[1] === 1 && dim[2] === 1 ? grouped(dim[0]) : `(${dim.join(",")})`);
const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);

// [head, left, cell][] over rows.
function table(columns, rows, className = "") {
  return element("div.scroll", {}, element("table" + className, {},
    element("thead", {}, element("tr", {}, columns.map(([head, left]) =>
      element(left ? "th.left" : "th", { scope: "col" }, head)))),
    element("tbody", {}, rows.map((row) => element("tr", {}, columns.map(([, left, cell]) =>
      element(left ? "td.left" + (left === "wrap" ? ".wrap" : "") : "td", {}, cell(row))))))));
}

function part(title, small, ...content) {
  return element("div.part", {}, element("h3", {}, title, small ? element("small", {}, small) : null), content);
}
