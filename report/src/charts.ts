// Charts of values over time: price and capacity of a pool, the training curve.
import {extent, max} from "d3-array";
import {scaleLinear} from "d3-scale";
import {curveStepAfter, line} from "d3-shape";

import {CAPACITY, LOSS, NO_CAPACITY, PRICE, STEP} from "./colours";
import {Piece, Pool} from "./data";
import {svg} from "./dom";
import {Scale} from "./view";

export interface Chart {
  height: number;
  draw(x: Scale): SVGElement[];
  // What the chart shows at this second, for the note beside the pointer.
  at(second: number): string[];
  summary: string;
}

// The last value that came into force until then.
function value<T>(steps: [number, T][], second: number): T|undefined {
  let found: T|undefined;
  for (const [at, now] of steps) {
    if (at > second) break;
    found = now;
  }
  return found;
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

  // `time` may grow.
  constructor(private readonly pool: Pool, private readonly time: {seconds: number}) {
    const [low, high] =
        extent(pool.prices, price => price[1]) as [number, number] | [undefined, undefined];
    this.summary =
        low === undefined ? "no spot price" : `spot price from $${low} to $${high} an hour`;
    const room = Math.max(((high ?? 1) - (low ?? 0)) * 0.15, (high ?? 1) * 0.02);
    this.y = scaleLinear<number, number>().domain([(low ?? 0) - room, (high ?? 1) + room]).range([
      this.height - 18, 10
    ]);
  }

  draw(x: Scale): SVGElement[] {
    const points = [...this.pool.prices];
    if (points.length) points.push([this.time.seconds, points[points.length - 1][1]]);
    const path =
        line<[number, number]>().curve(curveStepAfter).x(p => x(p[0])).y(p => this.y(p[1]));
    return [
      ...scaleWithTicks(x, this.y, tick => `$${tick}`, 2), ...this.band(x),
      svg("path", {d: path(points) ?? "", class: "line", stroke: PRICE})
    ];
  }
  // Capacity is a band, because most often the question is whether there is any.
  private band(x: Scale): SVGElement[] {
    const steps = this.pool.capacity, top = this.height - PoolChart.BAND;
    return steps.flatMap(([at, slots], i) => {
      const from = Math.max(x.range()[0], x(at));
      const to =
          Math.min(x.range()[1], x(i + 1 < steps.length ? steps[i + 1][0] : this.time.seconds));
      if (to <= from) return [];
      const box = {x: from, y: top, width: to - from, height: PoolChart.BAND};
      const words = slots === 0 ? "no capacity" : slots === null ? "unlimited" : `${slots} free`;
      const parts: SVGElement[] =
          [svg("rect", {...box, fill: slots === 0 ? NO_CAPACITY : CAPACITY, "fill-opacity": 0.55})];
      if (slots === 0) parts.push(svg("rect", {...box, fill: "url(#hatch)"}));
      if (to - from > 70)
        parts.push(svg(
            "text",
            {x: (from + to) / 2, y: top + 10.5, class: slots === 0 ? "inside on-hatch" : "inside"},
            words));
      return parts;
    });
  }
  at(second: number): string[] {
    const price = value(this.pool.prices, second), slots = value(this.pool.capacity, second);
    return [
      price === undefined ? "no spot price" : `spot price $${price} an hour`,
      slots === undefined ? "capacity: the log does not say" :
          slots === null  ? "capacity: unlimited" :
                            `capacity: ${slots}`
    ];
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
