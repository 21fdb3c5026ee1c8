// The page of a sweep.
import {html, section, svg} from "../dom";
import {Drawing, figure, plotWidth} from "../plot";
import {Note, Tip} from "../tip";

import {boxes, byInterval, Colours, differences, intervalKey, scatter} from "./charts";
import {Row, Sweep, SweepReport} from "./data";
import {heat} from "./heat";
import {Table} from "./table";

export class SweepPage {
  private readonly sweep: Sweep;
  private readonly tip = new Tip({});
  private readonly table: Table;
  private readonly group = html("select", {"aria-label": "setting and market"});
  private readonly filter =
      html("input", {type: "search", placeholder: "words of a variant", "aria-label": "filter"});
  private readonly across = html("select", {"aria-label": "key of the columns"});
  private readonly down = html("select", {"aria-label": "key of the rows"});
  private readonly pictures = html("div", {class: "pictures"});
  private readonly chosen = html("div", {id: "replay", role: "status"});
  private readonly map = html("div", {});
  private readonly legend = html("div", {class: "legend"});
  private readonly colours: Colours;
  private width = 0;  // of the plots

  constructor(private readonly report: SweepReport, private readonly main: HTMLElement) {
    this.sweep = new Sweep(report);
    this.colours = this.chooseColours();
    this.table = new Table(this.sweep.rows, this.sweep.keys, () => this.remember());
    const choose = (select: HTMLSelectElement, words: string[]) => {
      select.append(...words.map(word => html("option", {value: word}, word)));
      select.addEventListener("change", () => this.changed());
    };
    choose(this.group, this.sweep.groups());
    choose(this.across, this.sweep.keys);
    choose(this.down, this.sweep.keys);
    this.across.selectedIndex = Math.min(1, this.sweep.keys.length - 1);
    this.filter.addEventListener("input", () => this.changed());
  }

  start(): void {
    const {name, command} = this.report, several = this.sweep.keys.length > 1;
    document.title = `${name}: sweep – spotsim`;
    this.main.append(
        html(
            "header", {}, html("h1", {}, name),
            html("p", {class: "hint"}, `${this.sweep.rows.length} rows of summary.csv`)),
        html(
            "div", {class: "toolbar"}, html("label", {}, "setting ", this.group),
            html("label", {}, "filter ", this.filter)),
        this.legend, this.pictures, this.chosen,
        section("table", "All variants", this.table.element));
    if (several)
      this.main.append(section(
          "heat", "Mean cost over two keys",
          html(
              "div", {class: "toolbar"}, html("label", {}, "rows ", this.down),
              html("label", {}, "columns ", this.across)),
          this.map));
    this.main.append(section(
        "command", "Run it again",
        command ? html("pre", {class: "command"}, command) :
                  html("p", {class: "hint"}, "The folder of this sweep has no command.txt.")));
    this.drawLegend();
    this.restore();
    window.addEventListener("hashchange", () => this.restore());
    new ResizeObserver(() => {
      if (plotWidth(this.main) !== this.width) this.draw();
    }).observe(this.main);
  }

  // The last key with few values: most often the policy.
  private chooseColours(): Colours {
    const values = (key: string) => [...new Set(this.sweep.rows.map(row => row.text(key)))];
    const key = this.report.variants.filter(one => this.sweep.keys.includes(one))
                    .find(one => values(one).length <= 7);
    return new Colours(key, key ? values(key) : []);
  }
  private drawLegend(): void {
    for (const value of this.colours.values) {
      const row = this.sweep.rows.find(one => one.text(this.colours.key!) === value)!;
      const box =
          svg("svg", {width: 14, height: 12, "aria-hidden": "true"},
              svg("rect", {width: 14, height: 12, fill: this.colours.of(row)}));
      this.legend.append(html("span", {}, box, value));
    }
  }

  private matching(rows: Row[]): Row[] {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(word => word);
    if (!words.length) return rows;
    return rows.filter(row => {
      const text = `${row.group} ${row.label}`.toLowerCase();
      return words.every(word => text.includes(word));
    });
  }
  private changed(): void {
    this.draw();
    this.remember();
  }

  private draw(): void {
    const all = this.matching(this.sweep.rows);
    const ofGroup = this.sweep.rows.filter(row => row.group === this.group.value);
    const rows = all.filter(row => row.group === this.group.value);
    const width = this.width = plotWidth(this.main);
    const key = intervalKey(rows, this.report.variants);
    const drawings: [string, Drawing][] = [
      ["Cost against completion time", scatter(rows, this.colours, width)],
      ["Cost of each variant", boxes(rows, this.colours, width)],
    ];
    if (key)
      drawings.push([
        "Cost against checkpoint interval",
        byInterval(rows, key, this.report.settings, this.colours, width)
      ]);
    const paired = differences(rows, ofGroup[0], this.colours, width);
    if (paired) drawings.push(["Difference from the first variant", paired]);
    this.pictures.replaceChildren(...drawings.map(
        ([title, drawing]) => figure(title, drawing, this.tip, note => this.replay(note))));
    this.table.show(all);
    if (this.sweep.keys.length > 1)
      this.map.replaceChildren(heat(all, this.across.value, this.down.value));
  }

  // The command behind a point.
  private replay({title, command}: Note): void {
    this.chosen.replaceChildren(
        html(
            "p", {class: "hint"},
            command ? `${title}, its first run again:` :
                      `${title}: no command makes one of its runs alone.`),
        ...(command ? [html("pre", {class: "command"}, command)] : []));
    this.chosen.scrollIntoView({block: "nearest"});
  }

  private restore(): void {
    const words = new URLSearchParams(location.hash.slice(1));
    const pick = (select: HTMLSelectElement, word: string|null) => {
      if (word !== null && [...select.options].some(one => one.value === word)) select.value = word;
    };
    pick(this.group, words.get("setting"));
    pick(this.across, words.get("across"));
    pick(this.down, words.get("down"));
    this.filter.value = words.get("filter") ?? "";
    this.table.sort = words.get("sort") ?? "0";
    this.draw();
  }
  private remember(): void {
    const words = new URLSearchParams();
    if (this.group.selectedIndex > 0) words.set("setting", this.group.value);
    if (this.filter.value) words.set("filter", this.filter.value);
    if (this.table.sort !== "0") words.set("sort", this.table.sort);
    if (this.sweep.keys.length > 1) {
      words.set("across", this.across.value);
      words.set("down", this.down.value);
    }
    history.replaceState(null, "", `#${words}`);
  }
}
