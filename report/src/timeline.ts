// The timeline: lanes by pool, then price and capacity, then the training curve, on one axis.
import {axisTop} from "d3-axis";
import {scaleUtc} from "d3-scale";
import {event, mouse, select} from "d3-selection";
import {symbol, SymbolType} from "d3-shape";

import {Chart, LossChart, PoolChart, StepChart} from "./charts";
import {COLUMNS, MARKS} from "./colours";
import {Lane, Mark, Report} from "./data";
import {html, section, svg} from "./dom";
import {Clock} from "./format";
import {Item, LanePicture} from "./lanes";
import {Note, Tip} from "./tip";
import {View} from "./view";

interface Row {
  element: HTMLElement;
  track: SVGSVGElement;
  visible: boolean;
  draw(): void;
}

const WORLD: Lane = {
  kind: "group",
  id: "",
  name: "scenario",
  pool: null,
  spans: []
};

export class Timeline {
  readonly section: HTMLElement;
  readonly view: View;
  private readonly area = html("div", {class: "area"});
  private readonly ticks = svg("g", {transform: "translate(0,23)"});
  private readonly axis =
      svg("svg", {class: "axis", height: 24, "aria-hidden": "true"}, this.ticks);
  private readonly rows: Row[] = [];
  private readonly items = new WeakMap<Element, Item>();
  private readonly others = html("div", {});

  constructor(
      private readonly report: Report, private readonly clock: Clock, private readonly tip: Tip) {
    this.view = new View(this.area, Math.max(1e-3, report.time.seconds), () => this.draw());
    this.area.append(html("div", {class: "row axis-row"}, html("div", {}), this.axis));
    this.addLanes();
    this.addCharts();
    this.explainItems();
    this.section = section("timeline", "Timeline", this.toolbar(), this.hatch(), this.area);
  }

  // When the page has its size.
  start(): void {
    const seen = new IntersectionObserver(entries => {
      for (const {target, isIntersecting} of entries) {
        const row = this.rows.find(one => one.element === target)!;
        if (isIntersecting && !row.visible) row.draw();
        row.visible = isIntersecting;
      }
    }, {rootMargin: "200px"});
    for (const row of this.rows) seen.observe(row.element);
    new ResizeObserver(() => this.resize()).observe(this.area);
    this.resize();
    this.view.restore();
  }

  private resize(): void {
    const all = this.area.getBoundingClientRect(), track = this.axis.getBoundingClientRect();
    this.view.resize(track.left - all.left, track.width);
  }

  private draw(): void {
    const [from, to] = this.view.scale.domain();
    const x = scaleUtc<number, number>()
                  .domain([this.clock.date(from), this.clock.date(to)])
                  .range(this.view.scale.range());
    const wide = this.view.scale.range()[1];
    select(this.ticks)
        .call(axisTop<Date>(x)
                  .ticks(Math.max(2, wide / 90))
                  .tickFormat(when => tickText(when, to - from)));
    this.others.hidden = !this.view.settings.allPools;
    for (const row of this.rows)
      if (row.visible) row.draw();
  }

  private addLanes(): void {
    const {lanes, marks} = this.report;
    const known = new Set(lanes.map(lane => lane.id)), byLane = new Map<string, Mark[]>();
    for (const mark of marks) {
      const lane = mark.lane !== null && known.has(mark.lane) ? mark.lane : "";
      if (!byLane.has(lane)) byLane.set(lane, []);
      byLane.get(lane)!.push(mark);
    }
    const groups = new Map<string, Lane[]>();
    for (const lane of byLane.has("") ? [WORLD, ...lanes] : lanes) {
      const zone = lane.pool?.split("/").pop();
      const heading = zone ? `Zone ${zone}` : "Operator, groups and jobs";
      groups.set(heading, [...(groups.get(heading) ?? []), lane]);
    }
    for (const [heading, members] of groups) {
      this.area.append(html("h3", {}, heading));
      for (const lane of members)
        this.addLane(new LanePicture(lane, byLane.get(lane.id) ?? [], this.clock));
    }
  }

