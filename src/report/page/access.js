// One access of a warp as it was: its lanes, and the sectors of memory or the banks that they meet.

function lanesOf(access) {
  const result = [];
  for (let lane = 0; lane < 32; ++lane)
    if (access.lanes >>> lane & 1) result.push([lane, access.first + access.offsets[result.length]]);
  return result;
}

// Sectors in order of their address: {at, bytes: those that are used}.
function sectorsOf(access) {
  const used = new Map();
  for (const [, address] of lanesOf(access))
    for (let i = 0; i < access.bytes; ++i) {
      const sector = Math.floor((address + i) / 32);
      if (!used.has(sector)) used.set(sector, new Set());
      used.get(sector).add(address + i);
    }
  return [...used].sort((a, b) => a[0] - b[0]).map(([at, which]) => ({ at, used: which.size }));
}

function globalPicture(access) {
  const lanes = lanesOf(access), sectors = sectorsOf(access);
  const used = sectors.reduce((sum, each) => sum + each.used, 0), fetched = 32 * sectors.length;
  const said = `${lanes.length} lanes, ${access.bytes} bytes each, touch ${sectors.length} ${sectors.length === 1 ? "sector" : "sectors"} of 32 bytes: ` +
    `${grouped(used)} of ${grouped(fetched)} bytes are used (${percent(used / fetched)})`;
  const host = chart(said, (width) => {
    const left = 1, room = width - 2, laneHeight = 18, gap = 74, sectorHeight = 26, top = 20, height = top + laneHeight + gap + sectorHeight + 40;
    const laneWidth = room / 32;
    // A gap where the next sector is no neighbour.
    const breaks = sectors.filter((each, i) => i && each.at !== sectors[i - 1].at + 1).length;
    const space = breaks ? Math.min(10, room * .3 / breaks) : 0, wide = Math.min(64, (room - breaks * space) / sectors.length);
    const total = wide * sectors.length + breaks * space, begin = left + (room - total) / 2;
    const places = new Map();
    let x = begin;
    sectors.forEach((each, i) => {
      if (i && each.at !== sectors[i - 1].at + 1) x += space;
      places.set(each.at, x);
      x += wide;
    });
    const laneY = top, sectorY = top + laneHeight + gap;
    const taking = new Set(lanes.map(([lane]) => lane));
    const small = laneWidth < 15;
    return picture(width, height, said,
      words(left, 12, "lanes"),
      Array.from({ length: 32 }, (_, lane) => [
        drawn("rect.cell." + (taking.has(lane) ? "blue" : "empty"), { x: left + lane * laneWidth, y: laneY, width: laneWidth, height: laneHeight },
          drawn("title", {}, `lane ${lane}`)),
        !small || lane % 4 === 0 ? drawn("text." + (taking.has(lane) ? "inside" : "outside"), {
          x: left + (lane + .5) * laneWidth, y: laneY + 13, "text-anchor": "middle" }, lane) : null]).flat(),
      lanes.map(([lane, address]) => {
        const sector = Math.floor(address / 32), from = left + (lane + .5) * laneWidth;
        const to = places.get(sector) + wide * ((address - sector * 32 + access.bytes / 2) / 32 > 1 ? 1 : (address - sector * 32 + access.bytes / 2) / 32);
        const y1 = laneY + laneHeight, y2 = sectorY;
        return drawn("path.thread", { d: `M${from},${y1}C${from},${y1 + gap / 2} ${to},${y2 - gap / 2} ${to},${y2}` });
      }),
      sectors.map((each) => {
        const at = places.get(each.at), full = sectorHeight * each.used / 32;
        return [drawn("rect.empty.cell", { x: at, y: sectorY, width: wide, height: sectorHeight },
          drawn("title", {}, `${each.used} of 32 bytes used`)),
        drawn("rect.sky", { x: at + .5, y: sectorY + sectorHeight - full, width: Math.max(.5, wide - 1), height: full, "pointer-events": "none" })];
      }).flat(),
      sectors.filter((each, i) => !i || Math.floor(each.at / 4) !== Math.floor(sectors[i - 1].at / 4)).map((each) =>
        line("axis", places.get(each.at), sectorY - 4, places.get(each.at), sectorY + sectorHeight + 4)),
      words(left, sectorY + sectorHeight + 20, "sectors, filled as far as their bytes are used; a tick begins a line of 128 bytes"));
  });
  return [element("p", {}, said + "."), host];
}

