// The JSON of an advice: advice.json, whose keys docs/advise.md explains.

export interface Spread {
  mean: number;
  p5: number;
  p50: number;
  p95: number;
  ci95: number|null;
}

export interface Way {
  strategy: string;
  zones: string[];
  policy: string;
  interval_h: number|null;
  told_work_h: number;
  cost_usd: Spread;
  done_h: Spread;
  late_share: number;
  interruptions: number;
}

export interface Other extends Way {
  dearer_usd: Spread;
  equal: boolean;
}

export interface WhatIf {
  what: string;
  mean_life_h: number;
  same: Way;
  better: Way|null;
}

export interface HoursRange {
  from: number;
  to: number;
}

export interface Today extends Way {
  instance_type: string;
  saved_usd: number;
}

export interface TypeRow {
  instance_type: string;
  speed: number;
  work_h: number;
  best: Way;
  on_demand: Way;
  as_good_h: HoursRange|null;
}

export interface AdviceReport {
  schema: number;
  kind: "advice";
  verdict: string;
  summary: string;
  job: {
    name: string,
    instance_type: string,
    work_h: number,
    deadline_h: number,
    checkpoint_h: number,
    restart_h: number,
    notice_h: number,
    windows: number,
    seed: number,
    late_allowed: number
  };
  save: string|null;
  meaning: string;
  best: Way;
  on_demand: Way;
  today: Today|null;
  types: TypeRow[];
  next_best: Other[];
  mean_life_h: number;
  assumed: boolean;
  closed_form_h: number;
  optimum_usd: number|null;
  curve: Way[];
  as_good_h: HoursRange|null;
  saves: Way[];
  places: Way[];
  what_ifs: WhatIf[];
  runs: number;
  command: string;
  text: string;
}

export function placeOf(way: Way): string {
  return way.zones.length > 1 ? `${way.zones.length} zones` : way.zones[0];
}

export function isSame(a: Way, b: Way): boolean {
  return a.strategy === b.strategy && a.policy === b.policy && a.zones.join() === b.zones.join();
}
