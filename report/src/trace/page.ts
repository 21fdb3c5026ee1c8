// The page of a trace: prices, capacity and interruptions of each pool, with statistics.
import {Pool, TimelineData} from "../data";
import {html, number, section} from "../dom";
import {Clock, percent} from "../format";
import {Timeline} from "../timeline";
import {Tip} from "../tip";

type Statistics = Record<string, number|string|null>;

interface TracePool extends Pool {
  from: number;
  to: number;
  price_statistics: Statistics|null;
  capacity_statistics: Statistics|null;
}

export interface TraceReport {
  schema: number;
  kind: "trace";
  time: {begin: string, seconds: number};
  sources: {file: string, format: string, meaning: string}[];
  pools: TracePool[];
  correlations: {a: string, b: string, correlation: number|null}[];
}

// The key of a statistic, its heading, and its text.
type Column = [string, string, (value: number) => string];
const hours = (value: number) => `${value.toFixed(2)} h`;
const dollars = (value: number) => `$${value.toFixed(4)}`;
const CAPACITY: Column[] = [
  ["hours", "length", hours], ["available", "available", percent],
  ["interruptions", "interruptions", String],
  ["mean_time_between_interruptions_hours", "mean time between them", hours],
  ["mean_up_hours", "mean time with capacity", hours],
  ["mean_down_hours", "mean time without", hours]
];
const PRICE: Column[] = [
  ["points", "prices", String], ["p5", "5 %", dollars], ["p50", "median", dollars],
  ["p95", "95 %", dollars], ["mean", "mean", dollars],
  ["changes_a_day", "changes a day", value => value.toFixed(2)]
];

function day(clock: Clock, second: number): string {
  return clock.date(second).toISOString().slice(0, 16).replace("T", " ");
}

export class TracePage {
  constructor(private readonly report: TraceReport, private readonly main: HTMLElement) {}

  start(): void {
    const {time, pools, sources} = this.report;
    const clock = new Clock(time.begin, time.seconds), tip = new Tip({});
    const data: TimelineData = {time, lanes: [], marks: [], pools, training: []};
    const timeline = new Timeline(data, clock, tip);
    const one = sources.length === 1;
    const name = one ? sources[0].file.split("/").pop()! : `${sources.length} traces`;
    document.title = `${name}: trace – spotsim`;
    this.main.append(
        html(
            "header", {}, html("h1", {}, name),
            html(
                "details", {class: "hint", open: one}, html("summary", {}, "files"),
                ...sources.map(
                    ({file, format, meaning}) =>
                        html("div", {}, `${file}: ${format}, ${meaning}`))),
            html(
                "p", {class: "hint"},
                `${pools.length} pools, from ${day(clock, 0)} to ${day(clock, time.seconds)} UTC`)),
        timeline.section, ...this.statistics("capacity", "Capacity", CAPACITY),
        ...this.statistics("prices", "Prices", PRICE), ...this.correlations());
    timeline.start();
  }

  private statistics(id: "capacity"|"prices", title: string, columns: Column[]): HTMLElement[] {
    const of = (pool: TracePool) =>
        id === "prices" ? pool.price_statistics : pool.capacity_statistics;
    const pools = this.report.pools.filter(of);
    if (!pools.length) return [];
    const cell = (pool: TracePool, [key, , text]: Column) => {
      const value = of(pool)![key];
      return html("td", {}, value === null ? "–" : number(Number(value), text(Number(value)), key));
    };
    return [section(
        id, title,
        html(
            "div", {class: "scroll", tabindex: 0},
            html(
                "table", {class: "numbers"},
                html(
                    "thead", {},
                    html(
                        "tr", {}, html("th", {scope: "col"}, "pool"),
                        ...columns.map(([, head]) => html("th", {scope: "col"}, head)))),
                html(
                    "tbody", {},
                    ...pools.map(
                        pool => html(
                            "tr", {}, html("th", {scope: "row"}, pool.pool),
                            ...columns.map(column => cell(pool, column))))))))];
  }

  // The correlations of pools, if there are few pools. The table has numbers; it is blue where two
  // pools move together and orange where they move apart.
  private correlations(): HTMLElement[] {
    const pairs = this.report.correlations;
    if (!pairs.some(pair => pair.correlation !== null)) return [];
    const names = this.report.pools.map(pool => pool.pool);
    const found = new Map(pairs.flatMap(
        ({a, b, correlation}) => [[`${a}\n${b}`, correlation], [`${b}\n${a}`, correlation]]));
    const cell = (a: string, b: string) => {
      const value = found.get(`${a}\n${b}`);
      if (value === undefined || value === null) return html("td", {}, a === b ? "" : "–");
      const colour = `color-mix(in srgb, ${value < 0 ? "#e69f00" : "#56b4e9"} ${
          Math.round(100 * Math.abs(value))}%, transparent)`;
      return html(
          "td", {style: `background:${colour}`}, number(value, value.toFixed(2), "correlation"));
    };
    return [section(
        "correlations", "Correlation of two pools",
        html(
            "div", {class: "scroll", tabindex: 0},
            html(
                "table", {class: "heat"},
                html(
                    "thead", {},
                    html(
                        "tr", {}, html("th", {}),
                        ...names.map(name => html("th", {scope: "col"}, name)))),
                html(
                    "tbody", {},
                    ...names.map(
                        a => html(
                            "tr", {}, html("th", {scope: "row"}, a),
                            ...names.map(b => cell(a, b))))))))];
  }
}
