// The JSON that `spotsim report --json` prints: docs/report.schema.json has its form.

export interface Span {
  what: string;
  from: number;
  to: number;
  lines: number[];
}

export interface Lane {
  kind: "operator"|"instance"|"volume"|"group"|"strikes";
  id: string;
  name: string;
  pool: string|null;
  heading?: string;  // of its part of the timeline, instead of the pool's zone
  spans: Span[];
  open?: boolean;  // on a live page: the last span goes on
}

export interface Mark {
  kind: string;
  lane: string|null;
  at: number;
  text: string;
  line: number;  // 0: the mark has no line in the log
}

export interface Pool {
  pool: string;
  used: boolean;
  prices: [number, number][];
  capacity: [number, number|null][];
  from?: number;  // begin of the known time
  to?: number;    // its end; without both, all of the time is known
  interruptions?: number[]|null;
}

export interface Piece {
  instance_id: string;
  start_step: number;
  kept_through: number;
  steps: [number, number][];
  loss: [number, number][];
}

export interface Verdict {
  expect?: string;
  name?: string;
  id?: string;
  holds: boolean;
  found?: string;
  at?: string;
  lines?: string[];
  excused_by?: string[];
}

export interface Attempt {
  number: number;
  instance_id: string;
  instance_type: string;
  availability_zone: string;
  lifecycle: string;
  launched_at: string;
  first_step_at: string|null;
  notice_at: string|null;
  ended_at: string|null;
  end_reason: string;
  steps_done: number;
  steps_kept: number;
  billed_seconds: number;
  cost_usd: number;
}

export interface Result {
  scenario: string;
  seed: number;
  guest: string;
  outcome: string;
  cause: {machine: string; why: string}|null;
  makespan_seconds: number;
  missing_actions: {service: string; action: string; caller: string}[];
  attempts: Attempt[];
  steps_total: number;
  time_ledger_seconds: Record<string, number>;
  money_ledger_usd: Record<string, number>;
  lost_progress: {steps: number; seconds: number};
  checkpoint_overhead_seconds: number;
  restart_overhead_seconds: number;
  cost_usd: number;
  baseline_cost_usd: number|null;
  savings: number|null;
  savings_unknown: string|null;
  deadline_met: boolean|null;
  expectations: Verdict[];
  invariants: Verdict[];
  assumptions: string[];
}

// An update of a live page: the parts of the report that new lines of the log have changed.
export interface Change {
  lanes: Lane[];
  marks: Mark[];
  pools: Pool[];
  training?: Piece[];
  lines: Record<string, string>;
}

// The data that the timeline draws.
export interface TimelineData {
  time: {begin: string; seconds: number};
  lanes: Lane[];
  marks: Mark[];
  pools: Pool[];
  training: Piece[];
  result?: {steps_total: number};
  lines?: Record<string, string>;
}

export interface Report extends TimelineData {
  schema: number;
  kind: "run";
  result: Result;
  command: string|null;
  lines: Record<string, string>;
}
