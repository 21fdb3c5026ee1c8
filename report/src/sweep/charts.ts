// Charts of a sweep: each is drawn for a width, from the rows of one group.
import {max, min} from "d3-array";
import {axisBottom, axisLeft} from "d3-axis";
import {scaleLinear, scaleLog} from "d3-scale";
import {select} from "d3-selection";
import {line} from "d3-shape";

import {html, svg} from "../dom";
import {hoursText, usd} from "../format";
import {axes, Axis, clipped, Drawing, frame, Item, padded, upright} from "../plot";
import {Note} from "../tip";

import {hours, Row, short} from "./data";
import {optima} from "./optimum";

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999"];

const MOST_IN_BOXES = 60;    // variants
const MOST_ELEMENTS = 1500;  // of a scatter
const COST = "cost_usd", TIME = "makespan_h";

export class Colours {
  constructor(readonly key: string|undefined, readonly values: string[]) {}
  of(row: Row): string {
    return this.key ? COLOURS[this.values.indexOf(row.text(this.key)) % COLOURS.length] :
                      COLOURS[0];
  }
}

export function noteOf(row: Row): Note {
  const plusMinus = (column: string) => {
    const width = row.number(`${column}_ci95`);
    return width === undefined ? "" : ` ± ${short(width)}`;
  };
  const text = [
    `cost ${usd(row.number(`${COST}_mean`) ?? 0)}${plusMinus(COST)}`,
    `done in ${short(row.number(`${TIME}_mean`) ?? 0)} h${plusMinus(TIME)}`,
    `${row.text("n")} runs, rank ${row.text("rank") || "none"}`,
  ];
  const late = row.number("late_share");
  if (late !== undefined) text.push(`late: ${(100 * late).toFixed(1)} %`);
  if (row.command) text.push("click or press Enter to see the command that replays its first run");
  return {title: row.label, text, lines: [], command: row.command};
}

// Cost against completion time. A line joins the frontier: variants for which no other is both
// cheaper and faster. Thousands of variants are a bitmap below the axes, except those of the
// frontier.
export function scatter(rows: Row[], colours: Colours, width: number): Drawing {
  const height = 380, left = 62, bottom = height - 40;
  const shown = rows.filter(row => row.number(`${TIME}_mean`) !== undefined);
  const at = (row: Row, column: string) => row.number(`${column}_mean`)!;
  const reach = (column: string) => padded(shown.flatMap(row => {
    const half = row.number(`${column}_ci95`) ?? 0;
    return [at(row, column) - half, at(row, column) + half];
  }));
  const x = scaleLinear<number, number>().domain(reach(TIME)).range([left, width - 14]);
  const y = scaleLinear<number, number>().domain(reach(COST)).range([bottom, 20]);
  const element = frame(width, height, `cost against completion time of ${shown.length} variants`);
  axes(
      element, axisBottom(x).ticks(width / 90), axisLeft(y).ticks(6), {left, bottom},
      ["completion time, hours", "cost, dollars"]);
  const isFront = (row: Row) => row.number("pareto") === 1;
  const front = shown.filter(isFront).sort((a, b) => at(a, TIME) - at(b, TIME));
  const path = line<Row>().x(row => x(at(row, TIME))).y(row => y(at(row, COST)));
  element.append(svg("path", {d: path(front) ?? "", class: "front"}));
  const draw = (row: Row): Item => {
    const [cx, cy] = [x(at(row, TIME)), y(at(row, COST))], colour = colours.of(row);
    const reachOf = (column: string, scale: (value: number) => number) =>
        Math.abs(scale(row.number(`${column}_ci95`) ?? 0) - scale(0));
    const [dx, dy] = [reachOf(TIME, x), reachOf(COST, y)];
    const group =
        svg("g", {"data-variant": row.label},
            svg("line", {x1: cx - dx, x2: cx + dx, y1: cy, y2: cy, stroke: colour}),
            svg("line", {x1: cx, x2: cx, y1: cy - dy, y2: cy + dy, stroke: colour}),
            svg("circle", {cx, cy, r: isFront(row) ? 6 : 4.5, fill: colour, class: "point"}));
    element.append(group);
    return {element: group, note: noteOf(row)};
  };
  if (shown.length <= MOST_ELEMENTS) return {element, items: shown.map(draw)};
  const cloud =
      new Cloud(shown, shown.map(row => x(at(row, TIME))), shown.map(row => y(at(row, COST))));
  return cloud.below(element, colours, front.slice(0, MOST_ELEMENTS).map(draw));
}

