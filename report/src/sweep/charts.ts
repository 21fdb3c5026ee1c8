// Charts of a sweep: each is drawn for a width, from the rows of one group.
import {extent, max, min} from "d3-array";
import {axisBottom, axisLeft} from "d3-axis";
import {scaleLinear, scaleLog} from "d3-scale";
import {select} from "d3-selection";
import {line} from "d3-shape";

import {svg} from "../dom";
import {usd} from "../format";
import {Note} from "../tip";

import {hours, Row, short} from "./data";

const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#999999"];

export interface Item {
  element: SVGElement;
  note: Note;
}
export interface Drawing {
  element: SVGSVGElement;
  items: Item[];
}

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
  if (row.command) text.push(`first of its runs: ${row.command}`);
  return {title: row.label, text, lines: []};
}

function frame(width: number, height: number, label: string): SVGSVGElement {
  return svg("svg", {width, height, role: "group", "aria-label": label, class: "chart"});
}

function padded(values: (number|undefined)[]): [number, number] {
  const [low, high] = extent(values.filter(value => value !== undefined) as number[]);
  const room = ((high ?? 1) - (low ?? 0)) * 0.06 || Math.abs(high ?? 1) * 0.05;
  return [(low ?? 0) - room, (high ?? 1) + room];
}

type Axis = (group: any) => void;
function axes(
    element: SVGSVGElement, x: Axis, y: Axis, box: {left: number, bottom: number},
    names: [string, string]): void {
  const across = svg("g", {transform: `translate(0,${box.bottom})`});
  const up = svg("g", {transform: `translate(${box.left},0)`});
  select(across).call(x);
  select(up).call(y);
  element.append(
      across, up, svg("text", {x: box.left, y: 11, class: "tick"}, names[1]),
      svg("text", {x: element.width.baseVal.value - 4, y: box.bottom + 32, class: "tick end"},
          names[0]));
}

// Cost against completion time. A line joins the frontier: nothing else is both cheaper and faster.
export function scatter(rows: Row[], colours: Colours, width: number): Drawing {
  const height = 380, left = 62, bottom = height - 40;
  const shown = rows.filter(row => row.number(`${TIME}_mean`) !== undefined);
  const at = (row: Row, column: string) => row.number(`${column}_mean`)!;
  const reach = (column: string) => padded(shown.flatMap(row => {
    const half = row.number(`${column}_ci95`) ?? 0;
    return [at(row, column) - half, at(row, column) + half];
  }));
  const x = scaleLinear().domain(reach(TIME)).range([left, width - 14]);
  const y = scaleLinear().domain(reach(COST)).range([bottom, 20]);
  const element = frame(width, height, `cost against completion time of ${shown.length} variants`);
  axes(
      element, axisBottom(x).ticks(width / 90), axisLeft(y).ticks(6), {left, bottom},
      ["completion time, hours", "cost, dollars"]);
  const front =
      shown.filter(row => row.number("pareto") === 1).sort((a, b) => at(a, TIME) - at(b, TIME));
  const path = line<Row>().x(row => x(at(row, TIME))).y(row => y(at(row, COST)));
  element.append(svg("path", {d: path(front) ?? "", class: "front"}));
  const items = shown.map(row => {
    const [cx, cy] = [x(at(row, TIME)), y(at(row, COST))], colour = colours.of(row);
    const reachOf = (column: string, scale: (value: number) => number) =>
        Math.abs(scale(row.number(`${column}_ci95`) ?? 0) - scale(0));
    const [dx, dy] = [reachOf(TIME, x), reachOf(COST, y)];
    const isFront = row.number("pareto") === 1;
    const group =
        svg("g", {"data-variant": row.label},
            svg("line", {x1: cx - dx, x2: cx + dx, y1: cy, y2: cy, stroke: colour}),
            svg("line", {x1: cx, x2: cx, y1: cy - dy, y2: cy + dy, stroke: colour}),
            svg("circle", {cx, cy, r: isFront ? 6 : 4.5, fill: colour, class: "point"}));
    element.append(group);
    return {element: group, note: noteOf(row)};
  });
  return {element, items};
}

// One row for each variant: from the 5th to the 95th percentile, the median, the mean.
export function boxes(rows: Row[], colours: Colours, width: number): Drawing {
  const left = Math.min(230, width * 0.4), each = 22, top = 8;
  const sorted = [...rows].sort((a, b) => (a.number("rank") ?? 1e9) - (b.number("rank") ?? 1e9));
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

// The interval between checkpoints that a row has: measured, or what its variant says.
function interval(row: Row, key: string): number|undefined {
  return row.number("computed_between_h") ?? hours(row.text(key));
}

export function intervalKey(rows: Row[], keys: string[]): string|undefined {
  return keys.find(key => {
    const found = rows.map(row => interval(row, key)).filter(value => value !== undefined);
    return new Set(found).size > 2 && found.length > rows.length / 3;
  });
}

export function byInterval(rows: Row[], key: string, colours: Colours, width: number): Drawing {
  const height = 320, left = 62, bottom = height - 40;
  const shown =
      rows.map(row => ({row, hours: interval(row, key)!, cost: row.number(`${COST}_mean`)!}))
          .filter(one => one.hours > 0 && one.cost !== undefined)
          .sort((a, b) => a.hours - b.hours);
  const x = scaleLog()
                .domain([min(shown, one => one.hours)! * 0.9, max(shown, one => one.hours)! * 1.1])
                .range([left, width - 14]);
  const y = scaleLinear().domain(padded(shown.map(one => one.cost))).range([bottom, 20]);
  const element = frame(width, height, "cost against the interval between checkpoints");
  axes(
      element, axisBottom(x).ticks(5, "~g") as Axis, axisLeft(y).ticks(6), {left, bottom},
      ["interval between checkpoints, hours", "cost, dollars"]);
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

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}
