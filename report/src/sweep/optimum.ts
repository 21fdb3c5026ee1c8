// The checkpoint interval with the least cost, by formula. The formulas need d, the time of a
// checkpoint, and M, the mean time between interruptions, from the table of a sweep.
// policies/checkpoint/interval.h has the formulas and their sources.
import {median, sum} from "d3-array";

import {hours, Row} from "./data";

export interface Optimum {
  name: string;
  hours: number;
}

function young(d: number, M: number): number {
  return Math.sqrt(2 * d * M);
}

function daly(d: number, M: number): number {
  const part = d / (2 * M);
  return d < 2 * M ? young(d, M) * (1 + Math.sqrt(part) / 3 + part / 9) - d : M;
}

// Reads the duration after a word in a text of settings: "checkpoint=5m".
function stated(row: Row, settings: string[], word: string): number|undefined {
  for (const name of settings) {
    const found = new RegExp(`(?:^| )${word}=(\\S+)`).exec(row.text(name));
    if (found) return hours(found[1]);
  }
  return undefined;
}

// Reads the duration in brackets, the time of a checkpoint: "15m(5m)" saves every 15 minutes for 5
// minutes.
function inBrackets(text: string): number|undefined {
  const found = /\(([^)]+)\)$/.exec(text);
  return found ? hours(found[1]) : undefined;
}

export function optima(rows: Row[], settings: string[], key: string): Optimum[] {
  const d = median(rows, row => stated(row, settings, "checkpoint") ?? inBrackets(row.text(key)));
  const billed = (row: Row) => row.number("spot_billed_h") ?? row.number("billed_h");
  const seen = rows.filter(row => billed(row) !== undefined && row.number("interruptions"));
  const M = median(rows, row => stated(row, settings, "mean")) ??
      sum(seen, billed) / sum(seen, row => row.number("interruptions"));
  if (!(d! > 0) || !(M > 0)) return [];
  const [first, second] = [young(d!, M), daly(d!, M)];
  if (Math.abs(first / second - 1) < 0.03) return [{name: "Young, Daly", hours: second}];
  return [{name: "Young", hours: first}, {name: "Daly", hours: second}];
}
