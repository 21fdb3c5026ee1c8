// A lane of the timeline as a picture: its spans as bars, its marks above them.
import {symbol} from "d3-shape";

import {look, MARKS} from "./colours";
import {Lane, Mark} from "./data";
import {svg} from "./dom";
import {Clock, duration} from "./format";
import {Note} from "./tip";
import {Scale} from "./view";

const HEIGHT = 40, BAR = 17, TOP = 19;
const NEAR = 8;  // pixels within which marks are drawn as one

export interface Item {
  note: Note;
  at: number;
  element: SVGElement;
}

// The outline of a mark, and a larger one for several marks.
const LOOKS = MARKS.map(mark => {
  const one = symbol().type(mark.symbol).size(52)()!,
        several = symbol().type(mark.symbol).size(70)()!;
  return {...mark, shape: (isSeveral: boolean) => isSeveral ? several : one};
});
const place = new Map(MARKS.map((mark, index) => [mark.kind, index]));

export class LanePicture {
  readonly height = HEIGHT;
  readonly marks: Mark[] = [];  // in order of time
  constructor(public lane: Lane, private readonly clock: Clock) {}

  draw(scale: Scale, hidden: Set<string>): Item[] {
    const [from, to] = scale.domain();
    const bars = this.lane.spans.filter(span => span.to >= from && span.from <= to)
                     .map(span => this.bar(span, scale));
    const marks =
        this.marks.filter(mark => mark.at >= from && mark.at <= to && !hidden.has(mark.kind));
    return [...bars, ...this.clusters(marks, scale).map(near => this.mark(near, scale))].sort(
        (a, b) => a.at - b.at);
  }

  // Draws bars and marks without texts and notes: one shape for each colour.
  sketch(scale: Scale, hidden: Set<string>): SVGElement[] {
    const [from, to] = scale.domain(), [low, high] = scale.range();
    const shapes = new Map<string, {d: string, reached: number}>();
    const add = (colour: string, left: number, right: number, top: number, height: number) => {
      const shape = shapes.get(colour) ?? {d: "", reached: -9};
      shapes.set(colour, shape);
      if (right < shape.reached + 0.5) return;
      shape.reached = right;
      shape.d += `M${left.toFixed(1)} ${top}H${right.toFixed(1)}v${height}H${left.toFixed(1)}Z`;
    };
    for (const span of this.lane.spans)
      if (span.to >= from && span.from <= to)
        add(look(span.what).colour, Math.max(low - 2, scale(span.from)),
            Math.min(high + 2, scale(span.to)), TOP, BAR);
    for (const mark of this.marks)
      if (mark.at >= from && mark.at <= to && !hidden.has(mark.kind)) {
        const {colour} = LOOKS[place.get(mark.kind) ?? MARKS.length - 1], x = scale(mark.at);
        add(` ${colour}`, x - 3, x + 3, 6, 6);
      }
    return [...shapes].map(([colour, {d}]) => svg("path", {d, fill: colour.trim()}));
  }

  private bar(span: Lane["spans"][0], scale: Scale): Item {
    const [low, high] = scale.range();
    const left = Math.max(low - 2, scale(span.from)), right = Math.min(high + 2, scale(span.to));
    const width = Math.max(1.5, right - left), {name, colour, hatched} = look(span.what);
    const group =
        svg("g", {"data-what": span.what},
            svg("rect", {x: left, y: TOP, width, height: BAR, fill: colour, rx: 1}));
    if (hatched)
      group.append(svg("rect", {x: left, y: TOP, width, height: BAR, fill: "url(#hatch)"}));
    if (width > 7 * name.length + 8) {
      group.append(
          svg("text",
              {x: left + width / 2, y: TOP + 12.5, class: hatched ? "inside on-hatch" : "inside"},
              name));
    }
    const text = `${this.clock.text(span.from)} to ${this.clock.text(span.to)}, ${
        duration(span.to - span.from)}`;
    return {note: {title: name, text: [text], lines: span.lines}, at: span.from, element: group};
  }

  private clusters(marks: Mark[], scale: Scale): Mark[][] {
    const clusters: Mark[][] = [];
    for (const mark of marks) {
      const last = clusters[clusters.length - 1];
      if (last && scale(mark.at) - scale(last[0].at) < NEAR)
        last.push(mark);
      else
        clusters.push([mark]);
    }
    return clusters;
  }

  private mark(near: Mark[], scale: Scale): Item {
    const foremost =
        near.reduce((a, b) => (place.get(b.kind) ?? 99) < (place.get(a.kind) ?? 99) ? b : a);
    const {shape, colour, name} = LOOKS[place.get(foremost.kind) ?? MARKS.length - 1];
    const x = scale(foremost.at);
    const group =
        svg("g", {"data-mark": foremost.kind, transform: `translate(${x},9)`},
            svg("path", {d: shape(near.length > 1), fill: colour}));
    if (near.length > 1 && near.length < 1000)
      group.append(svg("text", {x: 6, y: -1, class: "count"}, near.length));
    const shown = near.slice(0, 6).map(mark => `${this.clock.text(mark.at)} ${mark.text}`);
    if (near.length > shown.length) shown.push(`and ${near.length - shown.length} more: zoom in`);
    const title = near.length > 1 ? `${near.length} marks` : name;
    return {
      note: {
        title,
        text: shown,
        lines: (near.length > 3 ? [foremost] : near).map(m => m.line).filter(line => line > 0)
      },
      at: foremost.at,
      element: group,
    };
  }
}
