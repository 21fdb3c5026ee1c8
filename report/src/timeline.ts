// The timeline: lanes by pool, then price and capacity, then the training curve, on one axis.
import {axisTop} from "d3-axis";
import {scaleUtc} from "d3-scale";
import {event, mouse, select} from "d3-selection";
import {symbol, SymbolType} from "d3-shape";

import {Chart, LossChart, PoolChart, StepChart} from "./charts";
import {COLUMNS, MARKS} from "./colours";
import {Change, Lane, Mark, Piece, Pool, TimelineData} from "./data";
import {html, section, svg} from "./dom";
import {Clock} from "./format";
import {Item, LanePicture} from "./lanes";
import {afterScrolling, Note, Tip} from "./tip";
import {View} from "./view";

const MOST_ITEMS = 1000;  // that are drawn anew in each picture while the view moves

interface Row {
  element: HTMLElement;
  label: HTMLElement;
  track: SVGSVGElement;
  visible: boolean;
  draw(): void;
  sketch?(): void;
}

// A row and its chart. A live page replaces the chart when the values change.
interface ChartRow {
  row: Row;
  chart: Chart;
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
  private readonly rows = new Map<Element, Row>();
  private readonly pictures = new Map<string, LanePicture>();  // by the ID of the lane
  private readonly laneRows = new Map<string, Row>();          // by the ID of the lane
  private readonly groups = new Map<string, HTMLElement>();    // of lanes, by heading
  private readonly charts = new Map<string, ChartRow>();
  private drawn = 0;  // number of items in lanes, in the last picture
  private readonly items = new WeakMap<Element, Item>();
  private readonly lanes = html("div", {});
  private readonly used = html("div", {}, html("h3", {}, "Spot price and capacity"));
  private readonly others = html("div", {});
  private readonly training = html("div", {hidden: true}, html("h3", {}, "Training"));
  private readonly legend = html("div", {});
  private readonly kinds = new Set<string>();  // of marks and spans, in the legend
  private readonly seen = new IntersectionObserver(entries => {
    for (const {target, isIntersecting} of entries) {
      const row = this.rows.get(target)!;
      if (isIntersecting && !row.visible) row.draw();
      row.visible = isIntersecting;
    }
  }, {rootMargin: "200px"});

  constructor(
      private readonly report: TimelineData, private readonly clock: Clock,
      private readonly tip: Tip) {
    this.view =
        new View(this.area, Math.max(1e-3, report.time.seconds), moving => this.draw(moving));
    this.area.append(
        html("div", {class: "row axis-row"}, html("div", {}), this.axis), this.lanes, this.used,
        this.others, this.training);
    this.put(report);
    this.explainItems();
    this.section = section(
        "timeline", "Timeline", this.toolbar(), this.legend, this.hint(), this.hatch(), this.area);
  }

  // Called when the page has its size.
  start(): void {
    new ResizeObserver(() => this.resize()).observe(this.area);
    window.addEventListener("beforeprint", () => {
      for (const row of this.rows.values()) row.draw();
    });
    this.resize();
    this.view.restore();
  }

  // Called when another timeline replaces this one.
  remove(): void {
    this.seen.disconnect();
  }

  // Applies the changes of a run that goes on, and draws the visible rows.
  update(change: Change, seconds: number): void {
    this.report.time.seconds = seconds;
    this.clock.extend(seconds);
    this.report.lines = Object.assign(this.report.lines ?? {}, change.lines);
    this.put(change);
    for (const {lane} of this.pictures.values())
      if (lane.open && lane.spans.length) lane.spans[lane.spans.length - 1].to = seconds;
    this.view.extend(Math.max(1e-3, seconds));
    this.view.refresh();
  }

  // Gives the focus to the lane with this ID.
  focus(lane: string): void {
    this.laneRows.get(lane)?.track.focus();
  }

  private resize(): void {
    const all = this.area.getBoundingClientRect(), track = this.axis.getBoundingClientRect();
    this.view.resize(track.left - all.left, track.width);
  }

  // Lanes are sketches while the user moves a view with many items.
  private draw(isMoving: boolean): void {
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
    const isSketch = isMoving && this.drawn > MOST_ITEMS;
    if (!isMoving) this.drawn = 0;
    for (const row of this.rows.values())
      if (row.visible) isSketch && row.sketch ? row.sketch() : row.draw();
  }

  private put(change: Omit<Change, "lines">): void {
    const known = new Set([...this.pictures.keys(), ...change.lanes.map(lane => lane.id)]);
    for (const lane of change.lanes)
      if (lane.heading) this.putLane(lane);
    if (change.marks.some(mark => mark.lane === null || !known.has(mark.lane)) &&
        !this.pictures.has(WORLD.id))
      this.putLane(WORLD);
    for (const lane of change.lanes)
      if (!lane.heading) this.putLane(lane);
    for (const mark of change.marks)
      (this.pictures.get(mark.lane ?? "") ?? this.pictures.get(WORLD.id)!).marks.push(mark);
    for (const pool of change.pools) this.putPool(pool);
    if (change.training?.length) this.putTraining(change.training);
    this.explainColours(change);
  }

  private putLane(lane: Lane): void {
    const known = this.pictures.get(lane.id);
    if (known) {
      known.lane = lane;
      this.entitleLane(this.laneRows.get(lane.id)!, lane);
      return;
    }
    const zone = lane.pool?.split("/").pop();
    const heading = lane.heading ?? (zone ? `Zone ${zone}` : "Operator, groups and jobs");
    let group = this.groups.get(heading);
    if (!group) {
      group = html("div", {}, html("h3", {}, heading));
      this.groups.set(heading, group);
      this.lanes.append(group);
    }
    const picture = new LanePicture(lane, this.clock);
    this.pictures.set(lane.id, picture);
    this.addLane(picture, group);
  }

