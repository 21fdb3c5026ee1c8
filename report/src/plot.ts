// Plots of values against values: their axes, and the notes of their points.
import {extent} from "d3-array";
import {select} from "d3-selection";

import {html, svg} from "./dom";
import {afterScrolling, Note, Tip} from "./tip";

export interface Item {
  element: SVGElement;
  note: Note;
}
export interface Drawing {
  element: SVGSVGElement|HTMLElement;
  items: Item[];
  // The note of the point nearest to this place in the element, for points that are not elements.
  near?: (x: number, y: number) => Note | undefined;
}

export function frame(width: number, height: number, label: string): SVGSVGElement {
  return svg("svg", {width, height, role: "group", "aria-label": label, class: "chart"});
}

// The range of the values with some room at both ends.
export function padded(values: (number|undefined)[]): [number, number] {
  const [low, high] = extent(values.filter(value => value !== undefined) as number[]);
  const room = ((high ?? 1) - (low ?? 0)) * 0.06 || Math.abs(high ?? 1) * 0.05;
  return [(low ?? 0) - room, (high ?? 1) + room];
}

export type Axis = (group: any) => void;
export function axes(
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

// A vertical line at a value of the horizontal axis, with its name.
export function upright(
    x: number, bottom: number, name: string, row: number, right: number): SVGElement {
  const isRight = x > right * 0.6;
  return svg(
      "g", {class: "optimum", role: "img", "aria-label": name},
      svg("line", {x1: x, x2: x, y1: 18, y2: bottom}),
      svg("text",
          {x: x + (isRight ? -5 : 5), y: 28 + 14 * row, class: isRight ? "tick end" : "tick"},
          name));
}

// The drawing as a figure, whose points show their notes to the pointer, the keyboard and a
// screen reader. `choose` gets the note of a point that is clicked, or entered by the keyboard.
export function figure(
    title: string, {element, items, near}: Drawing, tip: Tip,
    choose: (note: Note) => void = () => {}): HTMLElement {
  const hide = () => tip.hide();
  if (near) {
    const under = (event: MouseEvent) => {
      const box = element.getBoundingClientRect();
      return near(event.clientX - box.left, event.clientY - box.top);
    };
    (element as HTMLElement).addEventListener("mousemove", (event: MouseEvent) => {
      const note = under(event);
      note ? tip.show(note, event.clientX, event.clientY) : hide();
    });
    (element as HTMLElement).addEventListener("click", (event: MouseEvent) => {
      const note = under(event);
      if (note) choose(note);
    });
    element.addEventListener("mouseleave", hide);
  }
  for (const {element: item, note} of items) {
    item.setAttribute("role", "img");
    item.setAttribute("tabindex", "0");
    item.setAttribute("aria-label", [note.title, ...note.text].join("; "));
    item.addEventListener("mousemove", event => tip.show(note, event.clientX, event.clientY));
    item.addEventListener("mouseleave", hide);
    item.addEventListener("blur", hide);
    item.addEventListener("click", () => choose(note));
    item.addEventListener("keydown", event => {
      if (event.key === "Enter") choose(note);
    });
    item.addEventListener("focus", () => afterScrolling(() => {
                                     if (item !== document.activeElement) return;
                                     const box = item.getBoundingClientRect();
                                     tip.show(note, box.left + 20, box.bottom - 12);
                                   }));
  }
  return html("figure", {}, html("figcaption", {}, title), element);
}

export function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

// The width of a plot. Two plots stand side by side if there is room.
export function plotWidth(main: HTMLElement): number {
  const wide = main.clientWidth - parseFloat(getComputedStyle(main).paddingLeft) * 2;
  return wide > 900 ? (wide - 40) / 2 : wide;
}
