// The JSON of an exploration: explore.json, and the report of its run without a fault.
import {Mark, Report} from "../data";

export interface StrikePoint {
  at: string;
  kind: "call"|"answered-call"|"metadata"|"event";
  about: string;
  machine: string;
  tried: number;
  no_effect: number;
  broken: {fault: string, invariants: string[]}[];
}

export interface Failure {
  invariant: string;
  sentence: string;
  found: string;
  lines: string[];
  also: {invariant: string, found: string}[];
  console: string[];
  faults: string[];
  alike: number;
  command: string;
}

export interface Coverage {
  points: number;
  tried: number;
  no_effect: number;
}

export interface ExploreReport {
  schema: number;
  kind: "explore";
  scenario: string;
  seed: number;
  guest: string;
  runs: number;
  strike_points: number;
  instants: number;
  singles: Record<string, Coverage>;
  points: StrikePoint[];
  pairs: number;
  random_plans: number;
  complete: boolean;
  failures: Failure[];
  run: Report;
}

const PLACES = {
  call: "before ",
  "answered-call": "after ",
  metadata: "at ",
  event: "at "
};

export function placeOf({kind, about, machine}: StrikePoint): string {
  return `${PLACES[kind]}${about}${machine ? ` of ${machine}` : ""}`;
}

// "{at: …, kind: interrupt}" → "interrupt"
export function kindOf(fault: string): string {
  return /\bkind: ([\w-]+)/.exec(fault)?.[1] ?? fault;
}

// A strike point as a mark, whose kind says what the faults there did.
export function markOf(point: StrikePoint, at: number): Mark {
  const {tried, no_effect, broken} = point, kinds = [...new Set(broken.map(b => kindOf(b.fault)))];
  const kind = broken.length ? "broke" :
      tried                  ? "survived" :
      no_effect              ? "without-effect" :
                               "untried";
  const words = broken.length ?
      `${broken.length} of ${tried} faults broke something: ${kinds.join(", ")}` :
      tried ? `all ${tried} faults survived` :
      no_effect ? `${no_effect} faults had no effect` :
                  "no fault tried here alone";
  return {kind, lane: laneOf(point), at, text: `${placeOf(point)}: ${words}`, line: 0};
}

export function laneOf({machine}: StrikePoint): string {
  return `strikes ${machine}`;
}