  private addLane(picture: LanePicture, group: HTMLElement): void {
    const row = this.addRow(picture.height, group, track => {
      const items = picture.draw(this.view.scale, this.view.settings.hidden);
      this.drawn += items.length;
      for (const item of items) this.name(item);
      const focused = track !== document.activeElement && track.contains(document.activeElement);
      track.replaceChildren(...items.map(item => item.element));
      if (focused) track.focus({preventScroll: true});
    });
    row.sketch = () =>
        row.track.replaceChildren(...picture.sketch(this.view.scale, this.view.settings.hidden));
    this.laneRows.set(picture.lane.id, row);
    this.entitleLane(row, picture.lane);
  }
  private entitleLane(row: Row, {kind, name, id, heading}: Lane): void {
    this.entitle(row, name, name === id || heading ? kind : id, `${kind} ${name} ${id}`);
  }

  private putPool(pool: Pool): void {
    this.putChart(
        pool.pool, pool.capacity.length ? "dollars an hour; instances that fit" : "dollars an hour",
        new PoolChart(pool, this.report.time), pool.used ? this.used : this.others);
  }

  private putTraining(pieces: Piece[]): void {
    this.training.hidden = false;
    this.putChart(
        "steps", "dashed: done twice or lost",
        new StepChart(pieces, this.report.result?.steps_total ?? 0), this.training);
    if (pieces.some(piece => piece.loss.length))
      this.putChart("loss", "as the trainer reports it", new LossChart(pieces), this.training);
  }

  private putChart(name: string, detail: string, chart: Chart, parent: HTMLElement): void {
    const known = this.charts.get(name);
    const label = `${name}: ${chart.summary}`;
    if (known) {
      known.chart = chart;
      this.entitle(known.row, name, detail, label);
      if (known.row.element.parentElement !== parent) parent.append(known.row.element);
      return;
    }
    const shown = {chart} as ChartRow;
    shown.row = this.addRow(
        chart.height, parent, own => own.replaceChildren(...shown.chart.draw(this.view.scale)));
    this.entitle(shown.row, name, detail, label);
    this.charts.set(name, shown);
    const {track} = shown.row;
    const note = (second: number): Note =>
        ({title: `${this.clock.text(second)} ${name}`, text: shown.chart.at(second), lines: []});
    select(track)
        .on("mousemove",
            () => {
              const second = this.view.scale.invert(mouse(track)[0]);
              this.tip.show(note(second), event.clientX, event.clientY);
            })
        .on("mouseleave", () => this.tip.hide());
  }

  private addRow(height: number, parent: HTMLElement, draw: (track: SVGSVGElement) => void): Row {
    const track = svg("svg", {height, role: "group", tabindex: 0});
    track.addEventListener("keydown", event => this.move(track, event));
    const label = html("div", {class: "label"});
    const element = html("div", {class: "row"}, label, track);
    parent.append(element);
    const row = {element, label, track, visible: false, draw: () => draw(track)};
    this.rows.set(element, row);
    this.seen.observe(element);
    return row;
  }
  // `spoken` is the name for screen readers.
  private entitle({label, track}: Row, name: string, detail: string, spoken: string): void {
    label.title = `${name} ${detail}`;
    label.replaceChildren(html("b", {}, name), html("small", {}, detail));
    track.setAttribute("aria-label", spoken);
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
      afterScrolling(() => {
        if (focused.element !== document.activeElement) return;
        const track = focused.element.closest("svg")!.getBoundingClientRect();
        const x = Math.max(0, Math.min(this.view.scale(focused.at), track.width));
        this.tip.show(focused.note, track.left + x, track.bottom - 10);
      });
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
        button("all", "show all of the time", () => this.view.all()));
    const others = this.report.pools.filter(pool => !pool.used).length;
    if (others)
      bar.append(this.box(
          `${others} more pools`, () => this.view.settings.allPools,
          on => this.view.settings.allPools = on));
    return bar;
  }

  private hint(): HTMLElement {
    return html(
        "p", {class: "hint"},
        "Ctrl or Shift and the wheel zoom, dragging moves. Keys on a " +
            "lane: arrows go from item to item, + − 0 zoom, Shift and arrows move.");
  }

  private explainColours(change: Omit<Change, "lines">): void {
    const before = this.kinds.size;
    for (const mark of change.marks) this.kinds.add(mark.kind);
    for (const lane of change.lanes)
      for (const span of lane.spans) this.kinds.add(span.what);
    if (this.kinds.size === before) return;
    const marks = html("div", {class: "legend", "aria-label": "Marks"});
    for (const {kind, name, symbol: shape, colour} of MARKS)
      if (this.kinds.has(kind))
        marks.append(this.box(
            name, () => !this.view.settings.hidden.has(kind),
            on => on ? this.view.settings.hidden.delete(kind) : this.view.settings.hidden.add(kind),
            sample(shape, colour)));
    const spans = html("div", {class: "legend", "aria-label": "Colours of instances"});
    for (const [what, {name, colour, hatched}] of Object.entries(COLUMNS))
      if (this.kinds.has(what)) spans.append(html("span", {}, swatch(colour, hatched), name));
    this.legend.replaceChildren(spans, marks);
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

// The time of a tick in 24 hours, with no more parts than distinguish two ticks.
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
