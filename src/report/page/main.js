// Puts the parts into the page: one kernel at a time, chosen in the table, the roofline or the address: #k3 is the fourth kernel,
// #k3a17 also draws the access of its instruction 17.

const host = document.getElementById("kernel");
const parts = [];
const remember = (place) => history.replaceState(null, "", place);

function choose(at, keepsPlace = false, access = undefined) {
  const kernel = kernels[at];
  if (!kernel) return;
  const made = kernelPart(kernel, choose, (i) => remember(`#k${at}a${i}`));
  host.replaceChildren(...made.nodes.flat().filter(Boolean));
  host.hidden = false;
  made.start(access);
  for (const each of parts) each.mark(at);
  redraw();
  remember("#k" + at + (access === undefined ? "" : "a" + access));
  if (!keepsPlace) host.scrollIntoView({ block: "start" });
}
function asked() {
  const found = /^#k(\d+)(?:a(\d+))?$/.exec(location.hash);
  if (!found || !kernels[Number(found[1])]) return null;
  return [Number(found[1]), false, found[2] === undefined ? undefined : Number(found[2])];
}

if (kernels.length) {
  const all = kernelTable(choose), roof = roofline(choose);
  document.getElementById("table").replaceChildren(...all.node.filter(Boolean));
  document.getElementById("roofline").replaceChildren(...roof.node);
  parts.push(all, roof);
  if (asked()) {
    choose(...asked());
  } else {
    choose(0, true);
    remember(location.pathname + location.search);
  }
}
redraw();
document.documentElement.dataset.drawn = String(Math.round(performance.now()));  // ms since the page was asked for
addEventListener("hashchange", () => { if (asked()) choose(...asked()); });
// Paper has another width: the drawings are made for it, then for the window again.
addEventListener("beforeprint", redrawAll);
addEventListener("afterprint", redrawAll);
