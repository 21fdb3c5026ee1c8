// The page of an exploration: the run without a fault with its strike points, and the failures.
import {Lane} from "../data";
import {html, number, section} from "../dom";
import {Clock} from "../format";
import {Timeline} from "../timeline";
import {Tip} from "../tip";

import {ExploreReport, Failure, kindOf, laneOf, markOf, StrikePoint} from "./data";

export class ExplorePage {
  private readonly clock: Clock;
  private readonly tip: Tip;
  private readonly timeline: Timeline;

  constructor(private readonly report: ExploreReport, private readonly main: HTMLElement) {
    const {run, points} = report;
    this.clock = new Clock(run.time.begin, run.time.seconds);
    this.tip = new Tip(run.lines);
    const marks = points.map(point => markOf(point, this.at(point)));
    this.timeline = new Timeline(
        {...run, lanes: [...lanes(points), ...run.lanes], marks: [...marks, ...run.marks]},
        this.clock, this.tip);
  }

  start(): void {
    document.title = `${this.report.scenario}: exploration – spotsim`;
    this.main.append(
        this.heading(), html("div", {class: "beside"}, this.timeline.section, this.failures()),
        this.coverage(), this.words());
    this.timeline.start();
  }

  private at(point: StrikePoint): number {
    const {begin, seconds} = this.report.run.time;
    return Math.min(seconds, Math.max(0, (Date.parse(point.at) - Date.parse(begin)) / 1000));
  }

  private heading(): HTMLElement {
    const {scenario, seed, guest, failures, runs, strike_points, instants, complete} = this.report;
    const bad = failures.length;
    const figure = (title: string, value: number, key: string) => html(
        "div", {class: "figure"}, html("dt", {}, title),
        html("dd", {}, number(value, String(value), key)));
    return html(
        "header", {},
        html(
            "h1", {}, `${scenario} `,
            html(
                "span", {class: bad ? "badge bad" : "badge good"},
                bad ? `${bad} ${bad === 1 ? "plan breaks" : "plans break"} it` : "nothing broke")),
        html(
            "p", {class: "hint"},
            `seed ${seed}, ${guest} guests${complete ? "" : "; the search is not complete"}`),
        html(
            "dl", {class: "figures"}, figure("runs", runs, "runs"),
            figure("strike points", strike_points, "strike_points"),
            figure("instants", instants, "instants"),
            figure("pairs of faults", this.report.pairs, "pairs"),
            figure("failing plans", bad, "failures")));
  }

  private failures(): HTMLElement {
    const {failures} = this.report;
    return section(
        "broken", "What broke",
        failures.length ?
            html("ol", {class: "failures"}, ...failures.map(one => this.failure(one))) :
            html("p", {class: "hint"}, "No plan broke anything that must hold."));
  }

  private failure(failure: Failure): HTMLElement {
    const {sentence, invariant, found, faults, alike, command, lines, console: last} = failure;
    const item = html(
        "li", {}, html("strong", {}, sentence), " ", html("code", {}, invariant),
        html("div", {class: "found"}, `found ${found}`),
        ...failure.also.map(
            other => html("div", {class: "found"}, `also ${other.invariant}: ${other.found}`)),
        ...faults.map(fault => html("pre", {}, `fault ${fault}`)));
    if (!faults.length) item.append(html("div", {}, "without a fault"));
    const strikes =
        this.report.points.filter(point => point.broken.some(one => faults.includes(one.fault)));
    if (strikes.length)
      item.append(html(
          "button", {type: "button", click: () => this.showPoint(strikes[0])},
          "show where it strikes"));
    if (alike > 1) item.append(html("div", {class: "hint"}, `and ${alike - 1} plans like it`));
    const details = (name: string, text: string[]) => text.length ?
        [html(
            "details", {}, html("summary", {}, name), ...text.map(line => html("pre", {}, line)))] :
        [];
    item.append(
        ...details(`${lines.length} lines of the log`, lines),
        ...details("the end of the consoles", last), html("pre", {class: "command"}, command));
    return item;
  }

  // Shows the time around the point, a twentieth of the run.
  private showPoint(point: StrikePoint): void {
    const {seconds} = this.report.run.time, at = this.at(point), half = seconds / 40;
    const from = Math.max(0, Math.min(at - half, seconds - 2 * half));
    this.timeline.view.show(from, from + 2 * half);
    this.timeline.focus(laneOf(point));
  }

  private coverage(): HTMLElement {
    const {singles, points} = this.report;
    const broke = new Map<string, number>();
    for (const {fault} of points.flatMap(point => point.broken))
      broke.set(kindOf(fault), (broke.get(kindOf(fault)) ?? 0) + 1);
    const row = (kind: string, numbers: number[]) => html(
        "tr", {}, html("th", {scope: "row"}, kind),
        ...numbers.map(
            (value, i) => html(
                "td", {class: i === 3 && value ? "bad" : ""},
                number(value, String(value), ["points", "tried", "no_effect", "broke"][i]))));
    const rows = Object.entries(singles).map(
        ([
          kind, one
        ]) => [kind,
               [one.points, one.tried, one.no_effect, broke.get(kind) ?? 0]] as [string, number[]]);
    const sums = rows.reduce((all, [, one]) => all.map((sum, i) => sum + one[i]), [0, 0, 0, 0]);
    const heads = ["kind of fault", "places", "tried", "no effect", "broke something"];
    return section(
        "coverage", "Single faults",
        html(
            "div", {class: "scroll", tabindex: 0},
            html(
                "table", {class: "numbers"},
                html(
                    "thead", {},
                    html("tr", {}, ...heads.map(head => html("th", {scope: "col"}, head)))),
                html(
                    "tbody", {}, ...rows.map(([kind, numbers]) => row(kind, numbers)),
                    html(
                        "tr", {class: "total"}, html("th", {scope: "row"}, "all"),
                        ...sums.map(sum => html("td", {}, String(sum))))))));
  }

  private words(): HTMLElement {
    return html(
        "p", {class: "hint"},
        "A fault has no effect if the log is the same as without it. A point at the same instant " +
            "as an earlier one is struck there.");
  }
}

// One lane of strike points for each machine.
function lanes(points: StrikePoint[]): Lane[] {
  const machines = new Map(points.map(point => [laneOf(point), point.machine]));
  return [...machines].map(
      ([id, machine]): Lane => ({
        kind: "strikes",
        id,
        name: /^\d+$/.test(machine) ? `instance ${machine}` : machine || "the cloud",
        pool: null,
        heading: "Strike points",
        spans: []
      }));
}
