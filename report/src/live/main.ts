// The page of `spotsim serve --ui`: the cloud as it is now, and its timeline so far.
import {Report} from "../data";
import {html} from "../dom";
import {Clock, duration, usd} from "../format";
import {Timeline} from "../timeline";
import {Tip} from "../tip";

import {Actions} from "./actions";
import {Stream} from "./control";
import {Update, World} from "./data";
import {Instances} from "./instances";

class Page {
  private readonly title = html("h1", {}, "spotsim serve");
  private readonly badge = html("span", {class: "badge bad", id: "connection"}, "connecting");
  private readonly hint = html("p", {class: "hint"});
  private readonly figures = new Map<string, HTMLElement>();
  private readonly place = html("div");
  private readonly actions = new Actions();
  private readonly instances = new Instances(this.actions);
  private timeline: Timeline|null = null;
  private tip: Tip|null = null;

  constructor(main: HTMLElement) {
    const list = html("dl", {class: "figures"});
    for (const name of ["virtual time", "since the start", "instances up", "requests", "cost"]) {
      const value = html("dd", {}, "–");
      this.figures.set(name, value);
      list.append(html("div", {class: "figure"}, html("dt", {}, name), value));
    }
    main.append(
        html("header", {}, html("div", {class: "titled"}, this.title, this.badge), this.hint, list),
        this.actions.element, this.actions.said, this.instances.section, this.place);
  }

  connected(is: boolean, why: string): void {
    this.badge.className = is ? "badge good" : "badge bad";
    this.badge.textContent = is ? "live" : "not connected";
    this.badge.title = why;
  }

  take(update: Update): void {
    if (update.world)
      this.begin(update.world, update);
    else
      this.timeline?.update(update, update.seconds);
    this.instances.put(update.instances);
    this.actions.addPools(update.pools.map(pool => pool.pool));
    this.show("virtual time", `${update.now.slice(0, 19).replace("T", " ")}`);
    this.show("since the start", duration(update.seconds));
    this.show("instances up", String(this.instances.up()));
    this.show("requests", String(update.calls));
    this.show("cost", usd(update.cost_usd));
  }

  private show(name: string, text: string): void {
    this.figures.get(name)!.textContent = text;
  }

  // After a reset or a restart of the service a new world begins. The page forgets the old one.
  private begin(world: World, {seconds, lanes, marks, pools, training, lines}: Update): void {
    document.title = `${world.scenario} – spotsim serve`;
    this.title.textContent = world.scenario;
    this.hint.textContent =
        `seed ${world.seed}, speed ${world.speed}, from ${world.begin.slice(0, 19)}Z`;
    this.instances.clear();
    this.tip?.remove();
    this.timeline?.remove();
    const time = {begin: world.begin, seconds}, result = {steps_total: 0};
    const report = {time, result, lanes, marks, pools, training: training ?? [], lines};
    this.tip = new Tip(lines);
    this.timeline =
        new Timeline(report as unknown as Report, new Clock(world.begin, seconds), this.tip);
    this.place.replaceChildren(this.timeline.section);
    this.timeline.start();
  }
}

const page = new Page(document.getElementById("live")!);
new Stream(data => page.take(JSON.parse(data)), (is, why) => page.connected(is, why)).follow();
