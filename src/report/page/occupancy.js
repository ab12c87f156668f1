// How full an SM is as one thing changes: steps, and where the kernel stands.

function occupancyCurve(curve) {
  const most = data.machine.warps, inKiB = curve.unit === "B";
  const shown = (value) => (inKiB ? digits(value / 1024) : grouped(value));
  const label = `Resident warps of an SM over ${curve.over}`;
  return chart(label, (width) => {
    const left = 40, right = 12, top = 14, bottom = 42, height = 190;
    const across = width - left - right, down = height - top - bottom;
    const x = (value) => left + across * value / curve.last, y = (warps) => top + down * (1 - warps / most);
    let path = "";
    curve.steps.forEach(([from, , warps], i) => {
      const to = curve.steps[i + 1]?.[0] ?? curve.last;
      path += `${i ? "V" : `M${x(from)},`}${y(warps)}H${x(to)}`;
    });
    const at = curve.here === null ? null : curve.steps.findLast(([from]) => from <= curve.here);
    const scale = inKiB ? 1024 : 1;
    const marks = ticks(curve.last / scale, Math.max(2, Math.floor(across / 56))).map((value) => value * scale);
    return picture(width, height, label,
      [0, .25, .5, .75, 1].map((share) => [line("grid", left, y(share * most), left + across, y(share * most)),
        words(left - 6, y(share * most) + 4, grouped(share * most), { anchor: "end" })]).flat(),
      marks.map((value) => words(x(value), top + down + 16, shown(value), { anchor: "middle" })),
      line("axis", left, top + down, left + across, top + down),
      words(left + across / 2, height - 8, curve.over + (inKiB ? ", KiB" : ""), { anchor: "middle" }),
      words(left - 6, 4, "warps", { anchor: "end" }),
      drawn("path.curve", { d: path }),
      at ? [line("guide", x(curve.here), top, x(curve.here), top + down),
        drawn("circle.orange", { cx: x(curve.here), cy: y(at[2]), r: 4.5 }),
        words(x(curve.here) + (x(curve.here) > left + across * .6 ? -7 : 7), at[2] < .35 * most ? top + 12 : top + down - 8,
          `${shown(curve.here)}: ${at[2]} warps`,
          { anchor: x(curve.here) > left + across * .6 ? "end" : "start", strong: true })] : []);
  });
}

function occupancyPart(kernel) {
  const detail = kernel.detail;
  const said = detail.impossible ? detail.impossible
    : `${detail.blocks} ${detail.blocks === 1 ? "block" : "blocks"}, ${detail.warps} of ${data.machine.warps} warps an SM; limited by ${kernel["limited by"]}`;
  return part("Occupancy", said,
    (detail["on occupancy"] ?? []).map((answer) => element("p", {}, answer)),
    element("div.columns.three", {}, data.curves[detail.curves].map(occupancyCurve)),
    element("details", {}, element("summary", {}, "what each resource allows"),
      table([["resource", "left", (row) => row[0]], ["blocks an SM", "", (row) => row[1] ?? "–"],
        ["by", "left", (row) => row[2]], ["one more block with", "left", (row) => (row[3] ? `${row[3]}: ${row[4]} blocks` : "")]],
      detail.limits)));
}