// Points that are drawn as one bitmap, because they are too many for elements.
class Cloud {
  constructor(
      private readonly rows: Row[], private readonly x: number[], private readonly y: number[]) {}

  // The drawing with the points below the axes.
  below(axes: SVGSVGElement, colours: Colours, items: Item[]): Drawing {
    const bitmap =
        this.bitmap(axes.width.baseVal.value, axes.height.baseVal.value, row => colours.of(row));
    return {
      element: html("div", {class: "over"}, bitmap, axes),
      items,
      near: (px, py) => {
        const row = this.nearest(px, py);
        return row && noteOf(row);
      }
    };
  }
  private bitmap(width: number, height: number, colour: (row: Row) => string): HTMLCanvasElement {
    const scale = devicePixelRatio || 1, side = this.rows.length > 20000 ? 2 : 4;
    const canvas =
        html("canvas", {width: width * scale, height: height * scale, "aria-hidden": "true"});
    canvas.style.width = `${width}px`;
    const pen = canvas.getContext("2d")!;
    pen.scale(scale, scale);
    pen.globalAlpha = 0.6;
    this.rows.forEach((row, i) => {
      pen.fillStyle = colour(row);
      pen.fillRect(this.x[i] - side / 2, this.y[i] - side / 2, side, side);
    });
    return canvas;
  }
  private nearest(px: number, py: number): Row|undefined {
    let least = 12 * 12, found: Row|undefined;
    for (let i = 0; i < this.rows.length; ++i) {
      const far = (this.x[i] - px) ** 2 + (this.y[i] - py) ** 2;
      if (far < least) [least, found] = [far, this.rows[i]];
    }
    return found;
  }
}

// A row for each variant: its additional cost over the first variant in the same cases, with the
// interval of the mean.
export function differences(rows: Row[], first: Row, colours: Colours, width: number): Drawing|
    undefined {
  const DEARER = "dearer_than_first_usd";
  const shown = best(rows.filter(row => row.number(`${DEARER}_mean`) !== undefined));
  if (shown.length < 2) return undefined;
  const left = Math.min(230, width * 0.4), each = 22, top = 8, bottom = top + each * shown.length;
  const ends = (row: Row) => {
    const mean = row.number(`${DEARER}_mean`)!, half = row.number(`${DEARER}_ci95`) ?? 0;
    return [mean - half, mean, mean + half];
  };
  const x = scaleLinear<number, number>().domain(padded([0, ...shown.flatMap(ends)])).range([
    left, width - 20
  ]);
  const element = frame(width, bottom + 42, `difference in cost of ${shown.length} variants`);
  const across = svg("g", {transform: `translate(0,${bottom})`});
  select(across).call(axisBottom(x).ticks((width - left) / 90) as Axis);
  element.append(
      across, svg("line", {x1: x(0), x2: x(0), y1: 0, y2: bottom, class: "front"}),
      svg("text", {x: width - 4, y: bottom + 34, class: "tick end"},
          `dollars dearer than ${clipped(first.label, 40)} in the same cases, with 95 % interval`));
  const items = shown.map((row, i) => {
    const y = top + i * each + each / 2, [low, mean, high] = ends(row), colour = colours.of(row);
    const group =
        svg("g", {"data-difference": row.label},
            svg("rect", {x: 0, y: y - each / 2, width, height: each, fill: "transparent"}),
            svg("text", {x: left - 8, y: y + 4, class: "name"}, clipped(row.label, left / 7.2)),
            svg("line", {x1: x(low), x2: x(high), y1: y, y2: y, stroke: colour, "stroke-width": 2}),
            svg("circle", {cx: x(mean), cy: y, r: 4.5, fill: colour, class: "point"}));
    element.append(group);
    const text = [`${mean < 0 ? "−" : "+"}${usd(Math.abs(mean))} ± ${short((high - low) / 2)}`];
    return {element: group, note: {title: `${row.label} − ${first.label}`, text, lines: []}};
  });
  return {element, items};
}

// The best variants of a setting, by rank.
function best(rows: Row[]): Row[] {
  return [...rows]
      .sort((a, b) => (a.number("rank") ?? 1e9) - (b.number("rank") ?? 1e9))
      .slice(0, MOST_IN_BOXES);
}

