// The summary of a sweep as a table that can be sorted and filtered.
import {html} from "../dom";
import {usd} from "../format";

import {Row, short} from "./data";

const MOST = 250;  // rows that are added to the page at a time

interface Column {
  name: string;
  value: (row: Row) => number | string;
  text: (row: Row) => string | Node;
}

function measure(name: string, column: string, form: (value: number) => string): Column {
  return {
    name,
    value: row => row.number(column) ?? Infinity,
    text: row => {
      const value = row.number(column);
      return value === undefined ? "–" : html("data", {value, "data-key": column}, form(value));
    },
  };
}

export class Table {
  readonly element: HTMLElement;
  private readonly columns: Column[];
  private readonly body = html("tbody");
  private readonly head = html("tr");
  private readonly more = html("div");
  private readonly count = html("p", {class: "hint", role: "status"});
  private sorted: {column: number, up: boolean};

  constructor(private rows: Row[], keys: string[], private readonly changed: () => void) {
    const share = (value: number) => `${(100 * value).toFixed(1)} %`;
    this.columns = [
      measure("rank", "rank", String),
      ...keys.map(key => ({
                    name: key,
                    value: (row: Row) => row.cell(key) ?? "",
                    text: (row: Row) => row.text(key)
                  })),
      measure("n", "n", String),
      measure("cost", "cost_usd_mean", usd),
      measure("±", "cost_usd_ci95", short),
      measure("− first", "dearer_than_first_usd_mean", short),
      measure("±", "dearer_than_first_usd_ci95", short),
      measure("hours", "makespan_h_mean", short),
      measure("±", "makespan_h_ci95", short),
      measure("late", "late_share", share),
      measure("savings", "savings", share),
      {
        name: "replay its first run",
        value: (row: Row) => row.command ?? "",
        text: (row: Row) => row.command ? html("code", {}, row.command) : "–"
      },
    ].filter(column => rows.some(row => ![Infinity, ""].includes(column.value(row))));
    this.sorted = {column: 0, up: true};
    this.element = html(
        "div", {}, this.count,
        html(
            "div", {class: "scroll", tabindex: 0},
            html("table", {}, html("thead", {}, this.head), this.body)),
        this.more);
    this.draw();
  }

  show(rows: Row[]): void {
    this.rows = rows;
    this.draw();
  }
  get sort(): string {
    return `${this.sorted.up ? "" : "-"}${this.sorted.column}`;
  }
  set sort(text: string) {
    const column = Math.abs(parseInt(text, 10) || 0);
    if (column < this.columns.length) this.sorted = {column, up: !text.startsWith("-")};
    this.draw();
  }

  private draw(): void {
    const {column, up} = this.sorted, {value} = this.columns[column];
    const keyed = this.rows.map(row => ({row, by: value(row)}));
    keyed.sort((a, b) => (a.by < b.by ? -1 : a.by > b.by ? 1 : 0) * (up ? 1 : -1));
    const rows = keyed.map(({row}) => row);
    this.head.replaceChildren(...this.columns.map((one, i) => this.header(one, i)));
    this.body.replaceChildren();
    this.add(rows, 0);
  }

  // The next rows, and a button for those after them.
  private add(rows: Row[], from: number): void {
    const to = Math.min(rows.length, from + MOST);
    this.body.append(...rows.slice(from, to).map(
        row => html("tr", {}, ...this.columns.map(one => html("td", {}, one.text(row))))));
    this.count.textContent =
        to < rows.length ? `${rows.length} rows, ${to} of them shown` : `${rows.length} rows`;
    const more = html(
        "button", {type: "button", click: () => this.add(rows, to)},
        `show ${Math.min(MOST, rows.length - to)} more rows`);
    this.more.replaceChildren(...(to < rows.length ? [more] : []));
  }

  private header({name}: Column, i: number): HTMLElement {
    const {column, up} = this.sorted, mine = column === i;
    const click = () => {
      this.sorted = {column: i, up: mine ? !up : true};
      this.draw();
      this.changed();
      (this.head.children[i].firstChild as HTMLElement).focus();
    };
    return html(
        "th", {scope: "col", "aria-sort": mine ? (up ? "ascending" : "descending") : "none"},
        html("button", {type: "button", click}, name, mine ? (up ? " ▲" : " ▼") : ""));
  }
}
