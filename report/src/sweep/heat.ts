// A heat map of the mean cost over two keys of a sweep.
import {extent} from "d3-array";
import {scaleLinear} from "d3-scale";

import {html} from "../dom";
import {usd} from "../format";

import {Row} from "./data";

const MOST = 60;  // rows and columns

// A table with numbers, which readers without colours can use. The colour goes from light to
// Okabe's blue.
export function heat(rows: Row[], across: string, down: string): HTMLElement {
  const sums = new Map<string, {cost: number, n: number}>();
  const columns = new Set<string>(), lines = new Set<string>();
  for (const row of rows) {
    const cost = row.number("cost_usd_mean"), x = row.text(across), y = row.text(down);
    if (columns.size < MOST) columns.add(x);
    if (lines.size < MOST) lines.add(y);
    if (cost === undefined) continue;
    const cell = sums.get(`${y}\n${x}`) ?? {cost: 0, n: 0};
    sums.set(`${y}\n${x}`, {cost: cell.cost + cost, n: cell.n + 1});
  }
  const cells = new Map<string, number>();
  for (const y of lines)
    for (const x of columns) {
      const sum = sums.get(`${y}\n${x}`);
      if (sum) cells.set(`${y}\n${x}`, sum.cost / sum.n);
    }
  const [low, high] = extent([...cells.values()]);
  const shade = scaleLinear<string>().domain([low ?? 0, high ?? 1]).range(["#f3f7fa", "#0072b2"]);
  const cell = (y: string, x: string) => {
    const cost = cells.get(`${y}\n${x}`);
    if (cost === undefined) return html("td", {}, "–");
    const dark = cost > ((low ?? 0) + (high ?? 1)) / 2;
    return html(
        "td", {style: `background:${shade(cost)};color:${dark ? "#fff" : "#000"}`}, usd(cost));
  };
  return html(
      "div", {class: "scroll", tabindex: 0},
      columns.size === MOST || lines.size === MOST ?
          html("p", {class: "hint"}, `at most the first ${MOST} values of a key`) :
          "",
      html(
          "table", {class: "heat"},
          html(
              "thead", {},
              html(
                  "tr", {}, html("th", {}, `${down} \\ ${across}`),
                  ...[...columns].map(x => html("th", {scope: "col"}, x || "–")))),
          html(
              "tbody", {},
              ...[...lines].map(
                  y => html(
                      "tr", {}, html("th", {scope: "row"}, y || "–"),
                      ...[...columns].map(x => cell(y, x)))))));
}
