// The table of a live page's instances, with the buttons that interrupt them.
import {html, section} from "../dom";

import {Actions, button} from "./actions";
import {Instance} from "./data";

const MOST = 500;  // rows
const COLUMNS = ["instance", "state", "pool", "rented", "launched", "notice", ""];
const UP = ["pending", "running"];

export class Instances {
  readonly section: HTMLElement;
  private readonly body = html("tbody");
  private readonly rest = html("p", {class: "hint"});
  private readonly rows = new Map<string, HTMLElement>();
  private readonly all = new Map<string, Instance>();  // that have not ended
  private ended = 0;

  constructor(private readonly actions: Actions) {
    const head = html("tr", {}, ...COLUMNS.map(name => html("th", {scope: "col"}, name)));
    this.section = section(
        "instances", "Instances",
        html(
            "div", {class: "scroll", tabindex: 0},
            html("table", {}, html("thead", {}, head), this.body)),
        this.rest);
    this.count();
  }

  clear(): void {
    this.rows.clear();
    this.all.clear();
    this.ended = 0;
    this.body.replaceChildren();
    this.count();
  }
  // The number of pending and running instances.
  up(): number {
    return [...this.all.values()].filter(one => UP.includes(one.state)).length;
  }
  put(changed: Instance[]): void {
    for (const one of changed) {
      const row = this.rows.get(one.instance);
      if (one.state === "terminated") {
        this.ended += 1;
        this.all.delete(one.instance);
        this.rows.delete(one.instance);
        row?.remove();
        continue;
      }
      this.all.set(one.instance, one);
      if (row)
        row.replaceChildren(...this.cells(one));
      else if (this.rows.size < MOST)
        this.show(one);
    }
    if (this.rows.size < Math.min(MOST, this.all.size))
      for (const one of this.all.values())
        if (!this.rows.has(one.instance) && this.rows.size < MOST) this.show(one);
    this.count();
  }

  private show(one: Instance): void {
    const row = html("tr", {"data-instance": one.instance}, ...this.cells(one));
    this.rows.set(one.instance, row);
    this.body.append(row);
  }
  private cells(one: Instance): HTMLElement[] {
    const texts = [
      one.instance, one.state, one.pool, one.spot ? "spot" : "on demand",
      one.launched_at.slice(0, 19), one.notice_at?.slice(0, 19) ?? "–"
    ];
    return [...texts.map(text => html("td", {}, text)), html("td", {}, ...this.buttons(one))];
  }
  private buttons({instance, state, spot, notice_at}: Instance): HTMLElement[] {
    if (!spot) return [];
    const up = UP.includes(state);
    const strike = (text: string, how: string, label: string, possible: boolean) => button(
        text, `${label} ${instance}`, () => this.actions.act(how, "interrupt", {instance, how}),
        !possible);
    return [
      strike("interrupt", "notice", "give a notice and interrupt", up && !notice_at),
      strike("rebalance", "rebalance", "recommend a rebalance to", up && !notice_at),
      strike("take now", "hard", "take without a notice", up)
    ];
  }
  private count(): void {
    const hidden = this.all.size - this.rows.size;
    this.rest.textContent = [
      this.all.size ? "" : "No instance is up.", hidden ? `${hidden} more are not shown.` : "",
      this.ended ? `${this.ended} have ended.` : ""
    ].filter(text => text).join(" ");
  }
}