// A row for each variant: the range from the 5th to the 95th percentile, the median, and the mean.
export function boxes(rows: Row[], colours: Colours, width: number): Drawing {
  const left = Math.min(230, width * 0.4), each = 22, top = 8;
  const sorted = best(rows);
  const bottom = top + each * sorted.length + 4, height = bottom + 38;
  const x = scaleLinear()
                .domain(padded(sorted.flatMap(
                    row => ["p5", "p95"].map(part => row.number(`${COST}_${part}`)))))
                .range([left, width - 60]);
  const element = frame(width, height, `distribution of cost of ${sorted.length} variants`);
  const across = svg("g", {transform: `translate(0,${bottom})`});
  select(across).call(axisBottom(x).ticks((width - left) / 90) as Axis);
  element.append(
      across,
      svg("text", {x: width - 4, y: bottom + 32, class: "tick end"},
          "cost of a run, dollars: 5th to 95th percentile, median, mean"));
  const items = sorted.map((row, i) => {
    const y = top + i * each, of = (part: string) => x(row.number(`${COST}_${part}`) ?? 0);
    const group = svg(
        "g", {"data-variant": row.label},
        svg("rect", {x: 0, y, width, height: each, fill: "transparent"}),
        svg("text", {x: left - 8, y: y + 14, class: "name"}, clipped(row.label, left / 7.2)),
        svg("rect", {
          x: of("p5"),
          y: y + 4,
          width: Math.max(1.5, of("p95") - of("p5")),
          height: each - 9,
          fill: colours.of(row),
          "fill-opacity": 0.75,
        }),
        svg("line", {x1: of("p50"), x2: of("p50"), y1: y + 2, y2: y + each - 3, class: "median"}),
        svg("circle", {cx: of("mean"), cy: y + each / 2 - 0.5, r: 3, class: "mean"}),
        svg("text", {x: width - 52, y: y + 14, class: "tick"}, `n ${row.text("n")}`));
    element.append(group);
    return {element: group, note: noteOf(row)};
  });
  return {element, items};
}

// The row's interval between checkpoints: measured, or stated by its variant.
function interval(row: Row, key: string): number|undefined {
  return row.number("computed_between_h") ?? hours(row.text(key));
}

export function intervalKey(rows: Row[], keys: string[]): string|undefined {
  return keys.find(key => {
    const found = rows.map(row => interval(row, key)).filter(value => value !== undefined);
    return new Set(found).size > 2 && found.length > rows.length / 3;
  });
}

export function byInterval(
    rows: Row[], key: string, settings: string[], colours: Colours, width: number): Drawing {
  const height = 320, left = 62, bottom = height - 40;
  const shown =
      rows.map(row => ({row, hours: interval(row, key)!, cost: row.number(`${COST}_mean`)!}))
          .filter(one => one.hours > 0 && one.cost !== undefined)
          .sort((a, b) => a.hours - b.hours);
  const x = scaleLog()
                .domain([min(shown, one => one.hours)! * 0.9, max(shown, one => one.hours)! * 1.1])
                .range([left, width - 14]);
  const formulas = optima(rows, settings, key).filter(({hours: at}) => {
    const [from, to] = x.domain();
    return at >= from && at <= to;
  });
  const y = scaleLinear().domain(padded(shown.map(one => one.cost))).range([bottom, 20]);
  const element = frame(width, height, "cost against the interval between checkpoints");
  axes(
      element, axisBottom(x).ticks(5, "~g") as Axis, axisLeft(y).ticks(6), {left, bottom},
      ["interval between checkpoints, hours", "cost, dollars"]);
  formulas.forEach(
      ({name, hours: at}, i) =>
          element.append(upright(x(at), bottom, `${name}: ${hoursText(at)}`, i, width)));
  if (shown.length > MOST_ELEMENTS)
    return new Cloud(
               shown.map(one => one.row), shown.map(one => x(one.hours)),
               shown.map(one => y(one.cost)))
        .below(element, colours, []);
  const path = line<typeof shown[0]>().x(one => x(one.hours)).y(one => y(one.cost));
  // One line for each value of the other key.
  const lineOf = (row: Row) => colours.key === key ? "var(--soft)" : colours.of(row);
  for (const colour of new Set(shown.map(one => lineOf(one.row)))) {
    const own = shown.filter(one => lineOf(one.row) === colour);
    element.append(svg("path", {d: path(own) ?? "", class: "line", stroke: colour}));
  }
  const items = shown.map(({row, hours: at, cost}) => {
    const group =
        svg("g", {"data-variant": row.label},
            svg("circle", {cx: x(at), cy: y(cost), r: 4.5, fill: colours.of(row), class: "point"}));
    const label = row.text(key);
    const isRight = x(at) > width * 0.75;
    if (hours(label) === undefined)
      group.append(
          svg("text",
              {x: x(at) + (isRight ? -6 : 6), y: y(cost) - 6, class: isRight ? "tick end" : "tick"},
              label));
    element.append(group);
    return {element: group, note: noteOf(row)};
  });
  return {element, items};
}