  private addLane(picture: LanePicture): void {
    const {lane} = picture;
    const detail = lane.name === lane.id ? lane.kind : lane.id;
    this.addRow(
        lane.name, detail, picture.height, `${lane.kind} ${lane.name} ${lane.id}`, this.area,
        track => {
          const items = picture.draw(this.view.scale, this.view.settings.hidden);
          for (const item of items) this.name(item);
          const focused =
              track !== document.activeElement && track.contains(document.activeElement);
          track.replaceChildren(...items.map(item => item.element));
          if (focused) track.focus({preventScroll: true});
        });
  }

  private addCharts(): void {
    const {pools, training, result, time} = this.report;
    this.area.append(html("h3", {}, "Spot price and capacity"));
    for (const used of [true, false]) {
      for (const pool of pools.filter(one => one.used === used))
        this.addChart(
            pool.pool, "dollars an hour; instances that fit", new PoolChart(pool, time.seconds),
            used ? this.area : this.others);
      if (!used) this.area.append(this.others);
    }
    if (!training.length) return;
    this.area.append(html("h3", {}, "Training"));
    this.addChart(
        "steps", "dashed: done twice or lost", new StepChart(training, result.steps_total),
        this.area);
    if (training.some(piece => piece.loss.length))
      this.addChart("loss", "as the trainer reports it", new LossChart(training), this.area);
  }

  private addChart(name: string, detail: string, chart: Chart, parent: HTMLElement): void {
    const track = this.addRow(
        name, detail, chart.height, `${name}: ${chart.summary}`, parent,
        own => own.replaceChildren(...chart.draw(this.view.scale)));
    const note = (second: number): Note =>
        ({title: `${this.clock.text(second)} ${name}`, text: chart.at(second), lines: []});
    select(track)
        .on("mousemove",
            () => {
              const second = this.view.scale.invert(mouse(track)[0]);
              this.tip.show(note(second), event.clientX, event.clientY);
            })
        .on("mouseleave", () => this.tip.hide());
  }

  private addRow(
      name: string, detail: string, height: number, label: string, parent: HTMLElement,
      draw: (track: SVGSVGElement) => void): SVGSVGElement {
    const track = svg("svg", {height, role: "group", "aria-label": label, tabindex: 0});
    track.addEventListener("keydown", event => this.move(track, event));
    const element = html(
        "div", {class: "row"},
        html(
            "div", {class: "label", title: `${name} ${detail}`}, html("b", {}, name),
            html("small", {}, detail)),
        track);
    parent.append(element);
    this.rows.push({element, track, visible: false, draw: () => draw(track)});
    return track;
  }

  private name(item: Item): void {
    const {element, note} = item;
    element.setAttribute("role", "img");
    element.setAttribute("tabindex", "-1");
    element.setAttribute("aria-label", [note.title, ...note.text].join("; "));
    this.items.set(element, item);
  }

  // Shows the note of the item under the pointer or with the focus.
  private explainItems(): void {
    const item = (event: Event) => {
      const element = (event.target as Element).closest("[role=img]");
      return element ? this.items.get(element) : undefined;
    };
    const hide = () => this.tip.hide();
    this.area.addEventListener("mousemove", event => {
      const under = item(event);
      if (under) this.tip.show(under.note, event.clientX, event.clientY);
    });
    this.area.addEventListener("mouseout", hide);
    this.area.addEventListener("focusout", hide);
    this.area.addEventListener("focusin", event => {
      const focused = item(event);
      if (!focused) return;
      const track = focused.element.closest("svg")!.getBoundingClientRect();
      const x = Math.max(0, Math.min(this.view.scale(focused.at), track.width));
      this.tip.show(focused.note, track.left + x, track.bottom - 10);
    });
  }

  // Keys on a lane: arrows go from item to item, with Shift through time; + and - zoom, 0 shows
  // all.
  private move(track: SVGSVGElement, event: KeyboardEvent): void {
    const ahead = event.key === "ArrowRight", back = event.key === "ArrowLeft";
    if (event.shiftKey && (ahead || back))
      this.view.panBy(ahead ? 0.2 : -0.2);
    else if (ahead || back) {
      const items = [...track.children].filter(item => item.hasAttribute("tabindex"));
      const now = items.indexOf(document.activeElement!);
      const next = items[Math.max(0, Math.min(items.length - 1, now + (ahead ? 1 : -1)))];
      (next as SVGElement | undefined)?.focus();
    } else if (event.key === "+" || event.key === "=")
      this.view.zoomBy(2);
    else if (event.key === "-")
      this.view.zoomBy(0.5);
    else if (event.key === "0")
      this.view.all();
    else
      return;
    event.preventDefault();
  }

