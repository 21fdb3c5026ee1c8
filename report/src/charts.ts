// Charts of values over time: price and capacity of a pool, the training curve.
import {extent, max} from "d3-array";
import {scaleLinear} from "d3-scale";
import {line, symbol, symbolTriangle} from "d3-shape";

import {CAPACITY, LOSS, NO_CAPACITY, PRICE, STEP} from "./colours";
import {Piece, Pool} from "./data";
import {svg} from "./dom";
import {Scale} from "./view";

export interface Chart {
  height: number;
  draw(x: Scale): SVGElement[];
  // The chart's values at this second, for the note beside the pointer.
  at(second: number): string[];
  summary: string;
}

// The index of the last step at or before this second; -1 before the first step.
function placeAt<T>(steps: [number, T][], second: number): number {
  let low = 0, high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle][0] <= second)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
}

// The value in force at this second.
function value<T>(steps: [number, T][], second: number): T|undefined {
  return steps[placeAt(steps, second)]?.[1];
}

// The steps within the scale, and the one before them.
function shownSteps<T>(steps: [number, T][], x: Scale): [number, T][] {
  const [from, to] = x.domain();
  return steps.slice(Math.max(0, placeAt(steps, from)), placeAt(steps, to) + 1);
}

// Draws a step line. Of all steps in half a pixel it draws only the lowest and the highest.
function stepLine(steps: [number, number][], end: number, x: Scale, y: Scale): string {
  const [left, right] = x.range();
  const path: string[] = [];
  const to = (at: number, value: number) =>
      path.push(`${path.length ? "L" : "M"}${at.toFixed(1)} ${y(value).toFixed(1)}`);
  for (let i = 0; i < steps.length;) {
    const at = Math.max(left - 2, x(steps[i][0]));
    let low = steps[i][1], high = low, last = low;
    for (++i; i < steps.length && x(steps[i][0]) - at < 0.5; ++i) {
      last = steps[i][1];
      low = Math.min(low, last);
      high = Math.max(high, last);
    }
    if (low < high) {
      to(at, low);
      to(at, high);
    }
    to(at, last);
    to(Math.min(right + 2, x(i < steps.length ? steps[i][0] : end)), last);
  }
  return path.join("");
}

function scaleWithTicks(
    x: Scale, y: Scale, form: (value: number) => string, count: number): SVGElement[] {
  const [left, right] = x.range();
  return y.ticks(count).flatMap(
      tick =>
          [svg("line", {x1: left, x2: right, y1: y(tick), y2: y(tick), class: "grid"}),
           svg("text", {x: left + 2, y: y(tick) - 2, class: "tick"}, form(tick)),
  ]);
}

export class PoolChart implements Chart {
  readonly height = 74;
  readonly summary: string;
  private readonly y: Scale;
  private static readonly BAND = 14;

  // `time` is the run's length; it grows while the run goes on.
  constructor(private readonly pool: Pool, private readonly time: {seconds: number}) {
    const [low, high] =
        extent(pool.prices, price => price[1]) as [number, number] | [undefined, undefined];
    this.summary = [
      low === undefined ? "no spot price" : `spot price from $${low} to $${high} an hour`,
      ...(pool.interruptions ? [`${pool.interruptions.length} interruptions`] : [])
    ].join(", ");
    const room = Math.max(((high ?? 1) - (low ?? 0)) * 0.15, (high ?? 1) * 0.02);
    this.y = scaleLinear<number, number>().domain([(low ?? 0) - room, (high ?? 1) + room]).range([
      this.height - 18, 10
    ]);
  }

