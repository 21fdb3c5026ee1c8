// The page's texts and tables: figures, ledgers, attempts, verdicts, assumptions.
import {COLUMNS, look, MONEY} from "./colours";
import {Attempt, Report, Verdict} from "./data";
import {html, number, section} from "./dom";
import {Clock, duration, percent, usd} from "./format";
import {Tip} from "./tip";

function figure(title: string, ...value: (Node|string)[]): HTMLElement {
  return html("div", {class: "figure"}, html("dt", {}, title), html("dd", {}, ...value));
}

export function heading({result, time}: Report): HTMLElement {
  const good = result.outcome === "completed";
  const figures = html(
      "dl", {class: "figures"},
      figure(
          "virtual time",
          number(result.makespan_seconds, duration(result.makespan_seconds), "makespan_seconds")),
      figure("cost", number(result.cost_usd, usd(result.cost_usd), "cost_usd")));
  if (result.baseline_cost_usd !== null)
    figures.append(figure(
        "on demand",
        number(result.baseline_cost_usd, usd(result.baseline_cost_usd), "baseline_cost_usd")));
  figures.append(figure(
      "savings",
      result.savings === null ? `unknown: ${result.savings_unknown}` :
                                number(result.savings, percent(result.savings), "savings")));
  figures.append(
      figure("steps", number(result.steps_total, String(result.steps_total), "steps_total")),
      figure(
          "lost",
          number(result.lost_progress.steps, `${result.lost_progress.steps} steps`, "lost_steps"),
          `, ${duration(result.lost_progress.seconds)}`),
      figure(
          "checkpoints took",
          number(
              result.checkpoint_overhead_seconds, duration(result.checkpoint_overhead_seconds),
              "checkpoint_overhead_seconds")),
      figure(
          "restarts took",
          number(
              result.restart_overhead_seconds, duration(result.restart_overhead_seconds),
              "restart_overhead_seconds")));
  if (result.deadline_met !== null)
    figures.append(figure("deadline", result.deadline_met ? "met" : "missed"));
  const missing = result.missing_actions.map(
      ({service, action, caller}) => html(
          "p", {class: "cause"},
          `spotsim does not have the AWS action ${service} ${action}: calls of ${
              caller} returned an error`));
  const head = html(
      "header", {}, ...missing,
      html(
          "h1", {}, result.scenario, " ",
          html("span", {class: good ? "badge good" : "badge bad"}, result.outcome)),
      html(
          "p", {class: "hint"},
          `seed ${result.seed}, ${result.guest} guests, from ${time.begin.slice(0, 19)}Z`));
  if (result.cause)
    head.append(html("p", {class: "cause"}, `${result.cause.machine}: ${result.cause.why}`));
  head.append(figures);
  return head;
}

interface Part {
  key: string;
  name: string;
  colour: string;
  hatched?: boolean;
  value: number;
}

// A bar for each part, scaled to the greatest part, and one bar with all parts side by side.
function ledger(
    parts: Part[], total: number, whole: number, text: (value: number) => string): HTMLElement {
  const stack = html("div", {
    class: "stack",
    role: "img",
    "aria-label": parts.filter(part => part.value > 0)
                      .map(part => `${part.name} ${text(part.value)}`)
                      .join(", ")
  });
  const table = html("table", {class: "ledger"});
  for (const part of parts) {
    const share = total > 0 ? part.value / total : 0;
    const style =
        `width:${100 * (whole > 0 ? part.value / whole : 0)}%;background-color:${part.colour}`;
    const kind = part.hatched ? "hatched" : "plain";
    stack.append(html("span", {class: kind, style, title: `${part.name} ${text(part.value)}`}));
    table.append(html(
        "tr", {},
        html(
            "th", {scope: "row"},
            html("i", {class: kind, style: `background-color:${part.colour}`}), part.name),
        html("td", {}, number(part.value, text(part.value), part.key)),
        html("td", {}, percent(share))));
  }
  table.append(html(
      "tr", {class: "total"}, html("th", {scope: "row"}, "total"), html("td", {}, text(total)),
      html("td", {}, "")));
  return html("div", {}, stack, table);
}

