// The looks of spans and marks. The colours are Okabe and Ito's, which colour-blind people can
// distinguish.
import {symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar} from "d3-shape";
import {symbolTriangle, symbolWye} from "d3-shape";

const ORANGE = "#e69f00", SKY = "#56b4e9", GREEN = "#009e73", YELLOW = "#f0e442", BLUE = "#0072b2",
      RED = "#d55e00", PURPLE = "#cc79a7", GREY = "#999999", DARK = "#666666";

export interface Look {
  name: string;
  colour: string;
  hatched?: boolean;
}

// The spans of instances: columns of the time ledger.
export const COLUMNS: Record<string, Look> = {
  pending: {name: "pending, not billed", colour: GREY, hatched: true},
  stopped: {name: "stopped, not billed", colour: DARK, hatched: true},
  prepare: {name: "prepare", colour: GREY},
  boot: {name: "boot", colour: SKY},
  migrate: {name: "migrate", colour: PURPLE},
  restore: {name: "restore", colour: YELLOW},
  train_kept: {name: "training, kept", colour: GREEN},
  train_lost: {name: "training, lost", colour: RED, hatched: true},
  checkpoint: {name: "checkpoint", colour: BLUE},
  notice_idle: {name: "idle on notice", colour: ORANGE},
  idle: {name: "idle", colour: ORANGE, hatched: true},
  teardown: {name: "teardown", colour: DARK},
};

const STATES: Record<string, string> = {
  creating: SKY,
  available: ORANGE,
  "in-use": GREEN,
  deleting: RED,
  active: GREEN,
  Training: GREEN,
  submitted: SKY,
  Starting: SKY,
  Interrupted: RED,
  Failed: RED,
  ACTIVE: GREEN,
  error: RED,
};

// A lane's span: a column of the ledger, or a state of another resource.
export function look(what: string): Look {
  if (what in COLUMNS) return COLUMNS[what];
  return {name: what, colour: STATES[what] ?? (what.includes("FAILED") ? RED : GREY)};
}

export const LOSS = RED, STEP = "var(--curve)", PRICE = "var(--curve)", NO_CAPACITY = RED,
             CAPACITY = GREEN;

export const MONEY: Record<string, string> = {
  instances: GREEN,
  volumes: BLUE,
  snapshots: PURPLE,
  objects: SKY,
  logs: YELLOW,
  requests: ORANGE,
  transfer: RED,
};

// The kinds of marks. Where marks overlap, the kind that comes first here is drawn.
export const MARKS = [
  {kind: "broke", name: "a fault here broke something", symbol: symbolCross, colour: RED},
  {kind: "survived", name: "faults here were survived", symbol: symbolCircle, colour: GREEN},
  {kind: "without-effect", name: "faults here had no effect", symbol: symbolSquare, colour: SKY},
  {kind: "untried", name: "no fault tried here", symbol: symbolDiamond, colour: GREY},
  {kind: "fault", name: "fault", symbol: symbolDiamond, colour: RED},
  {kind: "interrupted", name: "taken by EC2", symbol: symbolCross, colour: RED},
  {kind: "notice", name: "notice", symbol: symbolTriangle, colour: ORANGE},
  {kind: "failure", name: "failure", symbol: symbolWye, colour: RED},
  {kind: "refused-call", name: "refused API call", symbol: symbolSquare, colour: RED},
  {kind: "hop", name: "hop to another zone", symbol: symbolStar, colour: PURPLE},
  {kind: "exit", name: "end of a script", symbol: symbolSquare, colour: DARK},
  {kind: "training", name: "training starts or ends", symbol: symbolTriangle, colour: GREEN},
  {kind: "snapshot", name: "snapshot", symbol: symbolDiamond, colour: PURPLE},
  {kind: "checkpoint", name: "checkpoint", symbol: symbolCircle, colour: BLUE},
  {kind: "group", name: "group or job", symbol: symbolCircle, colour: ORANGE},
  {kind: "attachment", name: "attachment", symbol: symbolSquare, colour: SKY},
  {kind: "phase", name: "phase of spotrun", symbol: symbolDiamond, colour: GREY},
  {kind: "call", name: "API call", symbol: symbolCircle, colour: GREY},
];
