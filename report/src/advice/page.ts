// The page of an advice: the verdict, then the pictures that support it.
import {html, number, section} from "../dom";
import {hoursText, percent, usd} from "../format";
import {figure, plotWidth} from "../plot";
import {Tip} from "../tip";

import {byInterval, byLife, byStrategy} from "./charts";
import {AdviceReport, placeOf} from "./data";

export class AdvicePage {
  private readonly tip = new Tip({});
  private width = 0;  // of the plots
  private readonly pictures = html("div", {class: "pictures"});

  constructor(private readonly report: AdviceReport, private readonly main: HTMLElement) {}

  start(): void {
    document.title = `${this.report.job.name}: advice – spotsim`;
    this.main.append(
        this.heading(), this.pictures, this.whatIfs(),
        section(
            "command", "To do it",
            html("pre", {class: "command"}, this.report.command.replace(/^  /gm, "").trim())),
        section("text", "The whole answer", html("pre", {class: "command"}, this.report.text)));
    new ResizeObserver(() => {
      if (plotWidth(this.main) !== this.width) this.draw();
    }).observe(this.main);
    this.draw();
  }

  private draw(): void {
    const width = this.width = plotWidth(this.main), {report} = this, life = byLife(report, width);
    const titles = [
      "Cost against checkpoint interval", "Cost against strategy",
      "If spot lasts half or double as long"
    ];
    const drawn = [
      report.saves.some(way => way.interval_h !== null) ? byInterval(report, width) : undefined,
      byStrategy(report, width), life
    ];
    this.pictures.replaceChildren(
        ...drawn.flatMap((drawing, i) => drawing ? [figure(titles[i], drawing, this.tip)] : []));
  }

  private heading(): HTMLElement {
    const {job, best, save, meaning, on_demand, optimum_usd, runs} = this.report;
    const entry = (title: string, ...value: (Node|string)[]) =>
        html("div", {class: "figure"}, html("dt", {}, title), html("dd", {}, ...value));
    const {mean, ci95} = best.cost_usd;
    const cost = entry("expected cost", number(mean, usd(mean), "cost_usd"));
    if (ci95 !== null) (cost.lastChild as Element).append(` ± ${usd(ci95)}`);
    const figures = html(
        "dl", {class: "figures"}, cost,
        entry("done in", number(best.done_h.mean, hoursText(best.done_h.mean), "done_h")),
        entry("95 % of the runs in", hoursText(best.done_h.p95)),
        entry("late", number(best.late_share, percent(best.late_share), "late_share")),
        entry(
            "on demand",
            number(on_demand.cost_usd.mean, usd(on_demand.cost_usd.mean), "on_demand_usd")),
        entry("saved", percent(1 - mean / on_demand.cost_usd.mean)));
    const {today} = this.report;
    if (today !== null)
      figures.append(entry(
          "today", number(today.cost_usd.mean, usd(today.cost_usd.mean), "today_usd")));
    if (optimum_usd !== null) figures.append(entry("at best, the future known", usd(optimum_usd)));
    return html(
        "header", {}, html("h1", {}, job.name),
        html(
            "p", {class: "hint"},
            `${hoursText(job.work_h)} of work on ${job.instance_type}, within ${
                hoursText(
                    job.deadline_h)}; ${runs} runs in ${job.windows} windows, seed ${job.seed}`),
        html("p", {class: "verdict"}, ...this.verdict(save)), html("p", {}, this.report.verdict),
        html("p", {class: "hint"}, meaning), figures);
  }

  private verdict(save: string|null): (Node|string)[] {
    const {best, job} = this.report;
    if (save === null) return ["Rent ", html("strong", {}, `${job.instance_type} on demand`), "."];
    return [
      "Save ", html("strong", {}, save), ". Rent ",
      html("strong", {}, `${job.instance_type} with ${best.strategy}`),
      ` in ${best.zones.join(", ")}.`
    ];
  }

  private whatIfs(): HTMLElement {
    const {best, what_ifs, next_best, today, types} = this.report;
    const base = best.cost_usd.mean;
    const heads = ["", "cost", "difference", "done in", "late", "saves by"];
    const row = (name: string, way: typeof best) => html(
        "tr", {}, html("th", {scope: "row"}, name),
        html("td", {}, number(way.cost_usd.mean, usd(way.cost_usd.mean), "what_if_usd")),
        html(
            "td", {},
            `${way.cost_usd.mean < base ? "−" : "+"}${usd(Math.abs(way.cost_usd.mean - base))}`),
        html("td", {}, hoursText(way.done_h.mean)), html("td", {}, percent(way.late_share)),
        html("td", {}, html("code", {}, way.policy)));
    const rows = [
      row("advised", best), ...(today ? [row("today", today)] : []),
      ...types.slice(1).map(type => row(`on ${type.instance_type}`, type.best)),
      ...next_best.map(way => row(`${way.strategy}, ${placeOf(way)}`, way)),
      ...what_ifs.flatMap(
          ({what, same, better}) =>
              [row(`what if: ${what}`, same),
               ...(better ? [row(`what if: ${what}, saved better`, better)] : [])])
    ];
    return section(
        "what-if", "Next best, and what if",
        html(
            "div", {class: "scroll", tabindex: 0},
            html(
                "table", {class: "numbers"},
                html(
                    "thead", {},
                    html("tr", {}, ...heads.map(head => html("th", {scope: "col"}, head)))),
                html("tbody", {}, ...rows))));
  }
}