// By bank its distinct words, in order of their address: {word, lanes}.
function banksOf(access) {
  const count = data.machine.banks, banks = Array.from({ length: count }, () => new Map());
  for (const [lane, address] of lanesOf(access))
    for (let word = Math.floor(address / 4); word <= Math.floor((address + access.bytes - 1) / 4); ++word) {
      const bank = banks[((word % count) + count) % count];
      if (!bank.has(word)) bank.set(word, []);
      bank.get(word).push(lane);
    }
  return banks.map((bank) => [...bank].sort((a, b) => a[0] - b[0]).map(([word, lanes]) => ({ word, lanes })));
}

function sharedPicture(access) {
  const banks = banksOf(access), tallest = Math.max(...banks.map((bank) => bank.length)), lanes = lanesOf(access);
  const busy = banks.filter((bank) => bank.length).length;
  const said = `${lanes.length} lanes, ${access.bytes} bytes each, meet ${busy} of ${banks.length} banks; the busiest has ${tallest} different ${tallest === 1 ? "word" : "words"}` +
    (access.use === "atomic" ? ": how many passes an atomic takes is not known"
      : `: ${access.wavefronts} ${access.wavefronts === 1 ? "pass" : "passes"}, ${access.conflicts} of them for conflicts`);
  const host = chart(said, (width) => {
    const left = 1, cell = (width - 2) / banks.length, tall = Math.min(18, Math.max(8, 340 / tallest)), top = 20, foot = top + tall * tallest;
    return picture(width, foot + 42, said,
      words(left, 12, "words of each bank, one above the other, with the lanes that ask for them"),
      banks.map((bank, b) => Array.from({ length: tallest }, (_, row) => {
        const each = bank[row], x = left + b * cell, y = foot - (row + 1) * tall;
        const many = each && (each.lanes.length > 1 ? `${each.lanes.length}×` : String(each.lanes[0]));
        return [drawn("rect.cell." + (!each ? "empty" : row ? "orange" : "blue"), { x, y, width: cell, height: tall, "fill-opacity": each ? 1 : .45 },
          each ? drawn("title", {}, `bank ${b}, word ${each.word}: lanes ${each.lanes.join(", ")}`) : null),
        each && cell >= 17 && tall >= 11 ? drawn("text.inside", { x: x + cell / 2, y: y + tall / 2 + 4, "text-anchor": "middle" }, many) : null];
      }).flat()).flat(),
      banks.map((_, b) => (b % 4 === 0 || b === banks.length - 1 ? words(left + (b + .5) * cell, foot + 15, b, { anchor: "middle" }) : null)),
      words(left + cell * banks.length / 2, foot + 34, "bank", { anchor: "middle" }));
  });
  const wide = access.bytes > 4 && access.use !== "atomic"
    ? element("p.note", {}, "Lanes that ask for more than 4 bytes are served in groups, so that several words of a bank need not be a conflict.") : null;
  return [element("p", {}, said + "."), host, wide];
}

// The picture, and the choice of the instruction that it is of.
function accessPart(kernel, chose) {
  const source = kernel.detail.source;
  const all = Object.entries(source?.accesses ?? {}).map(([i, access]) => ({ i: Number(i), access }));
  if (!all.length) return { node: null, show() {} };
  const lineOf = new Map();
  for (const row of source.lines) for (const i of row[6]) lineOf.set(i, row);
  const place = (i) => {
    const row = lineOf.get(i);
    return row && row[0] !== null ? `${baseName(source.files[row[0]])}:${row[1]}` : "no source line";
  };
  const excess = ({ access }) => (access.space === "shared" ? access.conflicts
    : access.sectors - Math.ceil(lanesOf(access).length * access.bytes / 32));
  all.sort((a, b) => excess(b) - excess(a) || a.i - b.i);
  const shown = element("div");
  const choice = element("select", { "aria-label": "access to draw", onchange: () => { draw(Number(choice.value)); chose(choice.value); } },
    all.map(({ i, access }) => element("option", { value: i },
      `${place(i)}  ${access.space} ${access.use}, ${access.space === "shared"
        ? (access.use === "atomic" ? "atomic" : `${access.wavefronts} ${access.wavefronts === 1 ? "pass" : "passes"}`)
        : `${access.sectors} ${access.sectors === 1 ? "sector" : "sectors"}`}   ${source.code[i][1]}`)));
  function draw(i) {
    const access = source.accesses[i];
    choice.value = String(i);
    shown.replaceChildren(...(access.space === "shared" ? sharedPicture(access) : globalPicture(access)).filter(Boolean),
      element("p.note", {}, `Warp ${access.warp} of block ${grouped(access.block)}: of all times that the instruction ran, the first that cost most.`));
    redraw();
  }
  const node = part("One access", "what the lanes of a warp asked for", element("div.controls", {}, choice), shown);
  return {
    node,
    start: (i) => draw(source.accesses[i] ? i : all[0].i),
    show(i) { draw(i); chose(i); node.scrollIntoView({ block: "nearest" }); },
  };
}