  draw(x: Scale): SVGElement[] {
    const {prices} = this.pool;
    const drawn = [...this.band(x), ...this.interruptions(x)];
    if (!prices.length) return drawn;
    const path = stepLine(shownSteps(prices, x), this.end, x, this.y);
    return [
      ...scaleWithTicks(x, this.y, tick => `$${tick}`, 2), ...drawn,
      svg("path", {d: path, class: "line", stroke: PRICE})
    ];
  }
  private get end(): number {
    return this.pool.to ?? this.time.seconds;
  }
  // Capacity is a band, because most often the question is whether there is any.
  private band(x: Scale): SVGElement[] {
    const steps = shownSteps(this.pool.capacity, x), top = this.height - PoolChart.BAND;
    const [left, right] = x.range(), texts: SVGElement[] = [];
    const paths = {some: "", none: ""}, reached = {some: -9, none: -9};
    steps.forEach(([at, slots], i) => {
      const from = Math.max(left, x(at));
      const to = Math.min(right, x(i + 1 < steps.length ? steps[i + 1][0] : this.end));
      const kind = slots === 0 ? "none" : "some";
      // A span that ends within half a pixel of the last one of its kind is not visible.
      if (to <= from || to < reached[kind] + 0.5) return;
      reached[kind] = to;
      paths[kind] += `M${from.toFixed(1)} ${top}H${Math.max(to, from + 0.5).toFixed(1)}V${
          this.height}H${from.toFixed(1)}Z`;
      if (to - from <= 70) return;
      const words = slots === 0 ? "no capacity" : slots === null ? "unlimited" : `${slots} free`;
      texts.push(svg(
          "text",
          {x: (from + to) / 2, y: top + 10.5, class: slots === 0 ? "inside on-hatch" : "inside"},
          words));
    });
    return [
      svg("path", {d: paths.some, fill: CAPACITY, "fill-opacity": 0.55}),
      svg("path", {d: paths.none, fill: NO_CAPACITY, "fill-opacity": 0.55}),
      svg("path", {d: paths.none, fill: "url(#hatch)"}), ...texts
    ];
  }
  // Draws a triangle for each interruption. Interruptions that are near one another share one.
  private interruptions(x: Scale): SVGElement[] {
    const top = this.height - PoolChart.BAND, shape = symbol().type(symbolTriangle).size(26)()!;
    const [left, right] = x.range(), drawn: SVGElement[] = [];
    let last = -9;
    for (const at of this.pool.interruptions ?? []) {
      const place = x(at);
      if (place < left || place > right || place - last < 5) continue;
      last = place;
      drawn.push(svg(
          "path",
          {d: shape, fill: NO_CAPACITY, transform: `translate(${place.toFixed(1)},${top - 5})`}));
    }
    return drawn;
  }
  at(second: number): string[] {
    const price = value(this.pool.prices, second), slots = value(this.pool.capacity, second);
    const said = [price === undefined ? "no spot price" : `spot price $${price} an hour`];
    if (slots !== undefined) said.push(`capacity: ${slots === null ? "unlimited" : slots}`);
    if (this.pool.interruptions) {
      const before = this.pool.interruptions.filter(at => at <= second).length;
      said.push(`${before} of ${this.pool.interruptions.length} interruptions until then`);
    } else if (slots === undefined)
      said.push("capacity: not known");
    return said;
  }
}

export class StepChart implements Chart {
  readonly height = 150;
  readonly summary: string;
  private readonly y: Scale;

  constructor(private readonly pieces: Piece[], total: number) {
    const top = Math.max(total, max(pieces, piece => max(piece.steps, step => step[1])) ?? 1);
    this.y = scaleLinear<number, number>().domain([0, top]).nice().range([this.height - 4, 14]);
    const lost = pieces.filter(piece => last(piece) > piece.kept_through).length;
    this.summary =
        `training in ${pieces.length} pieces up to step ${top}; ${lost} of them lost steps`;
  }

  draw(x: Scale): SVGElement[] {
    const path = line<[number, number]>().x(p => x(p[0])).y(p => this.y(p[1]));
    const drawn = scaleWithTicks(x, this.y, tick => `step ${tick}`, 4);
    for (const piece of this.pieces) {
      const kept = piece.steps.filter(step => step[1] <= piece.kept_through);
      const lost = piece.steps.filter(step => step[1] >= piece.kept_through);
      drawn.push(svg("path", {d: path(kept) ?? "", class: "line thick", stroke: STEP}));
      if (last(piece) > piece.kept_through)
        drawn.push(svg(
            "path",
            {d: path([...kept.slice(-1), ...lost]) ?? "", class: "line thick lost", stroke: LOSS}));
    }
    return drawn;
  }
  at(second: number): string[] {
    return this.pieces
        .filter(
            ({steps}) =>
                steps.length && steps[0][0] <= second && steps[steps.length - 1][0] >= second)
        .map(piece => {
          const step = value(piece.steps, second) ?? piece.start_step;
          return `step ${step} on ${piece.instance_id}${
              step > piece.kept_through ? ", lost later" : ""}`;
        });
  }
}

export class LossChart implements Chart {
  readonly height = 110;
  readonly summary: string;
  private readonly y: Scale;

  constructor(private readonly pieces: Piece[]) {
    const [low, high] = extent(pieces.flatMap(piece => piece.loss), point => point[1]);
    this.summary = `loss from ${low} to ${high}`;
    this.y = scaleLinear<number, number>().domain([low ?? 0, high ?? 1]).nice().range([
      this.height - 4, 14
    ]);
  }
  draw(x: Scale): SVGElement[] {
    const path = line<[number, number]>().x(p => x(p[0])).y(p => this.y(p[1]));
    return [
      ...scaleWithTicks(x, this.y, tick => `loss ${tick}`, 3),
      ...this.pieces.map(
          piece => svg("path", {d: path(piece.loss) ?? "", class: "line", stroke: STEP}))
    ];
  }
  at(second: number): string[] {
    const near =
        this.pieces.map(piece => value(piece.loss, second)).filter(loss => loss !== undefined);
    return near.length ? [`loss ${near[near.length - 1]}`] : [];
  }
}

function last(piece: Piece): number {
  return piece.steps.length ? piece.steps[piece.steps.length - 1][1] : piece.start_step;
}
