// A heat map of the mean cost over two keys of a sweep.
import {extent, mean} from "d3-array";
import {scaleLinear} from "d3-scale";

import {html} from "../dom";
import {usd} from "../format";

import {Row} from "./data";

// A table with numbers, which readers without colours can use. The colour goes from light to
// Okabe's blue.
export function heat(rows: Row[], across: string, down: string): HTMLElement {
  const values = (key: string) => [...new Set(rows.map(row => row.text(key)))];
  const cells = new Map<string, number|undefined>();
  for (const y of values(down))
    for (const x of values(across)) {
      const own = rows.filter(row => row.text(across) === x && row.text(down) === y);
      cells.set(`${y}\n${x}`, mean(own, row => row.number("cost_usd_mean")));
    }
  const [low, high] = extent([...cells.values()].filter(one => one !== undefined) as number[]);
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
      html(
          "table", {class: "heat"},
          html(
              "thead", {},
              html(
                  "tr", {}, html("th", {}, `${down} \\ ${across}`),
                  ...values(across).map(x => html("th", {scope: "col"}, x)))),
          html(
              "tbody", {},
              ...values(down).map(
                  y => html(
                      "tr", {}, html("th", {scope: "row"}, y),
                      ...values(across).map(x => cell(y, x)))))));
}