export function ledgers({result}: Report): HTMLElement {
  const {billed, waiting, ...columns} = result.time_ledger_seconds;
  const time = Object.entries(columns).map(
      ([key, value]) => ({...look(key), key: `time_ledger_seconds.${key}`, value}));
  const {total, ...kinds} = result.money_ledger_usd;
  const money = Object.entries(kinds).map(([key, value]) => ({
                                            name: key,
                                            colour: MONEY[key] ?? COLUMNS.prepare.colour,
                                            key: `money_ledger_usd.${key}`,
                                            value
                                          }));
  const baseline = result.baseline_cost_usd;
  const waited = html(
      "p", {class: "hint"}, "Without an instance, not billed: ",
      number(waiting, duration(waiting), "time_ledger_seconds.waiting"));
  const moneyBox = html(
      "div", {}, html("h3", {}, "Money"),
      ledger(money, total, Math.max(total, baseline ?? 0), usd));
  if (baseline !== null)
    moneyBox.append(html(
        "p", {class: "hint"},
        `The bar's full width is ${
            usd(Math.max(total, baseline))}: the same job on demand and uninterrupted costs ${
            usd(baseline)}.`));
  return section(
      "ledgers", "Where time and money went",
      html(
          "div", {class: "columns"},
          html(
              "div", {}, html("h3", {}, "Time, billed"), ledger(time, billed, billed, duration),
              waited),
          moneyBox));
}

const ATTEMPTS: [string, (a: Attempt, clock: Clock) => string | Node][] = [
  ["#", a => String(a.number)],
  ["instance", a => a.instance_id],
  ["pool", a => `${a.instance_type}/${a.availability_zone}`],
  ["rented", a => a.lifecycle],
  ["launched", (a, clock) => clock.text(clock.at(a.launched_at))],
  ["first step", (a, clock) => a.first_step_at ? clock.text(clock.at(a.first_step_at)) : "–"],
  ["notice", (a, clock) => a.notice_at ? clock.text(clock.at(a.notice_at)) : "–"],
  ["ended", (a, clock) => a.ended_at ? clock.text(clock.at(a.ended_at)) : "–"],
  ["why", a => a.end_reason],
  ["kept", a => number(a.steps_kept, String(a.steps_kept), "steps_kept")],
  [
    "lost",
    a => number(a.steps_done - a.steps_kept, String(a.steps_done - a.steps_kept), "steps_lost")
  ],
  ["billed", a => duration(a.billed_seconds)],
  ["cost", a => number(a.cost_usd, usd(a.cost_usd), "attempt_cost_usd")],
];

export function attempts({result}: Report, clock: Clock): HTMLElement {
  const body = result.attempts.map(
      attempt =>
          html("tr", {}, ...ATTEMPTS.map(([, cell]) => html("td", {}, cell(attempt, clock)))));
  return section(
      "attempts", "Attempts",
      html(
          "div", {class: "scroll", tabindex: 0},
          html(
              "table", {},
              html(
                  "thead", {},
                  html("tr", {}, ...ATTEMPTS.map(([name]) => html("th", {scope: "col"}, name)))),
              html("tbody", {}, ...body))));
}

function verdict(one: Verdict, numbers: Map<string, number>, tip: Tip): HTMLElement {
  const excused = !one.holds && one.excused_by !== undefined;
  const word = one.holds ? "holds" : excused ? "excused" : "FAILS";
  const item = html(
      "li", {class: word},
      html(
          "span", {class: "word"},
          `${
              one.holds   ? "✓" :
                  excused ? "~" :
                            "✗"} ${word}`),
      " ", one.expect ?? one.name ?? "");
  if (one.id) item.append(" ", html("code", {}, one.id));
  if (one.found && !(one.holds && one.expect?.endsWith(`: ${one.found}`)))
    item.append(html("span", {class: "found"}, `, found ${one.found}`));
  if (one.at) item.append(html("span", {class: "found"}, `, at ${one.at.slice(11, 19)}`));
  if (one.lines?.length)
    item.append(html(
        "details", {open: !one.holds}, html("summary", {}, `${one.lines.length} lines of the log`),
        ...one.lines.map(text => {
          const line = numbers.get(text);
          return line ? tip.line(line) : html("pre", {}, text);
        })));
  return item;
}

export function verdicts({result, lines}: Report, tip: Tip): HTMLElement[] {
  const numbers = new Map(Object.entries(lines).map(([line, text]) => [text, Number(line)]));
  return ([
           ["expectations", "Expectations", result.expectations],
           ["invariants", "Invariants", result.invariants]
         ] as const)
      .map(([id, title, list]) => {
        const sorted = [...list].sort((a, b) => Number(a.holds) - Number(b.holds));
        return section(
            id, title,
            list.length ?
                html("ul", {class: "verdicts"}, ...sorted.map(one => verdict(one, numbers, tip))) :
                html("p", {class: "hint"}, "The scenario states none."));
      });
}

export function background({result, command}: Report): HTMLElement[] {
  return [
    section(
        "assumptions", "Assumptions",
        html("ul", {}, ...result.assumptions.map(text => html("li", {}, text)))),
    section(
        "command", "Run it again",
        command ? html("pre", {class: "command"}, command) :
                  html("p", {class: "hint"}, "The folder of this run has no command.txt.")),
  ];
}