  private toolbar(): HTMLElement {
    const button = (text: string, label: string, click: () => void) =>
        html("button", {type: "button", "aria-label": label, title: label, click}, text);
    const bar = html(
        "div", {class: "toolbar", role: "toolbar", "aria-label": "View"},
        button("+", "zoom in", () => this.view.zoomBy(2)),
        button("−", "zoom out", () => this.view.zoomBy(0.5)),
        button("‹", "earlier", () => this.view.panBy(-0.5)),
        button("›", "later", () => this.view.panBy(0.5)),
        button("whole run", "show the whole run", () => this.view.all()));
    const others = this.report.pools.filter(pool => !pool.used).length;
    if (others)
      bar.append(this.box(
          `${others} more pools`, () => this.view.settings.allPools,
          on => this.view.settings.allPools = on));
    const kinds = new Set(this.report.marks.map(mark => mark.kind));
    const marks = html("div", {class: "legend", "aria-label": "Marks"});
    for (const {kind, name, symbol: shape, colour} of MARKS.filter(mark => kinds.has(mark.kind)))
      marks.append(this.box(
          name, () => !this.view.settings.hidden.has(kind),
          on => on ? this.view.settings.hidden.delete(kind) : this.view.settings.hidden.add(kind),
          sample(shape, colour)));
    const used = new Set(this.report.lanes.flatMap(lane => lane.spans.map(span => span.what)));
    const spans = html("div", {class: "legend", "aria-label": "Colours of instances"});
    for (const [what, {name, colour, hatched}] of Object.entries(COLUMNS))
      if (used.has(what)) spans.append(html("span", {}, swatch(colour, hatched), name));
    return html(
        "div", {}, bar, spans, marks,
        html(
            "p", {class: "hint"},
            "Ctrl or Shift and the wheel zoom, dragging moves. Keys on a " +
                "lane: arrows go from item to item, + − 0 zoom, Shift and arrows move."));
  }

  private box(name: string, read: () => boolean, write: (on: boolean) => void, ...picture: Node[]):
      HTMLElement {
    const input = html("input", {
      type: "checkbox",
      change: () => {
        write(input.checked);
        this.view.refresh();
      }
    });
    const show = () => input.checked = read();
    window.addEventListener("hashchange", () => requestAnimationFrame(show));
    requestAnimationFrame(show);
    return html("label", {}, input, ...picture, name);
  }

  private hatch(): SVGElement {
    return svg(
        "svg", {width: 0, height: 0, "aria-hidden": "true", class: "defs"},
        svg("defs", {},
            svg("pattern", {
              id: "hatch",
              width: 6,
              height: 6,
              patternUnits: "userSpaceOnUse",
              patternTransform: "rotate(45)"
            },
                svg("rect",
                    {width: 2.5, height: 6, fill: "var(--ground)", "fill-opacity": 0.75}))));
  }
}

// In 24 hours, and no more of it than tells two ticks apart.
function tickText(when: Date, shown: number): string {
  const iso = when.toISOString();
  if (shown > 3 * 86400 && iso.slice(11, 16) === "00:00") return iso.slice(5, 10);
  return shown < 5 ? iso.slice(14, 23) : iso.slice(11, shown < 900 ? 19 : 16);
}

function sample(shape: SymbolType, colour: string): SVGElement {
  return svg(
      "svg", {width: 12, height: 12, viewBox: "-6 -6 12 12", "aria-hidden": "true"},
      svg("path", {d: symbol().type(shape).size(50)()!, fill: colour}));
}

function swatch(colour: string, hatched = false): SVGElement {
  const box =
      svg("svg", {width: 14, height: 12, "aria-hidden": "true"},
          svg("rect", {width: 14, height: 12, fill: colour}));
  if (hatched) box.append(svg("rect", {width: 14, height: 12, fill: "url(#hatch)"}));
  return box;
}
